/** Which comments are shown, those of one language and those of all; and writing them. */

import { computed } from "@preact/signals";
import type { Comment, Side, Translated } from "../api/types";
import { game, language, typeRemarks, vocabulary } from "../state";
import { nodeOf } from "./tree";

export const ALL_LANGUAGES = "*";

/** Languages that the open game has comments in. */
export const languages = computed(() => (game.value.languages ?? []).filter((code) => code !== ""));

/** The language that is shown: the chosen one if the game has it, else English, else the only one; "" shows all. */
export const shownLanguage = computed(() => {
  const there = languages.value;
  if (language.value === ALL_LANGUAGES || !there.length) {
    return "";
  }
  return there.includes(language.value) ? language.value : there.includes("ENG") ? "ENG" : there[0]!;
});

/** Languages by the nations that ChessBase names them after, each in itself. */
const NAMES: Record<string, string> = {
  ENG: "English",
  GER: "Deutsch",
  FRA: "Français",
  ESP: "Español",
  ITA: "Italiano",
  NED: "Nederlands",
  POR: "Português",
};

export function languageName(code: string): string {
  return NAMES[code] ?? vocabulary.value?.languages.find((entry) => entry.code === code)?.name ?? code;
}

export function isShown({ language: code }: Pick<Comment, "language">): boolean {
  return code === "" || shownLanguage.value === "" || code === shownLanguage.value;
}

/** The text in the shown language, else in any. */
export function translated(texts: readonly Translated[] | undefined): string {
  return (texts?.find(isShown) ?? texts?.[0])?.text ?? "";
}

type Comments = readonly Comment[] | null | undefined;

/** The comment of a side that is shown, and edited. */
export const commentOf = (comments: Comments, side: Side): Comment | undefined =>
  comments?.find((comment) => comment.side === side && isShown(comment));

/** The comments with the shown one of a side changed; nothing but blanks removes it. */
function withComment(comments: Comments, side: Side, text: string): Comment[] {
  const shown = commentOf(comments, side);
  const all = comments ?? [];
  if (!text.trim()) {
    return all.filter((comment) => comment !== shown);
  }
  return shown
    ? all.map((comment) => (comment === shown ? { ...comment, text } : comment))
    : [...all, { side, text, language: shownLanguage.peek() }];
}

/** Write the shown comment of a move, as it is typed. */
export function writeComment(id: number, side: Side, text: string): void {
  const { comments } = nodeOf(game.peek().tree, id);
  typeRemarks(`${side} ${id}`, { comments: withComment(comments, side, text) }, id);
}
