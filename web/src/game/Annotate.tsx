/** The tools for annotating: symbols, comments, lines, tags, saving. Moves are played on the board at any time. */

import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Side } from "../api/types";
import {
  at,
  clearRemarks,
  deleteContinuation,
  deleteFrom,
  deleteVariations,
  editable,
  future,
  game,
  node,
  past,
  promoteLine,
  promoteLineToMain,
  redo,
  setRemarks,
  setTags,
  undo,
} from "../state";
import { markDeleted } from "../collect/state";
import { t } from "../translation";
import { commentOf, writeComment } from "./comments";
import { editing, explorerWhileEditing, pen } from "./editing";
import { COMMON, glyphOf, MORE, toggled } from "./glyphs";
import { sanText } from "./letters";
import { MoveField } from "./MoveField";
import { canReplace } from "./save";
import { Saving } from "./Saving";
import { tagsOf, withTag } from "./tags";
import { Tool } from "./Tool";
import { variationStart } from "./tree";

/** Whether all symbols are shown. */
const showsMore = signal(false);

function Symbol({ nag, name }: { nag: number; name: string }): JSX.Element {
  const nags = node.value.nags ?? [];
  return (
    <button
      type="button"
      title={name}
      aria-label={name}
      aria-pressed={nags.includes(nag)}
      disabled={at.value === 0}
      onClick={() => setRemarks({ nags: toggled(nags, nag) })}
    >
      {glyphOf(nag).glyph}
    </button>
  );
}

const OFFERED = new Set([COMMON, ...MORE].flat().map(([nag]) => nag));

function Symbols(): JSX.Element {
  const rare = (node.value.nags ?? []).filter((nag) => !OFFERED.has(nag));
  const others = MORE.flat().filter(([nag]) => node.value.nags?.includes(nag));
  return (
    <div class="symbols" role="group" aria-label={t("Symbols")}>
      <div class="symbol-row">
        {COMMON.map(([nag, name]) => (
          <Symbol key={nag} nag={nag} name={name} />
        ))}
        <button
          type="button"
          class="more-symbols"
          aria-expanded={showsMore.value}
          onClick={() => (showsMore.value = !showsMore.peek())}
        >
          {showsMore.value ? t("Less") : others.length + rare.length ? t("More ({n})", { n: others.length + rare.length }) : t("More")}
        </button>
      </div>
      {showsMore.value &&
        MORE.map((group, index) => (
          <div key={index} class="symbol-grid">
            {group.map(([nag, name]) => (
              <Symbol key={nag} nag={nag} name={name} />
            ))}
            {index === MORE.length - 1 && rare.map((nag) => <Symbol key={nag} nag={nag} name={t("Symbol ${nag}", { nag })} />)}
          </div>
        ))}
    </div>
  );
}

function CommentField({ side, label }: { side: Side; label: string }): JSX.Element {
  const { id, comments } = node.value;
  return (
    <textarea
      rows={side === "before" && id ? 1 : 2}
      aria-label={label}
      placeholder={label}
      value={commentOf(comments, side)?.text ?? ""}
      onInput={(event) => writeComment(id, side, event.currentTarget.value)}
      onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
    />
  );
}

/** One field; the text before a move has a second one if there is such a text, or on request. */
function Comments(): JSX.Element {
  const { id, san, uci, comments } = node.value;
  const wanted = useSignal(-1);
  if (id === 0) {
    return <CommentField key="game" side="before" label={t("Comment on the game")} />;
  }
  const move = san ? sanText(san) : (uci ?? "");
  const isBefore = wanted.value === id || commentOf(comments, "before") !== undefined;
  return (
    <div class="comments">
      {isBefore && <CommentField key={`before${id}`} side="before" label={t("Before {move}", { move })} />}
      <CommentField key={`after${id}`} side="after" label={t("Comment on {move}", { move })} />
      {!isBefore && (
        <button type="button" class="plain before" onClick={() => (wanted.value = id)}>
          {t("Text before the move")}
        </button>
      )}
    </div>
  );
}

const PENS = [
  ["green", t("Draw green arrows and squares")],
  ["red", t("Draw red arrows and squares")],
  ["blue", t("Draw blue arrows and squares")],
  ["yellow", t("Draw yellow arrows and squares")],
] as const;

function Lines(): JSX.Element {
  const atRoot = at.value === 0;
  const onMain = variationStart(game.value.tree, at.value) === null;
  return (
    <div class="tools" role="toolbar" aria-label={t("Lines")}>
      <Tool icon="up" name={t("Move this variation up")} act={() => promoteLine()} disabled={onMain} />
      <Tool icon="top" name={t("Make this the main line")} act={() => promoteLineToMain()} disabled={onMain} />
      <Tool icon="cut" name={t("Delete what follows")} act={() => deleteContinuation()} disabled={!node.value.children.length} />
      <Tool icon="delete" name={t("Delete from here")} act={() => deleteFrom()} disabled={atRoot} />
      <span class="pens" role="group" aria-label={t("Draw with the mouse or a finger")}>
        {PENS.map(([color, name]) => (
          <button
            key={color}
            type="button"
            class={`pen ${color}`}
            title={name}
            aria-label={name}
            aria-pressed={pen.value === color}
            onClick={() => (pen.value = pen.value === color ? null : color)}
          />
        ))}
      </span>
    </div>
  );
}

/** The tags that have a field, and what they are called. */
const TAGS = [
  ["White", t("White")],
  ["Black", t("Black")],
  ["WhiteElo", t("Rating of White")],
  ["BlackElo", t("Rating of Black")],
  ["Event", t("Event")],
  ["Site", t("Site")],
  ["Date", t("Date")],
  ["Round", t("Round")],
  ["Result", t("Result")],
  ["ECO", t("ECO")],
  ["Annotator", t("Annotator")],
] as const;

function Tags(): JSX.Element {
  const tags = tagsOf(game.value.tags);
  return (
    <details class="tags">
      <summary>{t("Names and tags")}</summary>
      <div>
        {TAGS.map(([name, title]) => (
          <label key={name}>
            <span>{title}</span>
            <input
              value={tags.get(name) ?? ""}
              onChange={(event) => setTags(withTag(game.peek().tags, name, event.currentTarget.value.trim()))}
            />
          </label>
        ))}
      </div>
    </details>
  );
}

function Deleting(): JSX.Element {
  return (
    <details class="tags">
      <summary>{t("Delete …")}</summary>
      <p class="buttons">
        <button type="button" onClick={deleteVariations}>
          {t("Delete all variations")}
        </button>
        <button type="button" onClick={clearRemarks}>
          {t("Delete comments, symbols and marks")}
        </button>
        {canReplace.value && (
          <button type="button" onClick={() => void markDeleted(!game.peek().deleted)}>
            {game.value.deleted ? t("Restore this game") : t("Mark this game as deleted")}
          </button>
        )}
      </p>
    </details>
  );
}

function Bar(): JSX.Element {
  return (
    <header class="annotate-bar">
      <h2>{t("Annotate")}</h2>
      <span class="steps">
        <Tool icon="undo" name={t("Undo")} act={undo} disabled={!past.value.length} />
        <Tool icon="redo" name={t("Redo")} act={redo} disabled={!future.value.length} />
      </span>
      <button
        type="button"
        class="plain"
        aria-pressed={explorerWhileEditing.value}
        onClick={() => (explorerWhileEditing.value = !explorerWhileEditing.peek())}
      >
        {t("Explorer")}
      </button>
      <button type="button" class="plain" onClick={() => (editing.value = false)}>
        {t("Done")}
      </button>
    </header>
  );
}

/** Where the page scrolls as a whole, the tools are right under the board: there they come into sight. */
function comeIntoSight(panel: HTMLElement | null): void {
  if (matchMedia("(max-width: 699px)").matches) {
    panel?.scrollIntoView({ block: "start", behavior: "instant" });
  }
}

export function Annotate(): JSX.Element {
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => comeIntoSight(panel.current), []);
  if (!editable.value) {
    return <p class="annotate soft">{t("This record cannot be annotated: the page does not show all of it.")}</p>;
  }
  return (
    <section class="annotate" ref={panel} aria-label={t("Annotate")} data-explorer={explorerWhileEditing.value}>
      <Bar />
      <div class="annotate-tools">
        <Symbols />
        <Comments />
        <div class="line-tools">
          <Lines />
          <MoveField />
        </div>
        <Tags />
        <Deleting />
      </div>
      <Saving />
    </section>
  );
}
