import { expect, it } from "vitest";
import { parseQuick } from "./quick";

const cases: [string, string, object][] = [
  ["", "", {}],
  ["  carlsen   anand ", "carlsen anand", {}],
  ["2600+", "", { min_elo: "2600" }],
  ["2400-2600", "", { min_elo: "2400", max_elo: "2600" }],
  ["2015-2020", "", { since: "2015", until: "2020" }],
  ["2015–2020", "", { since: "2015", until: "2020" }],
  ["1851", "", { date: "1851" }],
  ["1851-06", "", { date: "1851-06" }],
  ["1990-", "", { since: "1990" }],
  ["-1900", "", { until: "1900" }],
  ["2700", "2700", {}],
  ["b90", "", { eco: "B90" }],
  ["B90-B99 C5", "", { eco: "B90-B99,C5" }],
  ["1-0 ½", "", { results: ["1-0", "1/2-1/2"] }],
  ["1/2-1/2", "", { results: ["1/2-1/2"] }],
  ["white:carlsen", "", { white: "carlsen" }],
  ['event:"new york" reti', "reti", { event: "new york" }],
  ['"new york" 1924', '"new york"', { date: "1924" }],
  ['"1924"', "1924", {}],
  ['"unfinished', "unfinished", {}],
  ["time:12", "time:12", {}],
  ["player:reti player:spielmann", "", { player: ["reti", "spielmann"] }],
  ["white:", "white:", {}],
  ["ECO 12345 x", "ECO 12345 x", {}],
  ["Réti <script>", "Réti <script>", {}],
];

it.each(cases)("%s", (line, text, conditions) => {
  expect(parseQuick(line)).toEqual({ text, conditions });
});
