/** All books side by side: what each of them says about the position on the board. */

import type { JSX } from "preact";
import { count } from "../shell/numbers";
import type { Panel } from "../shell/panel";
import { OpenButton } from "../sources/OpenButton";
import { books, position } from "../state";
import { t, tn } from "../translation";
import { BookMoves } from "./BookMoves";
import "./books.css";

function Books(): JSX.Element {
  if (books.value.length === 0) {
    return (
      <div class="welcome">
        <h2>{t("Open a book")}</h2>
        <p>{t("Drag opening books onto this page: ChessBase CTG (.ctg, .ctb and .cto together), Polyglot .bin, Arena .abk.")}</p>
        <OpenButton class="primary" />
      </div>
    );
  }
  const opening = position.value?.opening;
  return (
    <div class="books">
      <p class="soft padded">{opening ? `${opening.eco} ${opening.name}` : t("What books say about the position on the board.")}</p>
      {books.value.map(({ id, name, format_title, records, error }) => (
        <section key={id} aria-label={name}>
          <h2>
            {name}
            <small class="soft">
              {format_title}
              {records != null && ` · ${tn(records, "{n} position", "{n} positions", { n: count(records) })}`}
            </small>
          </h2>
          {error ? <p class="padded error">{error}</p> : <BookMoves id={id} whole />}
        </section>
      ))}
    </div>
  );
}

export const panel: Panel = { tab: "books", title: t("Books"), place: "side", Component: Books };
