/** The chosen colours, as attributes of the document that the style sheets ask for. */

import { effect, signal } from "@preact/signals";
import { boardTheme, theme } from "../state";

export function followSettings(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const system = signal(dark.matches);
  dark.addEventListener("change", () => (system.value = dark.matches));
  effect(() => {
    const { dataset } = document.documentElement;
    dataset["theme"] = theme.value === "auto" ? (system.value ? "dark" : "light") : theme.value;
    dataset["board"] = boardTheme.value;
  });
}
