import { expect, test } from "vitest";
import { LEAST, limits, within } from "./widths";

test("a column leaves space for the board and the other column", () => {
  expect(limits("list", 1440, 400)).toEqual([LEAST.list, 1440 - LEAST.board - 400]);
  expect(limits("notation", 700, 400)).toEqual([LEAST.notation, LEAST.notation]);
  expect(within(900, [260, 604])).toBe(604);
  expect(within(10, [260, 604])).toBe(260);
  expect(within(333.4, [260, 604])).toBe(333);
});
