import { expect, it } from "vitest";
import { inEnglish, withFigurines, withLetters } from "./letters";

const GERMAN = ["K", "D", "T", "L", "S", "B"];
const RUSSIAN = ["Кр", "Ф", "Л", "С", "К", "П"];
const SPANISH = ["R", "D", "T", "A", "C", "P"];

it.each([
  ["Nf3", GERMAN, "Sf3"],
  ["Qh4+", GERMAN, "Dh4+"],
  ["Bxc6", SPANISH, "Axc6"],
  ["Rad1", SPANISH, "Tad1"],
  ["R1d2", GERMAN, "T1d2"],
  ["Kd2", RUSSIAN, "Крd2"],
  ["Nd2", RUSSIAN, "Кd2"],
  ["bxa8=Q#", GERMAN, "bxa8=D#"],
  ["a8=N", RUSSIAN, "a8=К"],
  ["O-O-O", GERMAN, "O-O-O"],
  ["b4", GERMAN, "b4"],
  ["--", GERMAN, "--"],
])("%s in other letters", (san, letters, text) => {
  expect(withLetters(san, letters)).toBe(text);
  expect(inEnglish(text, letters)).toBe(san);
});

it.each([
  ["Nf3", [{ piece: "N" }, "f3"]],
  ["exd8=Q+", ["exd8=", { piece: "Q" }, "+"]],
  ["e4", ["e4"]],
  ["O-O", ["O-O"]],
])("%s with figurines", (san, parts) => {
  expect(withFigurines(san)).toEqual(parts);
});
