import { expect, it } from "vitest";
import { bandsOf, pointAt, surfacesOf, type Drawing } from "./graphShapes";

const drawing: Drawing = { width: 100, height: 50, step: 10, x: (ply) => 10 * ply, y: (share) => 50 * (1 - share) };
const points = (...shares: (number | null)[]): { ply: number; share: number | null }[] => shares.map((share, ply) => ({ ply, share }));

it("surfaces meet at the curve, which bridges moves without evaluation", () => {
  const { white, black, curve } = surfacesOf(points(null, 0.5, null, 1, null), drawing);
  expect(curve).toBe("M0.0 25.0 L10.0 25.0 L30.0 0.0 L40.0 0.0");
  expect(white).toBe(`${curve} L40.0 50 L0.0 50Z`);
  expect(black).toBe(`${curve} L40.0 0 L0.0 0Z`);
  expect(surfacesOf(points(null, null), drawing)).toEqual({ white: "", black: "", curve: "" });
});

it("nothing is claimed about the beginning and the end while evaluations arrive", () => {
  expect(surfacesOf(points(null, null, null, 0.5, 0.5, null, null, null), drawing).curve).toBe("M30.0 25.0 L30.0 25.0 L40.0 25.0 L40.0 25.0");
});

it("phases begin with their first move", () => {
  const phases = [undefined, "opening", "opening", undefined, "middlegame", "endgame"];
  expect(bandsOf(phases.map((_, ply) => ({ ply })), (ply) => phases[ply])).toEqual([
    { phase: "opening", from: 1 },
    { phase: "middlegame", from: 4 },
    { phase: "endgame", from: 5 },
  ]);
});

it("every place on the graph belongs to a move", () => {
  const box = { left: 10, width: 100 };
  expect([-50, 10, 34, 36, 110, 900].map((x) => pointAt([0, 1, 2, 3, 4], x, box))).toEqual([0, 0, 1, 1, 4, 4]);
  expect(pointAt(["only"], 40, { left: 0, width: 0 })).toBe("only");
});
