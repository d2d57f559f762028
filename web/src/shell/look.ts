/** The chosen colours, as attributes of the document that the style sheets ask for. */

import { effect, signal } from "@preact/signals";
import { tagsOf } from "../game/tags";
import { boardTheme, game, source, theme, type OpenGame } from "../state";
import { t } from "../translation";
import { isolatedName } from "./text";

/** What the window is called: the game that is open, else the database. */
export function titleOf({ kind, source: from, tags, title, result }: OpenGame, database: string | undefined): string {
  const named = tagsOf(tags);
  const players = [named.get("White"), named.get("Black")].map((name) => isolatedName(name || "?")).join(" – ");
  const record = kind === "text" ? isolatedName(title || t("Text")) : `${players}${result && result !== "*" ? ` ${result}` : ""}`;
  return [from !== undefined && record, database && isolatedName(database), "tabiya"].filter(Boolean).join(" · ");
}

export function followGame(): void {
  effect(() => void (document.title = titleOf(game.value, source.value?.name)));
}

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
