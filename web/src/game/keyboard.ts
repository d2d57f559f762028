/** Keys, as on Lichess: they work wherever one is on the page, but in fields and with Ctrl, Alt or the command key. */

import { toggleEngine } from "../engine/live";
import {
  backward,
  engineArrows,
  flipped,
  forward,
  leaveVariation,
  nextAlternative,
  redo,
  toEnd,
  toStart,
  undo,
} from "../state";
import { autoplay } from "./autoplay";
import { t } from "../translation";
import { editing } from "./editing";
import { openMenuOfCurrent } from "./MoveMenu";

export interface Key {
  keys: readonly string[];
  /** As it is written in the list of keys. */
  shown: string;
  does: string;
  act: () => void;
}

/** Open the tools for annotating, with the cursor in the comment on the current move. */
function writeComment(): void {
  editing.value = true;
  setTimeout(() => {
    const fields = document.querySelectorAll<HTMLElement>(".annotate-tools textarea");
    fields[fields.length - 1]?.focus();
  });
}

export const KEYS: readonly Key[] = [
  { keys: ["ArrowRight", "k"], shown: "→ · k", does: t("Next move"), act: () => void forward() },
  { keys: ["ArrowLeft", "j"], shown: "← · j", does: t("Previous move"), act: backward },
  { keys: ["ArrowUp", "Home", "0"], shown: "↑ · Home · 0", does: t("Start"), act: toStart },
  { keys: ["ArrowDown", "End", "$"], shown: "↓ · End · $", does: t("End of the line"), act: toEnd },
  { keys: ["Shift+ArrowRight"], shown: "Shift →", does: t("Next alternative to this move"), act: () => nextAlternative(1) },
  { keys: ["Shift+ArrowLeft"], shown: "Shift ←", does: t("Previous alternative"), act: () => nextAlternative(-1) },
  { keys: ["Shift+ArrowUp", "Escape"], shown: "Shift ↑ · Esc", does: t("Out of the variation"), act: leaveVariation },
  { keys: [" "], shown: t("Space"), does: t("Play the moves by themselves; again to stop"), act: () => autoplay.toggle() },
  { keys: ["f"], shown: "f", does: t("Turn the board"), act: () => (flipped.value = !flipped.value) },
  { keys: ["x"], shown: "x", does: t("Annotate"), act: () => (editing.value = !editing.value) },
  { keys: ["c"], shown: "c", does: t("Write a comment; Esc leads back"), act: writeComment },
  { keys: ["l"], shown: "l", does: t("Engine on or off"), act: toggleEngine },
  { keys: ["a"], shown: "a", does: t("Arrows of the engine"), act: () => (engineArrows.value = !engineArrows.peek()) },
  { keys: ["Shift+F10", "ContextMenu"], shown: "Shift F10", does: t("Menu of the current move"), act: openMenuOfCurrent },
  { keys: ["Control+z"], shown: "Ctrl z", does: t("Undo"), act: undo },
  { keys: ["Control+y", "Control+Shift+Z"], shown: "Ctrl y", does: t("Redo"), act: redo },
];

const BY_NAME = new Map(KEYS.flatMap((key) => key.keys.map((name) => [name, key] as const)));

/** “Shift+ArrowLeft”; letters carry their shift in themselves. */
function nameOf(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey ? "Control+" : "";
  const shift = event.shiftKey && (event.key.length > 1 || control) ? "Shift+" : "";
  return control + shift + event.key;
}

/** Keys belong to what has them by nature: fields, open menus, and Space and Enter to buttons and links. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.altKey || target.isContentEditable) {
    return true;
  }
  if (target.closest("input:not([type=range]), textarea, select, dialog, [role=dialog], [role=menu], [role=listbox], [data-own-keys]")) {
    return true;
  }
  return event.key === " " && target.closest("button, a[href], summary") !== null;
}

export function listenToKeys(): () => void {
  const listen = (event: KeyboardEvent): void => {
    const key = BY_NAME.get(nameOf(event));
    if (key && !isTaken(event)) {
      event.preventDefault();
      key.act();
    }
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
