import type { Panel } from "../shell/panel";

function Games() {
  return <p class="soft padded">Games</p>;
}

export const panel: Panel = { tab: "games", title: "Games", place: "side", Component: Games };
