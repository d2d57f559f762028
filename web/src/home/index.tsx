import { lazy } from "../shell/lazy";
import type { Panel } from "../shell/panel";
import { t } from "../translation";

const Component = lazy(async () => (await import("./Home")).Home);

export const panel: Panel = { tab: "home", title: t("Home"), place: "whole", Component };
