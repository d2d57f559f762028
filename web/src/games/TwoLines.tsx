/** A record in two lines, where columns have no room. */

import type { JSX } from "preact";
import { dateOf, nameOf, resultOf } from "../figures";
import { titleOf } from "./columns";
import type { Row } from "./query";

export function TwoLines({ row }: { row: Row }): JSX.Element {
  if (row.kind !== "game") {
    return (
      <div class="two-lines" role="gridcell">
        <b>{titleOf(row)}</b>
        <small>{row.number}</small>
      </div>
    );
  }
  const facts = [nameOf(row.eco), dateOf(row.date), nameOf(row.event), nameOf(row.site)].filter(Boolean);
  return (
    <div class="two-lines" role="gridcell">
      <b>
        <span>
          {nameOf(row.white) || "?"} {row.white_elo ? <i>{row.white_elo}</i> : null} – {nameOf(row.black) || "?"}{" "}
          {row.black_elo ? <i>{row.black_elo}</i> : null}
        </span>
        <span class="result">{resultOf(row.result)}</span>
      </b>
      <small>
        {row.move && <em>{row.move} </em>}
        {facts.join(" · ")}
      </small>
    </div>
  );
}
