import type { Panel } from "../shell/panel";

function Texts() {
  return <p class="soft padded">Texts</p>;
}

export const panel: Panel = { tab: "texts", title: "Texts", place: "whole", Component: Texts };

/** The open record, if it is a text: mounted in place of board and notation. */
export function TextView() {
  return <p class="soft padded">Text</p>;
}
