/** The buttons under the board. */

import type { JSX } from "preact";
import { copy } from "../shell/clipboard";
import { Dialog } from "../shell/Dialog";
import {
  at,
  backward,
  chess960,
  fen,
  flipped,
  formatRoute,
  forward,
  game,
  line,
  node,
  openPosition,
  path,
  route,
  toEnd,
  toStart,
} from "../state";
import { autoplay, playing } from "./autoplay";
import { editing } from "./editing";
import { Icon, type IconName } from "./icons";
import { KEYS } from "./keyboard";

interface ToolProps {
  icon: IconName;
  name: string;
  act: () => void;
  disabled?: boolean;
  pressed?: boolean;
}

function Tool({ icon, name, act, disabled = false, pressed }: ToolProps): JSX.Element {
  return (
    <button type="button" class="tool" title={name} aria-label={name} aria-pressed={pressed} disabled={disabled} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}

/** The address of the position on the board; where there is room, the list stands beside it. */
export function linkHere(): string {
  const { source = route.peek().source, number = null } = game.peek();
  const place = { tab: "board", source, number, path: path.peek(), line: line.peek(), parameters: {} } as const;
  return new URL(formatRoute(place), location.href).href;
}

/** The browser's own key, which it tells the page about in its own way. */
const PASTE = { shown: "Ctrl v", does: "Open games, or a position, that were copied elsewhere" };

function More(): JSX.Element {
  return (
    <Dialog title="Position and keys" button={(open) => <Tool icon="settings" name="Position and keys" act={open} />}>
      <p class="buttons">
        <button type="button" onClick={() => void copy(fen.peek(), "The position is in the clipboard as FEN.")}>
          Copy FEN
        </button>
        <button onClick={() => openPosition()}>Empty game</button>
        <button onClick={() => openPosition(fen.peek(), chess960.peek())}>New game from here</button>
      </p>
      <h3>Keys</h3>
      <dl class="keys">
        {[...KEYS, PASTE].map(({ shown, does }) => (
          <div key={shown}>
            <dt>{shown}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">
        Draw arrows and squares with the right mouse button; Shift makes them red, Alt blue, both yellow. Drawing them again removes them.
      </p>
    </Dialog>
  );
}

export function Toolbar(): JSX.Element {
  const atStart = at.value === 0;
  const atEnd = node.value.children.length === 0;
  return (
    <div class="toolbar" role="toolbar" aria-label="Board">
      <Tool icon="first" name="Start" act={toStart} disabled={atStart} />
      <Tool icon="back" name="Previous move" act={backward} disabled={atStart} />
      <Tool icon="forward" name="Next move" act={() => void forward()} disabled={atEnd} />
      <Tool icon="last" name="End of the line" act={toEnd} disabled={atEnd} />
      <Tool
        icon={playing.value ? "pause" : "play"}
        name={playing.value ? "Stop" : "Play the moves by themselves"}
        act={() => autoplay.toggle()}
        pressed={playing.value}
        disabled={atEnd && !playing.value}
      />
      <Tool icon="flip" name="Turn the board" act={() => (flipped.value = !flipped.value)} />
      <Tool icon="annotate" name="Annotate" act={() => (editing.value = !editing.value)} pressed={editing.value} />
      <Tool
        icon="link"
        name="Copy the link to this position"
        act={() => void copy(linkHere(), "The link to this position is in the clipboard.")}
      />
      <More />
    </div>
  );
}
