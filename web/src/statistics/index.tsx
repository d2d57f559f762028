import { lazy } from "../shell/lazy";
import type { Panel } from "../shell/panel";
import { t } from "../translation";

const Component = lazy(async () => (await import("./Statistics")).Statistics);

export const panel: Panel = { tab: "statistics", title: t("Statistics"), place: "whole", Component };
