import { expect, it } from "vitest";
import { kindOf, nameOfPasted } from "./paste";

it.each([
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "  8/8/8/4k3/8/8/4P3/4K3 w\n",
  "8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1",
  "8/8/8/4k3/8/8/4P3/4K3",
])("%s is a position", (text) => {
  expect(kindOf(text)).toEqual({ kind: "position", fen: text.trim().replaceAll("_", " ") });
});

it.each([
  '[Event "Opera"]\n\n1. e4 e5 *',
  '% exported\n\n[White "A"]\n\n*',
  "1.e4 e5 2.Nf3",
  "1. e4",
  "From the club:\n\n 1. d4 d5",
  "e4 e5 Nf3",
  "Nbxd7",
  "O-O",
  "1 . e4",
  '\ufeff[Event "x"]',
])("%j is taken for games", (text) => {
  expect(kindOf(text)).toEqual({ kind: "games" });
});

it.each(["", "Dear John, the game is in the attachment.", "https://lichess.org/abcdefgh", "def f(x):\n  return 1", "2026-11-16", "e4-cake", "8/8/8/8/8/8/8"])(
  "%j is neither",
  (text) => {
    expect(kindOf(text)).toBeNull();
  },
);

it.each([
  ['[White "Meyer, Anna"]\n[Black "Kowalski, Jan"]\n\n1. e4 *', "Meyer – Kowalski"],
  ['[White "../A/b:c"]\n[Black "O\'Neill-Ёжик"]\n\n*', "Abc – O'Neill-Ёжик"],
  ['[White "A"]\n[Black "?"]\n\n*', "pasted"],
  ['[White "A"]\n[Black "B"]\n\n*\n\n[White "C"]\n[Black "D"]\n\n*', "pasted"],
  ["1. e4", "pasted"],
])("%j is called after its players", (text, name) => {
  expect(nameOfPasted(text)).toBe(name);
});
