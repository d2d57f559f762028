/** The buttons under the board. */

import type { JSX } from "preact";
import { canCreate, purpose } from "../collect/state";
import { copy } from "../shell/clipboard";
import { Dialog } from "../shell/Dialog";
import {
  at,
  backward,
  chess960,
  fen,
  flipped,
  forward,
  node,
  openPosition,
  toEnd,
  toStart,
} from "../state";
import { t } from "../translation";
import { autoplay, playing } from "./autoplay";
import { editing } from "./editing";
import { KEYS } from "./keyboard";
import { linkHere, setUpAddress } from "./links";
import { Tool } from "./Tool";

/** The browser's own key, which it tells the page about in its own way. */
const PASTE = { shown: "Ctrl v", does: t("Open games, or a position, that were copied elsewhere") };

function PositionAndKeys(): JSX.Element {
  return (
    <Dialog title={t("Position and keys")} button={(open) => <Tool icon="settings" name={t("Position and keys")} act={open} />}>
      <p class="buttons">
        <button type="button" onClick={() => void copy(fen.peek(), t("The position is in the clipboard as FEN."))}>
          {t("Copy FEN")}
        </button>
        <button onClick={() => openPosition()}>{t("Empty game")}</button>
        <button onClick={() => openPosition(fen.peek(), chess960.peek())}>{t("New game from here")}</button>
        <button onClick={() => (location.hash = setUpAddress(fen.peek()))}>{t("Set up a position")}</button>
        {canCreate() && <button onClick={() => (purpose.value = "game")}>{t("Add to …")}</button>}
        <button onClick={() => setTimeout(() => print())}>{t("Print …")}</button>
      </p>
      <h3>{t("Keys")}</h3>
      <dl class="keys">
        {[...KEYS, PASTE].map(({ shown, does }) => (
          <div key={shown}>
            <dt>{shown}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">
        {t(
          "Draw arrows and squares with the right mouse button; Shift makes them red, Alt blue, both yellow. Drawing them again removes them.",
        )}
      </p>
    </Dialog>
  );
}

export function Toolbar(): JSX.Element {
  const atStart = at.value === 0;
  const atEnd = node.value.children.length === 0;
  return (
    <div class="toolbar" role="toolbar" aria-label={t("Board")}>
      <Tool icon="first" name={t("Start")} act={toStart} disabled={atStart} />
      <Tool icon="back" name={t("Previous move")} act={backward} disabled={atStart} />
      <Tool icon="forward" name={t("Next move")} act={() => void forward()} disabled={atEnd} />
      <Tool icon="last" name={t("End of the line")} act={toEnd} disabled={atEnd} />
      <Tool
        icon={playing.value ? "pause" : "play"}
        name={playing.value ? t("Stop") : t("Play the moves by themselves")}
        act={() => autoplay.toggle()}
        pressed={playing.value}
        disabled={atEnd && !playing.value}
      />
      <Tool icon="flip" name={t("Turn the board")} act={() => (flipped.value = !flipped.value)} />
      <Tool icon="annotate" name={t("Annotate")} act={() => (editing.value = !editing.value)} pressed={editing.value} worded />
      <Tool
        icon="link"
        name={t("Copy the link to this position")}
        act={() => void copy(linkHere(), t("The link to this position is in the clipboard."))}
      />
      <PositionAndKeys />
    </div>
  );
}
