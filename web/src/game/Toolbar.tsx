/** The buttons under the board. */

import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import {
  animate,
  at,
  backward,
  BOARD_THEMES,
  boardTheme,
  fen,
  flipped,
  formatRoute,
  forward,
  game,
  node,
  notify,
  openPosition,
  path,
  report,
  route,
  showCoordinates,
  showEvaluation,
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

async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(said);
  } catch (error) {
    report(error);
  }
}

/** The address of the position on the board. */
export function linkHere(): string {
  const { source, number } = game.peek();
  const place = { ...route.peek(), source: source ?? null, number: number ?? null, path: path.peek(), parameters: {} };
  return new URL(formatRoute({ ...place, tab: "games" }), location.href).href;
}

function Dialog({ name, title, icon, children }: { name: string; title: string; icon: IconName; children: ComponentChildren }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Tool icon={icon} name={name} act={() => dialog.current!.showModal()} />
      <dialog
        ref={dialog}
        aria-label={title}
        onClick={(event) => event.target === dialog.current && dialog.current!.close()}
      >
        <form method="dialog">
          <header>
            <h2>{title}</h2>
            <button class="plain" aria-label="Close">
              ×
            </button>
          </header>
          {children}
        </form>
      </dialog>
    </>
  );
}

function Choice({ name, setting }: { name: string; setting: { value: boolean } }): JSX.Element {
  return (
    <label class="choice">
      <input type="checkbox" checked={setting.value} onChange={(event) => (setting.value = event.currentTarget.checked)} /> {name}
    </label>
  );
}

function Settings(): JSX.Element {
  return (
    <Dialog name="Settings and keys" title="Board" icon="settings">
      <div class="swatches" role="radiogroup" aria-label="Colours of the board">
        {BOARD_THEMES.map((name) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={boardTheme.value === name}
            class="swatch"
            data-swatch={name}
            title={name}
            aria-label={name}
            onClick={() => (boardTheme.value = name)}
          />
        ))}
      </div>
      <Choice name="Coordinates" setting={showCoordinates} />
      <Choice name="Pieces glide" setting={animate} />
      <Choice name="Evaluation bar" setting={showEvaluation} />
      <p class="buttons">
        <button type="button" onClick={() => void copy(fen.peek(), "The position is in the clipboard as FEN.")}>
          Copy FEN
        </button>
        <button onClick={() => openPosition()}>Empty game</button>
        <button onClick={() => openPosition(fen.peek())}>New game from here</button>
      </p>
      <h3>Keys</h3>
      <dl class="keys">
        {KEYS.map(({ shown, does }) => (
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
      <Tool icon="back" name="Move before" act={backward} disabled={atStart} />
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
        disabled={game.value.source === undefined}
      />
      <Settings />
    </div>
  );
}
