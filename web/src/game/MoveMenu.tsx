/** What one can do with a move: its menu, opened by the right mouse button, a long press, Shift+F10 or the menu key. */

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { canCreate, purpose } from "../collect/state";
import { copy } from "../shell/clipboard";
import { Name } from "../shell/text";
import {
  deleteCommentsFrom,
  deleteFrom,
  deleteVariationsFrom,
  editable,
  game,
  promoteLine,
  promoteLineToMain,
  select,
} from "../state";
import { t } from "../translation";
import { editing } from "./editing";
import { sanText } from "./letters";
import { linkTo, setUpAddress } from "./links";
import { moveNumber } from "./print";
import { addTo, copyLine, targets } from "./save";
import { alternativesFrom, commentedFrom, nodeOf, variationStart } from "./tree";
import { folded, foldableAround, toggleFold } from "./view";

interface Opened {
  id: number;
  x: number;
  y: number;
  /** Whether it shows the databases that take the game. */
  adding: boolean;
}

const opened = signal<Opened | null>(null);

function openAt(move: HTMLElement, x: number, y: number): void {
  const id = Number(move.dataset["id"]);
  if (opened.peek()?.id === id) {
    return; // a long press, which the browser reports in its own way too
  }
  const { left, right, top, bottom } = move.getBoundingClientRect();
  const isOn = x >= left && x <= right && y >= top && y <= bottom;
  opened.value = { id, x: isOn ? x : left, y: isOn ? y : bottom + 2, adding: false };
}

const moveAt = (target: EventTarget | null): HTMLElement | null =>
  (target as Element | null)?.closest<HTMLElement>(".half-move")?.querySelector<HTMLElement>(".move") ??
  (target as Element | null)?.closest<HTMLElement>(".move") ??
  null;

export function openMoveMenu(event: MouseEvent): void {
  const move = moveAt(event.target);
  if (move) {
    event.preventDefault();
    openAt(move, event.clientX, event.clientY);
  }
}

/** The menu of the move that has the focus, else of the current one. */
export function openMenuOfCurrent(): void {
  const focused = document.activeElement?.closest<HTMLElement>(".moves .move");
  const move = focused ?? document.querySelector<HTMLElement>(".moves .move[aria-current]");
  if (move) {
    openAt(move, -1, -1);
  }
}

const LONG_MS = 500;
const STILL_PIXELS = 10;

/** Not every browser reports a long press by itself. */
export function listenToLongPress(list: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = { x: 0, y: 0 };
  let wasLong = false;
  const cancel = (): void => clearTimeout(timer);
  list.addEventListener(
    "pointerdown",
    (event) => {
      const move = moveAt(event.target);
      cancel();
      wasLong = false;
      start = { x: event.clientX, y: event.clientY };
      if (event.pointerType === "touch" && move) {
        timer = setTimeout(() => {
          wasLong = true;
          openAt(move, start.x, start.y);
        }, LONG_MS);
      }
    },
    { signal },
  );
  list.addEventListener(
    "pointermove",
    ({ clientX, clientY }) => Math.hypot(clientX - start.x, clientY - start.y) > STILL_PIXELS && cancel(),
    { signal },
  );
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    list.addEventListener(name, cancel, { signal });
  }
  list.addEventListener(
    "click",
    (event) => {
      if (wasLong) {
        event.stopImmediatePropagation(); // the finger that opened the menu chooses no move
        event.preventDefault();
        wasLong = false;
      }
    },
    { signal, capture: true },
  );
  return () => {
    cancel();
    stop.abort();
  };
}

interface ItemProps {
  name: string;
  act: () => void;
  disabled?: boolean;
  hint?: string | undefined;
  /** Whether the menu stays open. */
  stays?: boolean;
}

function Item({ name, act, disabled = false, hint, stays = false }: ItemProps): JSX.Element {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled}
      title={hint}
      onClick={() => {
        if (!disabled) {
          if (!stays) {
            opened.value = null;
          }
          act();
        }
      }}
    >
      <Name text={name} />
    </button>
  );
}

const Line = (): JSX.Element => <div role="separator" />;

function Changes({ id }: { id: number }): JSX.Element {
  const { tree } = game.value;
  const onMain = variationStart(tree, id) === null;
  const start = foldableAround(tree, id);
  const fixed = !editable.value;
  return (
    <>
      <Item
        name={t("Annotate this move")}
        disabled={fixed}
        act={() => {
          select(id);
          editing.value = true;
        }}
      />
      {start !== null && (
        <Item name={folded.value.has(start) ? t("Unfold this variation") : t("Fold this variation")} act={() => toggleFold(start)} />
      )}
      <Line />
      <Item name={t("Move this variation up")} disabled={fixed || onMain} act={() => promoteLine(id)} />
      <Item name={t("Make this the main line")} disabled={fixed || onMain} act={() => promoteLineToMain(id)} />
      <Item name={t("Delete from here")} disabled={fixed} act={() => deleteFrom(id)} />
      <Item
        name={t("Delete variations from here")}
        hint={t("Alternatives to this move and to those that follow it")}
        disabled={fixed || !alternativesFrom(tree, id).length}
        act={() => deleteVariationsFrom(id)}
      />
      <Item
        name={t("Delete comments from here")}
        hint={t("Comments of this move and of all that follow it")}
        disabled={fixed || !commentedFrom(tree, id).length}
        act={() => deleteCommentsFrom(id)}
      />
    </>
  );
}

function Copies({ id }: { id: number }): JSX.Element {
  const { fen } = nodeOf(game.value.tree, id);
  const takers = targets.value.length;
  return (
    <>
      <Item name={t("Copy this line as PGN")} act={() => void copyLine(id)} />
      <Item
        name={t("Copy FEN")}
        disabled={!fen}
        act={() => void copy(fen ?? "", t("The position is in the clipboard as FEN."))}
      />
      <Item
        name={t("Set up from this position")}
        disabled={!fen}
        act={() => (location.hash = setUpAddress(fen!))}
      />
      <Item name={t("Copy the link to this position")} act={() => void copy(linkTo(id), t("The link to this position is in the clipboard."))} />
      <Line />
      <Item
        name={t("Add to …")}
        hint={takers ? t("Add this game to another database") : t("No open database takes games: start “tabiya serve” with --write.")}
        disabled={!(takers || canCreate()) || game.value.kind !== "game"}
        stays
        act={() => (opened.value = { ...opened.peek()!, adding: true })}
      />
    </>
  );
}

function Takers(): JSX.Element {
  return (
    <>
      {targets.value.map(({ id, name }) => (
        <Item key={id} name={name} act={() => void addTo(id)} />
      ))}
      <Item name={t("New database …")} act={() => (purpose.value = "game")} />
      <Line />
      <Item name={t("Back")} stays act={() => (opened.value = { ...opened.peek()!, adding: false })} />
    </>
  );
}

const GAP = 6;

/** Where the menu is within the window. */
function place(menu: HTMLElement, { x, y }: Opened): void {
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(GAP, Math.min(x, innerWidth - width - GAP))}px`;
  menu.style.top = `${Math.max(GAP, y + height + GAP > innerHeight ? Math.min(y, innerHeight) - height - GAP : y)}px`;
}

/** Move the focus to the item before or behind the one that has it, round and round. */
function walk(menu: HTMLElement, key: string): boolean {
  const items = Array.from(menu.querySelectorAll<HTMLElement>("[role=menuitem]"));
  const here = items.indexOf(document.activeElement as HTMLElement);
  const last = items.length - 1;
  const next = { ArrowDown: here === last ? 0 : here + 1, ArrowUp: here <= 0 ? last : here - 1, Home: 0, End: last }[key];
  if (next === undefined) {
    return false;
  }
  items[next]?.focus();
  return true;
}

export function MoveMenu(): JSX.Element | null {
  return opened.value && nodeOf(game.value.tree, opened.value.id).san ? <Menu key={opened.value.id} {...opened.value} /> : null;
}

function Menu(where: Opened): JSX.Element {
  const { id, adding } = where;
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(document.activeElement as HTMLElement | null);
  const move = nodeOf(game.value.tree, id);
  useLayoutEffect(() => {
    place(box.current!, where);
    box.current!.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
  }, [adding]);
  useLayoutEffect(() => {
    const stop = new AbortController();
    const menu = box.current!;
    const leave = (event: Event): void => {
      if (!menu.contains(event.target as Node)) {
        opened.value = null;
      }
    };
    addEventListener("pointerdown", leave, { signal: stop.signal, capture: true });
    addEventListener("wheel", leave, { signal: stop.signal, passive: true });
    addEventListener("resize", () => (opened.value = null), { signal: stop.signal });
    return () => {
      stop.abort();
      const shown = document.querySelector<HTMLElement>(`.moves .move[data-id="${id}"]`) ?? before.current;
      if (menu.contains(document.activeElement)) {
        shown?.focus({ preventScroll: true }); // not if the focus has gone elsewhere, such as to a field
      }
    };
  }, []);
  return (
    <div
      class="move-menu"
      role="menu"
      ref={box}
      aria-label={t("Move {move}", { move: sanText(move.san ?? "") })}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === "Escape" || event.key === "Tab") {
          opened.value = null;
        } else if (!walk(event.currentTarget, event.key)) {
          return;
        }
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <p class="menu-title soft" aria-hidden="true">
        {adding ? t("Add this game to") : `${moveNumber(move, true)}${sanText(move.san ?? "")}`}
      </p>
      {adding ? (
        <Takers />
      ) : (
        <>
          <Changes id={id} />
          <Line />
          <Copies id={id} />
        </>
      )}
    </div>
  );
}
