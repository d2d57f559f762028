import type { Panel } from "../shell/panel";

function Convert() {
  return <p class="soft padded">Convert</p>;
}

export const panel: Panel = { tab: "convert", title: "Convert", place: "whole", Component: Convert };
