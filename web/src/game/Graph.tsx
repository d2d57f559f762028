/** The game at a glance: evaluations as a surface of white and black, mistakes as dots, phases, and the time that moves took.
 *
 * A click or a drag goes to a move. For the keyboard and for screen readers it is a slider over the moves.
 */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { judgements } from "../engine/report";
import { clockText } from "../shell/numbers";
import { useWidth } from "../shell/width";
import { at, select, showTimes } from "../state";
import { t, tn } from "../translation";
import { graph, isMainLine, type Point } from "./evaluation";
import { bandsOf, pointAt, surfacesOf, type Drawing } from "./graphShapes";

const HEIGHT = 72;
const DOT = 3.2;

const PHASE_NAMES = (): Record<string, string> => ({ opening: t("Opening"), middlegame: t("Middlegame"), endgame: t("Endgame") });
const JUDGEMENT_NAMES = (): Record<string, string> => ({ inaccuracy: t("inaccuracy"), mistake: t("mistake"), blunder: t("blunder") });

/** “4 s”, “2:05”. */
function spentText(seconds: number): string {
  return seconds < 60 ? t("{n} s", { n: Math.round(seconds) }) : clockText(seconds).replace(/^0:0?/, "");
}

/** What there is to say about a move. */
function spoken(point: Point): string {
  const judged = isMainLine.value ? judgements.value.get(point.ply)?.judgement : "";
  return [point.text || t("Start"), judged && JUDGEMENT_NAMES()[judged], point.spent != null && t("{time} spent", { time: spentText(point.spent) })]
    .filter(Boolean)
    .join(", ");
}

function Evaluations({ points, drawing }: { points: readonly Point[]; drawing: Drawing }): JSX.Element {
  const { white, black, curve } = surfacesOf(points, drawing);
  const middle = drawing.height / 2;
  return (
    <>
      <path class="black-area" d={black} />
      <path class="white-area" d={white} />
      <line class="even" x1={0} x2={drawing.width} y1={middle} y2={middle} />
      <path class="curve" d={curve} />
    </>
  );
}

/** Bars from the middle: up for White, down for Black. */
function Times({ points, drawing }: { points: readonly Point[]; drawing: Drawing }): JSX.Element {
  const longest = Math.max(...points.map(({ spent }) => spent ?? 0), 1);
  const middle = drawing.height / 2;
  return (
    <>
      {points.map(({ ply, spent, isWhite }) => {
        if (!spent) {
          return null;
        }
        const tall = Math.max(1, Math.sqrt(spent / longest) * (middle - 3)); // roots, so that one long think hides no others
        return (
          <rect
            key={ply}
            class="time"
            x={drawing.x(ply) - drawing.step * 0.35}
            width={Math.max(1, drawing.step * 0.7)}
            y={isWhite ? middle - tall : middle}
            height={tall}
          />
        );
      })}
    </>
  );
}

function Phases({ points, drawing }: { points: readonly Point[]; drawing: Drawing }): JSX.Element {
  const names = PHASE_NAMES();
  const bands = isMainLine.value ? bandsOf(points, (ply) => judgements.value.get(ply)?.phase) : [];
  return (
    <>
      {bands.slice(1).map(({ phase, from }) => (
        <g key={phase} class="phase">
          <line x1={drawing.x(from)} x2={drawing.x(from)} y1={0} y2={drawing.height} />
          <text x={drawing.x(from) + 4} y={10}>
            {names[phase]}
          </text>
        </g>
      ))}
    </>
  );
}

function Mistakes({ points, drawing }: { points: readonly Point[]; drawing: Drawing }): JSX.Element {
  return (
    <>
      {points.map(({ ply, share }) => {
        const kind = judgements.value.get(ply)?.judgement;
        return kind && share !== null ? (
          <circle key={ply} class={`mistake ${kind}`} cx={drawing.x(ply)} cy={Math.min(Math.max(drawing.y(share), DOT + 1), drawing.height - DOT - 1)} r={DOT} />
        ) : null;
      })}
    </>
  );
}

/** The button that shows and hides the times. */
function TimesButton(): JSX.Element {
  const name = t("Show the time that moves took");
  return (
    <button
      type="button"
      class="plain graph-times"
      aria-pressed={showTimes.value}
      title={name}
      aria-label={name}
      onClick={() => (showTimes.value = !showTimes.peek())}
    >
      <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
        <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l2.5 2" />
      </svg>
    </button>
  );
}

interface PlotProps {
  points: readonly Point[];
  /** How many moves have an evaluation. */
  evaluated: number;
  timed: boolean;
}

function Plot({ points, evaluated, timed }: PlotProps): JSX.Element {
  const [element, width] = useWidth<HTMLDivElement>();
  const hovered = useSignal<number | null>(null);
  const drawing: Drawing = {
    width,
    height: HEIGHT,
    step: width / Math.max(points.length - 1, 1),
    x: (ply) => (ply * width) / Math.max(points.length - 1, 1),
    y: (share) => 1 + (HEIGHT - 2) * (1 - share),
  };
  const current = points.find(({ id }) => id === at.value);
  const mistakes = isMainLine.value ? points.filter(({ ply }) => judgements.value.get(ply)?.judgement) : [];
  const label = [evaluated > 1 && t("Graph of evaluations"), timed && t("Graph of times")].filter(Boolean).join(", ");
  const place = (event: PointerEvent): Point => pointAt(points, event.clientX, element.current!.getBoundingClientRect());

  function point(event: PointerEvent): void {
    const pointed = place(event);
    hovered.value = event.pointerType === "mouse" ? pointed.ply : null;
    if (event.buttons === 1) {
      select(pointed.id);
    }
  }

  function walk(event: KeyboardEvent): void {
    const here = current?.ply ?? 0;
    const next =
      event.key === "PageDown" ? mistakes.find(({ ply }) => ply > here) : event.key === "PageUp" ? mistakes.findLast(({ ply }) => ply < here) : null;
    if (next !== null) {
      event.preventDefault();
      if (next) {
        select(next.id);
      }
    }
  }

  return (
    <div class="graph-row">
      <div
        class="graph"
        ref={element}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={current?.ply ?? 0}
        aria-valuetext={current && spoken(current)}
        aria-describedby="graph-mistakes"
        onPointerDown={(event) => {
          if (event.button === 0) {
            select(place(event).id);
          }
        }}
        onPointerMove={point}
        onPointerLeave={() => (hovered.value = null)}
        onKeyDown={walk}
      >
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {evaluated > 1 && <Evaluations points={points} drawing={drawing} />}
          {timed && showTimes.value && <Times points={points} drawing={drawing} />}
          <Phases points={points} drawing={drawing} />
          {isMainLine.value && <Mistakes points={points} drawing={drawing} />}
          {hovered.value !== null && <line class="hovered" x1={drawing.x(hovered.value)} x2={drawing.x(hovered.value)} y1={0} y2={HEIGHT} />}
          {current && <line class="now" x1={drawing.x(current.ply)} x2={drawing.x(current.ply)} y1={0} y2={HEIGHT} />}
        </svg>
        {hovered.value !== null && points[hovered.value] && (
          <span class={`graph-hint ${2 * hovered.value > points.length ? "left" : ""}`} style={{ left: `${drawing.x(hovered.value)}px` }} aria-hidden="true">
            {spoken(points[hovered.value]!)}
          </span>
        )}
      </div>
      <p class="unseen" id="graph-mistakes">
        {tn(evaluated, "{n} evaluation.", "{n} evaluations.")}{" "}
        {mistakes.length > 0 && t("Mistakes, to which Page Up and Page Down go: {moves}.", { moves: mistakes.map(spoken).join("; ") })}
      </p>
      {timed && evaluated > 1 && <TimesButton />}
    </div>
  );
}

export function Graph(): JSX.Element | null {
  const points = graph.value;
  const evaluated = points.filter(({ share }) => share !== null).length;
  const timed = points.some(({ spent }) => spent);
  return evaluated > 1 || timed ? <Plot {...{ points, evaluated, timed }} /> : null;
}
