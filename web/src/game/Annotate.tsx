/** The tools for annotating: symbols, comments, lines, tags, saving. Moves are played on the board at any time. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { LegalMove, Side } from "../api/types";
import {
  about,
  at,
  changed,
  clearRemarks,
  deleteContinuation,
  deleteFrom,
  deleteVariations,
  editable,
  future,
  game,
  node,
  notify,
  past,
  playMove,
  position,
  promoteLine,
  promoteLineToMain,
  redo,
  setRemarks,
  setTags,
  undo,
} from "../state";
import { commentOf, writeComment } from "./comments";
import { pen } from "./editing";
import { glyphOf, PALETTE, toggled } from "./glyphs";
import { Icon, type IconName } from "./icons";
import {
  canReplace,
  chosenTarget,
  conflict,
  copyLine,
  copyPgn,
  downloadPgn,
  notReplaced,
  reload,
  replaceGame,
  saveAsNew,
  saving,
  target,
  targets,
} from "./save";
import { tagsOf, withTag } from "./tags";
import { variationStart } from "./tree";

interface LineToolProps {
  icon: IconName;
  name: string;
  act: () => void;
  disabled: boolean;
}

function LineTool({ icon, name, act, disabled }: LineToolProps): JSX.Element {
  return (
    <button type="button" class="tool" title={name} aria-label={name} disabled={disabled} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}

const PENS = ["green", "red", "blue", "yellow"] as const;

function Lines(): JSX.Element {
  const atRoot = at.value === 0;
  const onMain = variationStart(game.value.tree, at.value) === null;
  return (
    <div class="tools" role="toolbar" aria-label="Lines">
      <LineTool icon="undo" name="Undo" act={undo} disabled={!past.value.length} />
      <LineTool icon="redo" name="Redo" act={redo} disabled={!future.value.length} />
      <LineTool icon="up" name="Move this variation up" act={() => promoteLine()} disabled={onMain} />
      <LineTool icon="top" name="Make this the main line" act={() => promoteLineToMain()} disabled={onMain} />
      <LineTool icon="cut" name="Delete what follows" act={() => deleteContinuation()} disabled={!node.value.children.length} />
      <LineTool icon="delete" name="Delete from here" act={() => deleteFrom()} disabled={atRoot} />
      <span class="pens" role="group" aria-label="Draw with the mouse or a finger">
        {PENS.map((color) => (
          <button
            key={color}
            type="button"
            class={`pen ${color}`}
            title={`Draw ${color} arrows and squares`}
            aria-label={`Draw ${color} arrows and squares`}
            aria-pressed={pen.value === color}
            onClick={() => (pen.value = pen.value === color ? null : color)}
          />
        ))}
      </span>
    </div>
  );
}

function Symbols(): JSX.Element {
  const nags = node.value.nags ?? [];
  return (
    <div class="symbols" role="group" aria-label="Symbols">
      {PALETTE.flat().map(([nag, name]) => (
        <button
          key={nag}
          type="button"
          title={name}
          aria-label={name}
          aria-pressed={nags.includes(nag)}
          disabled={at.value === 0}
          onClick={() => setRemarks({ nags: toggled(nags, nag) })}
        >
          {glyphOf(nag).glyph}
        </button>
      ))}
    </div>
  );
}

function CommentField({ side, label }: { side: Side; label: string }): JSX.Element {
  const { id, comments } = node.value;
  return (
    <textarea
      rows={side === "before" ? 1 : 3}
      aria-label={label}
      placeholder={label}
      value={commentOf(comments, side)?.text ?? ""}
      onInput={(event) => writeComment(id, side, event.currentTarget.value)}
    />
  );
}

/** Moves as people type them: check, praise and the x of captures do not matter, nor does case where it cannot mislead. */
export function typedMove(text: string, moves: readonly LegalMove[]): LegalMove | undefined {
  const bare = (san: string): string => san.replace(/[+#!?=x\s]/g, "").replace(/0/g, "O");
  const wanted = bare(text);
  return (
    moves.find(({ uci }) => uci === text.trim().toLowerCase()) ??
    moves.find(({ san }) => bare(san) === wanted) ??
    moves.find(({ san, promotion }) => bare(san) === `${wanted}Q` && promotion === "q") ??
    moves.find(({ san }) => bare(san).toLowerCase() === wanted.toLowerCase())
  );
}

function MoveField(): JSX.Element {
  const text = useSignal("");
  function play(event: Event): void {
    event.preventDefault();
    const isNull = /^(--|0000|null|pass|Z0)$/i.test(text.value.trim());
    const move = isNull ? position.value?.null_move : typedMove(text.value, position.value?.moves ?? []);
    if (move) {
      text.value = "";
      void playMove(move.uci);
    } else if (text.value.trim()) {
      notify(`“${text.value.trim()}” is not a move that is possible here.`, "error");
    }
  }
  return (
    <form class="move-field" onSubmit={play}>
      <input
        aria-label="Play a move"
        placeholder="Play a move: Nf3"
        autoComplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <button>Play</button>
    </form>
  );
}

const TAGS = ["White", "Black", "WhiteElo", "BlackElo", "Event", "Site", "Date", "Round", "Result", "ECO", "Annotator"];

function Tags(): JSX.Element {
  const tags = tagsOf(game.value.tags);
  return (
    <details class="tags">
      <summary>Names and tags</summary>
      <div>
        {TAGS.map((name) => (
          <label key={name}>
            <span>{name}</span>
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

function Clearing(): JSX.Element {
  return (
    <details class="tags">
      <summary>Clear</summary>
      <p class="buttons">
        <button type="button" onClick={deleteVariations}>
          Delete all variations
        </button>
        <button type="button" onClick={clearRemarks}>
          Delete comments, symbols and marks
        </button>
      </p>
    </details>
  );
}

function Conflict({ sentence }: { sentence: string }): JSX.Element {
  return (
    <div class="conflict" role="alert">
      <p>{sentence}</p>
      <p class="buttons">
        <button type="button" onClick={() => void reload()}>
          Discard mine and load the file
        </button>
        <button type="button" onClick={() => void downloadPgn()}>
          Keep mine as PGN
        </button>
      </p>
    </div>
  );
}

function Saving(): JSX.Element {
  return (
    <div class="saving">
      {conflict.value !== null && <Conflict sentence={conflict.value} />}
      <div class="buttons">
        {canReplace.value && (
          <button type="button" class="primary" disabled={!changed.value || saving.value} onClick={() => void replaceGame()}>
            Save
          </button>
        )}
        {target.value && (
          <span class="save-as">
            <button type="button" disabled={saving.value} onClick={() => void saveAsNew(target.peek()!.id)}>
              Save as a new game
            </button>
            {targets.value.length > 1 && (
              <label>
                in{" "}
                <select
                  aria-label="Where to save a new game"
                  value={target.value.id}
                  onChange={(event) => (chosenTarget.value = event.currentTarget.value)}
                >
                  {targets.value.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </span>
        )}
        <button type="button" onClick={() => void downloadPgn()}>
          Download PGN
        </button>
        <button type="button" onClick={() => void copyPgn()}>
          Copy PGN
        </button>
        <button type="button" title="The line on the board as PGN, without other variations" onClick={() => void copyLine()}>
          Copy line
        </button>
      </div>
      {notReplaced.value !== null && <p class="soft small">{notReplaced.value}</p>}
      {about.value && !about.value.write && (
        <p class="soft small">Nothing is written into your files. To save into them, start “tabiya serve” with --write.</p>
      )}
    </div>
  );
}

export function Annotate(): JSX.Element {
  if (!editable.value) {
    return <p class="annotate soft">This record cannot be annotated: the page does not show all of it.</p>;
  }
  const { id, san } = node.value;
  return (
    <section class="annotate" aria-label="Annotate" data-own-keys={undefined}>
      <Lines />
      <Symbols />
      {id === 0 ? (
        <CommentField key="game" side="before" label="Comment on the game" />
      ) : (
        <>
          <CommentField key={`before${id}`} side="before" label={`Before ${san}`} />
          <CommentField key={`after${id}`} side="after" label={`Comment on ${san}`} />
        </>
      )}
      <MoveField />
      <Tags />
      <Clearing />
      <Saving />
    </section>
  );
}
