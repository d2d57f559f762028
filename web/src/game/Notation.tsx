/** The game as a book prints it: what it is, then its moves. */

import { computed } from "@preact/signals";
import { Fragment, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { at, changed, game, language, node, opening, select, source } from "../state";
import { Annotate } from "./Annotate";
import { ALL_LANGUAGES, isShown, languageName, languages, shownLanguage } from "./comments";
import { editing } from "./editing";
import { glyphOf, moodOf } from "./glyphs";
import { evaluationText } from "./evaluation";
import { clockText } from "../shell/numbers";
import { EventLink, PlayerName } from "../reports/links";
import { LongText, Name } from "../shell/text";
import { print, type Block, type Piece } from "./print";
import { tagsOf } from "./tags";
import { Things } from "./Things";
import { nodeOf, type MoveNode } from "./tree";

const blocks = computed(() => print(game.value.tree, isShown));

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
    move.eval && `${evaluationText(move.eval)}${move.eval.depth ? ` at depth ${move.eval.depth}` : ""}`,
    move.clock != null && `${clockText(move.clock)} left`,
    move.time_spent != null && `${clockText(move.time_spent)} spent`,
    move.critical && `critical position (${move.critical})`,
    move.opening && `${move.opening.eco} ${move.opening.name}`,
  ];
  return parts.filter(Boolean).join(" · ") || undefined;
}

function Move({ node: move, number }: { node: MoveNode; number: string }): JSX.Element {
  const current = move.id === at.value;
  return (
      <a
        class={move.fen ? "move" : "move broken"}
        role="button"
        tabIndex={current ? 0 : -1}
        data-id={move.id}
        aria-current={current ? "step" : undefined}
        title={hint(move)}
      >
        {number && <span class="number">{number}</span>}
        <Glyphs nags={move.nags} prefix />
        {move.san ?? move.uci}
        <Glyphs nags={move.nags} prefix={false} />
        {move.medals?.map((medal) => (
          <span key={medal} class="medal" role="img" aria-label={`Medal: ${medal}`} title={medal}>
            ✦
          </span>
        ))}
        {move.critical && (
          <span class="critical" role="img" aria-label="Critical position">
            ◆
          </span>
        )}
      </a>
  );
}

function PieceView({ piece }: { piece: Piece }): JSX.Element {
  switch (piece.type) {
    case "move":
      return <Move node={piece.node} number={piece.number} />;
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

function BlockView({ block }: { block: Block }): JSX.Element {
  if (block.kind === "things") {
    return (
      <div class="things" data-depth={block.depth}>
        <Things node={block.node} />
      </div>
    );
  }
  const color = block.depth && block.node.variation_color;
  const look = block.kind === "comment" ? "comment" : block.depth ? "variation" : "main";
  return (
    <p class={look} data-depth={block.depth} style={color ? { borderLeftColor: color } : undefined}>
      {block.pieces.map((piece, index) => (
        <Fragment key={piece.type === "move" ? `m${piece.node.id}` : `${piece.type}${index}`}>
          {isTight(block.pieces[index - 1], piece) ? "" : " "}
          <PieceView piece={piece} />
        </Fragment>
      ))}
    </p>
  );
}

/** Keep the current move in sight, without moving anything else on the page. */
function follow(scroller: HTMLElement): void {
  const move = scroller.querySelector<HTMLElement>("[aria-current]");
  if (!move) {
    scroller.scrollTop = 0;
    return;
  }
  const box = scroller.getBoundingClientRect();
  const { top, bottom } = move.getBoundingClientRect();
  if (top < box.top + 40 || bottom > box.bottom - 40) {
    scroller.scrollTop += (top + bottom - box.top - box.bottom) / 2;
  }
}

/** A tag, unless it only says that nobody knows. */
const known = (text: string | undefined): string => (text && !/^[?\-*]+$/.test(text) ? text : "");

/** “2013.11.09” is “2013-11-09”; what is unknown is left out. */
const dateText = (date: string): string => date.replace(/[.?]*\?[.?]*$/, "").replaceAll(".", "-");

function Head(): JSX.Element {
  const { title, result, problems, opening: name, source: from, number } = game.value;
  const tags = tagsOf(game.value.tags);
  const round = known(tags.get("Round"));
  const details = [known(tags.get("Event")), known(tags.get("Site")), round && `round ${round}`, dateText(tags.get("Date") ?? "")];
  const facts = [...details, name ? `${name.eco} ${name.name}` : ""].filter(Boolean);
  return (
    <header class="head">
      <div class="head-tools">
        {changed.value && <span class="changed">not saved</span>}
        {languages.value.length > 1 && <LanguageSwitch />}
      </div>
      <h1>
        {tags.has("White") || tags.has("Black") ? (
          <>
            <PlayerName name={tags.get("White")} /> – <PlayerName name={tags.get("Black")} />
          </>
        ) : (
          <Name text={title || "Game"} />
        )}{" "}
        {result && result !== "*" && <span class="result">· {result}</span>}
      </h1>
      <p class="soft">
        {facts.length === 0 && (from ? `Record ${number}` : "Your own board")}
        {facts.map((text, index) => (
          <Fragment key={index}>
            {index > 0 && " · "}
            {from && text === known(tags.get("Event")) ? <EventLink name={text} date={tags.get("Date")} id={from} /> : <Name text={text} />}
          </Fragment>
        ))}
      </p>
      {problems && problems.length > 0 && (
        <details class="problems">
          <summary>{problems.length === 1 ? "1 thing to know about this record" : `${problems.length} things to know about this record`}</summary>
          {problems.map((problem, index) => (
            <p key={index}>{problem}</p>
          ))}
        </details>
      )}
    </header>
  );
}

function LanguageSwitch(): JSX.Element {
  return (
    <select
      class="small"
      aria-label="Language of comments"
      value={shownLanguage.value || ALL_LANGUAGES}
      onChange={(event) => (language.value = event.currentTarget.value)}
    >
      {languages.value.map((code) => (
        <option key={code} value={code}>
          {languageName(code)}
        </option>
      ))}
      <option value={ALL_LANGUAGES}>All languages</option>
    </select>
  );
}

function chosen(event: Event): number | null {
  const id = (event.target as Element).closest<HTMLElement>("[data-id]")?.dataset["id"];
  return id === undefined ? null : Number(id);
}

function Moves(): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const current = at.value;
  const { tree } = game.value;
  useEffect(() => follow(scroller.current!), [current, tree, editing.value]);
  const choose = (event: Event): void => {
    const id = chosen(event);
    if (id !== null) {
      event.preventDefault();
      select(id);
    }
  };
  return (
    <div
      class="moves"
      ref={scroller}
      role="group"
      aria-label="Moves"
      aria-busy={opening.value}
      onClick={choose}
      onKeyDown={(event) => event.key === "Enter" && choose(event)}
    >
      {blocks.value.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
      {game.value.truncated && <p class="soft">This record is longer than the page shows: here are its first 20,000 moves.</p>}
      {game.value.kind === "opaque" && <p class="soft">This record cannot be decoded, so there are no moves to show.</p>}
      {nodeOf(tree, 0).children.length === 0 && game.value.kind === "game" && (
        <p class="soft">{game.value.source || source.value ? "No moves. Play some on the board." : "Play moves on the board."}</p>
      )}
      {game.value.result && nodeOf(tree, 0).children.length > 0 && <p class="main result">{game.value.result}</p>}
    </div>
  );
}

/** What happened on the board, for people who hear the page. */
function Spoken(): JSX.Element {
  const { number, color, san } = node.value;
  return (
    <p class="unseen" role="status" aria-live="polite">
      {san ? `${number ?? ""}${color === "black" ? " Black" : " White"} ${san}` : "Start of the game"}
    </p>
  );
}

export function Notation(): JSX.Element {
  return (
    <>
      <Head />
      <Moves />
      <Spoken />
      {editing.value && <Annotate />}
    </>
  );
}
