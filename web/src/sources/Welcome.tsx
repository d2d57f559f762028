/** What one sees before there is a database. */

import type { JSX } from "preact";
import { books, go, skipped } from "../state";
import { OpenButton, PasteButton } from "./OpenButton";

export function Welcome(): JSX.Element {
  return (
    <div class="welcome">
      <h2>Open a database</h2>
      <p>
        Drag files onto this page: PGN, ChessBase bases (all their files together) and archives, libraries, opening books.
        They are looked at, never changed or kept.
      </p>
      <p class="buttons">
        <OpenButton class="primary" /> <PasteButton />
      </p>
      <p class="soft">
        Or start with their names: <code>tabiya serve games.pgn</code>
      </p>
      {books.value.length > 0 && (
        <button type="button" onClick={() => go({ tab: "books" })}>
          Look into {books.value.length === 1 ? books.value[0]!.name : "the books"}
        </button>
      )}
      {skipped.value.length > 0 && <p class="soft">Not opened: {skipped.value.join(", ")}</p>}
    </div>
  );
}
