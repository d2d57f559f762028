import { describe, expect, it } from "vitest";
import * as p from "./pattern";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

describe("boards", () => {
  it("go through FEN and back", () => {
    for (const board of [p.START_BOARD, "8/8/8/8/8/8/8/8", "r3kb1r/p2nqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/2KR3R"]) {
      expect(p.formatBoard(p.parseBoard(board)!)).toBe(board);
    }
  });
  it("are refused if they are none", () => {
    for (const text of ["", "8/8", "9/8/8/8/8/8/8/8", "ppppppppp/8/8/8/8/8/8/8", "x7/8/8/8/8/8/8/8", "7/8/8/8/8/8/8/8"]) {
      expect(p.parseBoard(text)).toBeNull();
    }
  });
  it("keep the side to move and castling rights", () => {
    const setUp = p.parseSetUp(START)!;
    expect([setUp.toMove, setUp.castling]).toEqual(["w", "KQkq"]);
    expect(p.wholeFen(setUp)).toBe(START);
    expect(p.wholeFen({ ...setUp, toMove: "b", castling: "" })).toBe(`${p.START_BOARD} b - - 0 1`);
  });
  it("are searched for by as much as is said", () => {
    const setUp = p.parseSetUp(p.START_BOARD)!;
    expect(p.searchedFen(setUp)).toBe(p.START_BOARD);
    expect(p.searchedFen({ ...setUp, toMove: "b" })).toBe(`${p.START_BOARD} b`);
    expect(p.searchedFen({ ...setUp, toMove: "w", castling: "Kq" })).toBe(`${p.START_BOARD} w Kq`);
    expect(p.searchedFen({ ...setUp, castling: "Kq" })).toBe(p.START_BOARD);
  });
});

describe("patterns", () => {
  it("go through their text and back", () => {
    for (const text of ["pa6,Bb3,Nf3", "[q_]d8,?c5,ad5,Ae4,_e3,[^Pp]a1", ""]) {
      expect(p.formatPattern(p.parsePattern(text)!)).toBe(text);
    }
  });
  it("are left alone if they are written as a FEN or wrong", () => {
    for (const text of ["8/8/p7/8/8/1B3N2/8/8", "Xe4", "Be9", "[]e4", "B"]) expect(p.parsePattern(text)).toBeNull();
  });
  it("are drawn square by square", () => {
    const men = p.placed(p.placed({}, "e4", "P"), "d8", "[QR]");
    expect(p.formatPattern(men)).toBe("[QR]d8,Pe4");
    expect(p.formatPattern(p.placed(men, "e4", "P"))).toBe("[QR]d8");
    expect(p.formatPattern(p.placed(men, "e4", "A"))).toBe("[QR]d8,Ae4");
    expect(p.formatPattern(p.placed(men, "e4", ""))).toBe("[QR]d8");
  });
  it("move men", () => {
    const men = { e4: "P" };
    expect(p.movedMan(men, "e4", "e5")).toEqual({ e5: "P" });
    expect(p.movedMan(men, "e4", null)).toEqual({});
    expect(p.movedMan(men, "a1", "a2")).toBe(men);
    expect(p.movedMan(men, "e4", "e4")).toBe(men);
  });
});
