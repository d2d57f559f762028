import { expect, test } from "vitest";
import { BOARD_THEMES } from "../state/settings";
import css from "./themes.css?raw";

/** What a rule of the style sheet says about a theme, by name of the property. */
function coloursOf(theme: string): Record<string, string> {
  const rule = new RegExp(`\\[data-swatch="${theme}"\\] \\{([^}]*)\\}`).exec(css);
  return Object.fromEntries([...rule![1]!.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name!, value!]));
}

function luminance(colour: string): number {
  const channels = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255);
  const [red, green, blue] = channels.map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

test.each(BOARD_THEMES)("coordinates, squares and pieces of %s can be told apart", (theme) => {
  const colours = coloursOf(theme);
  const [light, dark] = [colours["square-light"]!, colours["square-dark"]!];
  expect(contrast(colours["on-square-light"]!, light)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colours["on-square-dark"]!, dark)).toBeGreaterThanOrEqual(3);
  expect(contrast(light, dark)).toBeGreaterThanOrEqual(1.7);
  expect(contrast("#3d434b", dark)).toBeGreaterThanOrEqual(1.6); // a black piece
});
