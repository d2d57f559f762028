import { lazy } from "../shell/lazy";
import type { Panel } from "../shell/panel";
import { t } from "../translation";

const Component = lazy(async () => (await import("./Players")).Players);

export const panel: Panel = { tab: "players", title: t("Players"), place: "whole", Component };
