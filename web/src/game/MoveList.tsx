/** The moves of the game, as a table or as a book. */

import { computed, effect } from "@preact/signals";
import { Component, Fragment, type JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { at, game, opening, select, showFigures, source } from "../state";
import { clockText } from "../shell/numbers";
import { LongText } from "../shell/text";
import { t, tn } from "../translation";
import { isShown } from "./comments";
import { editing } from "./editing";
import { evaluationText, facts } from "./evaluation";
import { follow } from "./follow";
import { glyphOf, moodOf } from "./glyphs";
import { openMoveMenu, listenToLongPress } from "./MoveMenu";
import { print, type Block, type Piece } from "./print";
import { San } from "./San";
import { settled, table, type Keyed } from "./table";
import { Things } from "./Things";
import { nodeOf, type MoveNode } from "./tree";
import { folded, style, toggleFold } from "./view";

let drawn: ReadonlyMap<string, Keyed> = new Map();
const blocks = computed(() => {
  const book = print(game.value.tree, isShown, folded.value);
  drawn = settled(style.value === "table" ? table(book) : book, drawn);
  return [...drawn.values()];
});

function Glyphs({ nags, prefix }: { nags: readonly number[] | null | undefined; prefix: boolean }): JSX.Element {
  const shown = (nags ?? []).map(glyphOf).filter(({ slot }) => (slot === "prefix") === prefix);
  return (
    <>
      {shown.map(({ nag, glyph, slot }) => (
        <span key={nag} class={`nag slot-${slot} ${moodOf(nag)}`}>
          {glyph}
        </span>
      ))}
    </>
  );
}

/** What a move says when one points at it. */
function hint(move: MoveNode): string | undefined {
  const parts = [
    move.eval &&
      (move.eval.depth
        ? t("{evaluation} at depth {depth}", { evaluation: evaluationText(move.eval), depth: move.eval.depth })
        : evaluationText(move.eval)),
    move.clock != null && t("{time} left", { time: clockText(move.clock) }),
    move.time_spent != null && t("{time} spent", { time: clockText(move.time_spent) }),
    move.critical && t("critical position ({kind})", { kind: move.critical }),
    move.opening && `${move.opening.eco} ${move.opening.name}`,
  ];
  return parts.filter(Boolean).join(" · ") || undefined;
}

/** A move. Which one is current is marked in the document itself: a game may have thousands. */
function Move({ node: move, number, isRow = false }: { node: MoveNode; number: string; isRow?: boolean }): JSX.Element {
  return (
    <a class={move.fen ? "move" : "move broken"} role="button" tabIndex={-1} data-id={move.id} title={hint(move)}>
      {number && <span class={isRow ? "heard" : "number"}>{number}</span>}
      <Glyphs nags={move.nags} prefix />
      {move.san ? <San san={move.san} /> : move.uci}
      <Glyphs nags={move.nags} prefix={false} />
      {move.medals?.map((medal) => (
        <span key={medal} class="medal" role="img" aria-label={t("Medal: {name}", { name: medal })} title={medal}>
          ✦
        </span>
      ))}
      {move.critical && (
        <span class="critical" role="img" aria-label={t("Critical position")}>
          ◆
        </span>
      )}
    </a>
  );
}

/** Where the moves of a folded variation are. */
function Folded({ node, moves }: { node: MoveNode; moves: number }): JSX.Element {
  return (
    <button type="button" class="plain folded" data-fold={node.id} aria-expanded={false} aria-label={tn(moves, "Show {n} more move", "Show {n} more moves")}>
      … +{moves}
    </button>
  );
}

function PieceView({ piece }: { piece: Piece }): JSX.Element {
  switch (piece.type) {
    case "move":
      return <Move node={piece.node} number={piece.number} />;
    case "folded":
      return <Folded {...piece} />;
    case "comment":
      return (
        <span class="said">
          <LongText key={piece.node.id} text={piece.text} />
        </span>
      );
    default:
      return <span class="parenthesis">{piece.type === "open" ? "(" : ")"}</span>;
  }
}

/** Blanks stand between words, not behind an opening or before a closing parenthesis. */
const isTight = (before: Piece | undefined, piece: Piece): boolean =>
  !before || before.type === "open" || piece.type === "close";

/** A move of the table, with its evaluation and the time it took. */
function Cell({ piece }: { piece: Piece & { type: "move" } }): JSX.Element {
  const { evaluation, spent } = (showFigures.value && facts.value.get(piece.node.id)) || {};
  return (
    <div class="half-move" data-id={piece.node.id}>
      <Move node={piece.node} number={piece.number} isRow />
      {evaluation && <span class="figure">{evaluationText(evaluation)}</span>}
      {spent != null && <span class="figure time">{shortTime(spent)}</span>}
    </div>
  );
}

/** “12s”, “3:05”, “1:02:05”: the time that a move took. */
const shortTime = (seconds: number): string =>
  seconds < 60 ? `${seconds < 10 ? Math.round(10 * seconds) / 10 : Math.round(seconds)}s` : clockText(seconds).replace(/^0:0?/, "");

function Row({ block }: { block: Block }): JSX.Element {
  const moves = block.pieces as (Piece & { type: "move" })[];
  const [first, second] = moves[0]!.node.color === "black" ? [undefined, moves[0]] : moves;
  return (
    <div class="row-of-moves">
      <span class="number" aria-hidden="true">
        {block.node.number}
      </span>
      {first ? <Cell piece={first} /> : <div class="half-move gap">…</div>}
      {second ? <Cell piece={second} /> : <div class="half-move gap">{first && hasNext(first.node) ? "…" : ""}</div>}
    </div>
  );
}

const hasNext = ({ children }: MoveNode): boolean => children.length > 0;

function FoldButton({ start }: { start: number }): JSX.Element {
  const isFolded = folded.value.has(start);
  const name = isFolded ? t("Unfold this variation") : t("Fold this variation");
  return <button type="button" class="plain fold" data-fold={start} aria-expanded={!isFolded} aria-label={name} title={name} />;
}

function BlockView({ block }: { block: Block }): JSX.Element {
  if (block.kind === "row") {
    return <Row block={block} />;
  }
  if (block.kind === "things") {
    return (
      <div class="things" data-depth={block.depth}>
        <Things node={block.node} />
      </div>
    );
  }
  const color = block.depth && block.node.variation_color;
  const look = block.kind === "comment" ? "comment" : block.depth ? "variation" : "main";
  const start = block.start !== null && nodeOf(game.peek().tree, block.start).children.length ? block.start : null;
  return (
    <p class={look} data-depth={block.depth} style={color ? { borderLeftColor: color } : undefined}>
      {start !== null && <FoldButton start={start} />}
      {block.pieces.map((piece, index) => (
        <Fragment key={piece.type === "move" ? `m${piece.node.id}` : `${piece.type}${index}`}>
          {isTight(block.pieces[index - 1], piece) ? "" : " "}
          <PieceView piece={piece} />
        </Fragment>
      ))}
    </p>
  );
}

/** A block that is drawn again only if it is another one. */
class Settled extends Component<{ block: Block }> {
  override shouldComponentUpdate({ block }: { block: Block }): boolean {
    return block !== this.props.block;
  }

  override render(): JSX.Element {
    return <BlockView block={this.props.block} />;
  }
}

/** Mark the current move; the first one can be reached by Tab while none is current. */
function mark(scroller: HTMLElement, id: number): void {
  const before = scroller.querySelector<HTMLElement>(".move[tabindex='0']");
  const now = scroller.querySelector<HTMLElement>(id ? `.move[data-id="${id}"]` : ".move");
  if (before && before !== now) {
    before.tabIndex = -1;
    before.removeAttribute("aria-current");
  }
  if (now) {
    now.tabIndex = 0;
    if (id) {
      now.setAttribute("aria-current", "step");
    } else {
      now.removeAttribute("aria-current");
    }
    if (before && before !== now && document.activeElement === before) {
      now.focus({ preventScroll: true });
    }
  }
}

const numberIn = (event: Event, name: "id" | "fold"): number | null => {
  const found = (event.target as Element).closest<HTMLElement>(`[data-${name}]`)?.dataset[name];
  return found === undefined ? null : Number(found);
};

/** So many blocks are a long game. */
const LONG = 400;

export function MoveList(): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const { tree, result, kind, truncated, source: from } = game.value;
  const isEmpty = nodeOf(tree, 0).children.length === 0;
  const followed = useRef<readonly unknown[]>([]);
  useLayoutEffect(() => {
    const moves = list.current!;
    return effect(() => {
      mark(moves, at.value);
      const place = [from, game.peek().number, at.value, style.peek(), folded.peek()];
      const isSame = place.every((part, index) => part === followed.current[index]);
      return follow(moves, isSame, () => void (followed.current = place));
    });
  });
  useLayoutEffect(() => listenToLongPress(list.current!), []);
  const choose = (event: Event): void => {
    const fold = numberIn(event, "fold");
    const id = fold === null ? numberIn(event, "id") : null;
    if (fold !== null) {
      toggleFold(fold);
    } else if (id !== null) {
      event.preventDefault();
      select(id);
    }
  };
  return (
    <div
      class={`moves as-${style.value} ${blocks.value.length > LONG ? "is-long" : ""}`}
      ref={list}
      role="group"
      aria-label={t("Moves")}
      aria-busy={opening.value}
      data-editing={editing.value}
      onClick={choose}
      onContextMenu={openMoveMenu}
      onKeyDown={(event) => event.key === "Enter" && numberIn(event, "fold") === null && choose(event)}
    >
      {blocks.value.map(({ key, block }) => (
        <Settled key={key} block={block} />
      ))}
      {truncated && <p class="soft">{t("This record is longer than the page shows: here are its first 20,000 moves.")}</p>}
      {kind === "opaque" && <p class="soft">{t("This record cannot be decoded, so there are no moves to show.")}</p>}
      {isEmpty && kind === "game" && (
        <p class="soft">{from || source.value ? t("No moves. Play some on the board.") : t("Play moves on the board.")}</p>
      )}
      {result && !isEmpty && <p class="main result">{result}</p>}
    </div>
  );
}
