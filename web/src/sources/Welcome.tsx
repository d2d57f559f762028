/** What one sees before there is a database. */

import type { JSX } from "preact";
import { books, go, skipped } from "../state";
import { t } from "../translation";
import { OpenButton, PasteButton } from "./OpenButton";

export function Welcome(): JSX.Element {
  return (
    <div class="welcome">
      <h2>{t("Open a database")}</h2>
      <p>
        {t(
          "Drag files onto this page: PGN, ChessBase bases (all their files together) and archives, libraries, opening books. They are looked at, never changed or kept.",
        )}
      </p>
      <p class="buttons">
        <OpenButton class="primary" /> <PasteButton />
      </p>
      <p class="soft">
        {t("Or start with their names:")} <code>tabiya serve games.pgn</code>
      </p>
      {books.value.length > 0 && (
        <button type="button" onClick={() => go({ tab: "books" })}>
          {books.value.length === 1 ? t("Look into {name}", { name: books.value[0]!.name }) : t("Look into the books")}
        </button>
      )}
      {skipped.value.length > 0 && <p class="soft">{t("Not opened: {names}", { names: skipped.value.join(", ") })}</p>}
    </div>
  );
}
