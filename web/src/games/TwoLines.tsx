/** A record in two lines, where columns have no room: both names are always there. */

import type { JSX } from "preact";
import { dateOf, nameOf, resultOf } from "../figures";
import { rowLinks } from "../reports/links";
import { Name } from "../shell/text";
import { t } from "../translation";
import { titleOf, titleWithoutPlayers } from "./columns";
import type { Row } from "./query";

export function TwoLines({ row }: { row: Row }): JSX.Element {
  if (row.kind !== "game") {
    return (
      <div class="two-lines" role="gridcell">
        <p>
          <span class="title">{titleOf(row)}</span>
        </p>
        <p>
          <small>{t("record {number}", { number: row.number })}</small>
        </p>
      </div>
    );
  }
  const place = [nameOf(row.event), nameOf(row.site)].filter(Boolean).join(", ");
  const facts = [row.move, nameOf(row.eco), dateOf(row.date).slice(0, 4)].filter(Boolean);
  const nobody = !nameOf(row.white) && !nameOf(row.black);
  return (
    <div class="two-lines" role="gridcell" title={place}>
      <p>
        <span>
          <Name text={nobody ? titleWithoutPlayers(row) : nameOf(row.white) || "?"} /> <i>{row.white_elo || ""}</i>
          {nameOf(row.white) && rowLinks.player(row.white!)}
        </span>
        <b>{resultOf(row.result)}</b>
      </p>
      <p>
        <span>
          {nobody ? <small>{t("record {number}", { number: row.number })}</small> : nameOf(row.black) ? <Name text={nameOf(row.black)} /> : <small>{nameOf(row.event)}</small>} <i>{row.black_elo || ""}</i>
          {nameOf(row.black) && rowLinks.player(row.black!)}
        </span>
        <small>{facts.join(" · ")}</small>
      </p>
    </div>
  );
}
