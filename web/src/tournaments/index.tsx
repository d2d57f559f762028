import { lazy } from "../shell/lazy";
import type { Panel } from "../shell/panel";
import { t } from "../translation";

const Component = lazy(async () => (await import("./Tournaments")).Tournaments);

export const panel: Panel = { tab: "tournaments", title: t("Tournaments"), place: "whole", Component };
