import type { Panel } from "../shell/panel";

function Books() {
  return <p class="soft padded">Books</p>;
}

export const panel: Panel = { tab: "books", title: "Books", place: "side", Component: Books };
