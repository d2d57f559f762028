import type { Panel } from "../shell/panel";

function Search() {
  return <p class="soft padded">Search</p>;
}

export const panel: Panel = { tab: "search", title: "Search", place: "side", Component: Search };
