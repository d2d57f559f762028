import { expect, it } from "vitest";
import { percentages, scoreOf, spokenBar } from "./bars";

it("adds up to 100 whatever the results", () => {
  for (let white = 0; white < 40; white++) {
    for (let draws = 0; draws < 40; draws += 3) {
      for (let black = 0; black < 40; black += 7) {
        const [w, d, b] = percentages({ white, draws, black });
        expect(w + d + b).toBe(white + draws + black > 0 ? 100 : 0);
        for (const [part, count] of [[w, white], [d, draws], [b, black]] as const) {
          expect(Math.abs(part - (count / Math.max(1, white + draws + black)) * 100)).toBeLessThan(1);
        }
      }
    }
  }
});

it("says what is seen", () => {
  expect(spokenBar({ white: 1, draws: 1, black: 1 })).toBe("White 34%, drawn 33%, Black 33%");
  expect(spokenBar({ white: 0, draws: 0, black: 0 })).toBe("White 0%, drawn 0%, Black 0%");
});

it("knows the score", () => {
  expect(scoreOf({ white: 2, draws: 2, black: 0 })).toBe(0.75);
  expect(scoreOf({ white: 0, draws: 0, black: 0 })).toBeNull();
});
