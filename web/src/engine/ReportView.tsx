/** The report of a game: accuracy, losses and mistakes of both players, in all and by phase; the mistakes as a list. */

import type { JSX } from "preact";
import { languageOf } from "../api/sentences";
import type { EvaluatedMove, GameReport, Performance, SidePerformance } from "../api/types";
import { nameOf, percent as share } from "../figures";
import { sanText } from "../game/letters";
import { San } from "../game/San";
import { tagsOf } from "../game/tags";
import { mainLine, nodeOf } from "../game/tree";
import { plainName } from "../shell/text";
import { ANALYSIS_DEPTHS, analysisDepth, at, game, select } from "../state";
import { t, tn } from "../translation";
import { engine } from "./engines";
import {
  analyseGame,
  better,
  canAnalyse,
  cancelAnalysis,
  insertBetterLines,
  isIncomplete,
  isRunningHere,
  offered,
  problem,
  progress,
  running,
} from "./gameAnalysis";
import { HowToStart } from "./HowToStart";
import { hasNoEngine } from "./live";
import { report } from "./report";

type Side = "white" | "black";
type Kind = "inaccuracy" | "mistake" | "blunder";
const KINDS: readonly Kind[] = ["inaccuracy", "mistake", "blunder"];
const SIGNS: Record<Kind, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const PHASES = ["opening", "middlegame", "endgame"] as const;

const KIND_NAMES = (): Record<Kind, string> => ({ inaccuracy: t("Inaccuracies"), mistake: t("Mistakes"), blunder: t("Blunders") });
const PHASE_NAMES = (): Record<(typeof PHASES)[number], string> => ({
  opening: t("Opening"),
  middlegame: t("Middlegame"),
  endgame: t("Endgame"),
});

const COUNTS: Record<Kind, "inaccuracies" | "mistakes" | "blunders"> = {
  inaccuracy: "inaccuracies",
  mistake: "mistakes",
  blunder: "blunders",
};

const percent = (accuracy: number | null | undefined): string => (accuracy == null ? "–" : share(accuracy / 100));

/** The node of the main line with this half-move. */
const nodeOfPly = (ply: number): number | undefined => mainLine(game.peek().tree)[ply]?.id;

function goTo(move: EvaluatedMove): void {
  const id = nodeOfPly(move.ply + 1);
  if (id !== undefined) {
    select(id);
  }
}

const isOfSide = (move: EvaluatedMove, side: Side): boolean => move.move.includes("...") === (side === "black");

/** To the next mistake of this kind behind the current move, round and round. */
function goToNext({ moves }: GameReport, side: Side, kind: Kind): void {
  const places = moves.filter((move) => move.judgement === kind && isOfSide(move, side));
  const here = nodeOf(game.peek().tree, at.peek()).ply ?? 0;
  const next = places.find((move) => move.ply + 1 > here) ?? places[0];
  if (next) {
    goTo(next);
  }
}

function SideHead({ side, performance }: { side: Side; performance: SidePerformance }): JSX.Element {
  const name = tagsOf(game.value.tags).get(side === "white" ? "White" : "Black");
  return (
    <div class="report-side">
      <span class={`dot ${side}`} aria-hidden="true" />
      <span class="report-name">{plainName(nameOf(name)) || (side === "white" ? t("White") : t("Black"))}</span>
      <b class="report-accuracy">{percent(performance.accuracy)}</b>
      <span class="soft small">{t("accuracy")}</span>
      <progress class={side} max={100} value={performance.accuracy ?? 0} aria-hidden="true" />
    </div>
  );
}

/** How often a side made mistakes of a kind; a click goes to the next one. */
function Count({ report: shown, side, kind }: { report: GameReport; side: Side; kind: Kind }): JSX.Element {
  const count = shown.sides[side][COUNTS[kind]];
  return (
    <button
      type="button"
      class="plain"
      disabled={!count}
      title={t("To the next one")}
      aria-label={`${side === "white" ? t("White") : t("Black")}, ${KIND_NAMES()[kind]}: ${count}`}
      onClick={() => goToNext(shown, side, kind)}
    >
      {count}
    </button>
  );
}

const rounded = (value: number | null): string => (value === null ? "–" : `${Math.round(value)}`);

function Sums({ report: shown }: { report: GameReport }): JSX.Element {
  const { white, black } = shown.sides;
  return (
    <table class="report-sums">
      <tbody>
        {KINDS.map((kind) => (
          <tr key={kind} class={`judged ${kind}`}>
            <td>
              <Count report={shown} side="white" kind={kind} />
            </td>
            <th scope="row">
              {KIND_NAMES()[kind]} <b>{SIGNS[kind]}</b>
            </th>
            <td>
              <Count report={shown} side="black" kind={kind} />
            </td>
          </tr>
        ))}
        <tr>
          <td>{rounded(white.centipawn_loss)}</td>
          <th scope="row">{t("Average centipawn loss")}</th>
          <td>{rounded(black.centipawn_loss)}</td>
        </tr>
        {PHASES.filter((phase) => white.phases[phase] ?? black.phases[phase]).map((phase) => (
          <tr key={phase}>
            <PhaseCell performance={white.phases[phase]} />
            <th scope="row">{PHASE_NAMES()[phase]}</th>
            <PhaseCell performance={black.phases[phase]} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PhaseCell({ performance }: { performance: Performance | undefined }): JSX.Element {
  const loss = performance?.centipawn_loss;
  return (
    <td title={loss == null ? undefined : t("Average centipawn loss: {n}", { n: Math.round(loss) })}>{percent(performance?.accuracy)}</td>
  );
}

/** “−0.35”, as everywhere on the page. */
const signed = (evaluation: string): string => evaluation.replace("-", "−");

/** “12...Qxb2” of the server. */
function NumberedMove({ text }: { text: string }): JSX.Element {
  const [, number = "", san = text] = /^(\d+\.+)(.*)$/.exec(text) ?? [];
  return (
    <>
      {number.replace("...", "…")}
      <San san={san} />
    </>
  );
}

function Mistakes({ report: shown }: { report: GameReport }): JSX.Element | null {
  const judged = shown.moves.filter(({ judgement }) => judgement);
  const current = nodeOf(game.value.tree, at.value).ply ?? 0;
  const onMain = nodeOfPly(current) === at.value;
  if (!judged.length) {
    return <p class="soft padded">{t("No move lost much.")}</p>;
  }
  return (
    <ol class="report-mistakes">
      {judged.map((move) => {
        const kind = move.judgement as Kind;
        const line = better.value.find(({ ply }) => ply === move.ply + 1);
        return (
          <li key={move.ply}>
            <button
              type="button"
              class="plain"
              aria-current={onMain && current === move.ply + 1 ? "step" : undefined}
              onClick={() => goTo(move)}
            >
              <span class={`report-move ${kind}`}>
                <NumberedMove text={move.move} />
                {SIGNS[kind]}
              </span>
              <span class="soft">
                {signed(move.before)} → {signed(move.evaluation)}
              </span>
            </button>
            {line && (
              <button
                type="button"
                class="plain report-better"
                title={t("Add this line to the game")}
                disabled={!offered.value.includes(line)}
                onClick={() => insertBetterLines([line])}
              >
                {t("better: {move}", { move: sanText(line.moves[0]?.san ?? "") })}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Effort(): JSX.Element {
  return (
    <label class="report-effort">
      {t("Depth")}{" "}
      <select
        class="small"
        value={analysisDepth.value}
        onChange={(event) => (analysisDepth.value = Number(event.currentTarget.value) as typeof analysisDepth.value)}
      >
        {ANALYSIS_DEPTHS.map((depth) => (
          <option key={depth} value={depth}>
            {depth}
          </option>
        ))}
      </select>
    </label>
  );
}

function Progress(): JSX.Element {
  const { settled = 0, positions = 0 } = running.value?.answer ?? {};
  return (
    <div class="report-progress" role="status">
      <progress max={1} value={progress.value} aria-label={t("Analysing this game")} />
      <span>
        {positions ? t("{settled} of {positions} positions", { settled, positions }) : t("The engine starts …")}
      </span>
      <button type="button" onClick={cancelAnalysis}>
        {t("Cancel")}
      </button>
    </div>
  );
}

function Actions(): JSX.Element | null {
  const shown = report.value;
  return (
    <div class="report-actions">
      {engine.value && canAnalyse.value && (
        <>
          <button type="button" class={shown ? "" : "primary"} disabled={running.value !== null} onClick={() => void analyseGame()}>
            {isIncomplete.value ? t("Analyse this game") : t("Analyse again")}
          </button>
          <Effort />
        </>
      )}
    </div>
  );
}

export function ReportView(): JSX.Element {
  const shown = report.value;
  const hint = hasNoEngine.value && canAnalyse.value && isIncomplete.value;
  return (
    <div class="game-report">
      {shown && (
        <div class="report-sides">
          <SideHead side="white" performance={shown.sides.white} />
          <SideHead side="black" performance={shown.sides.black} />
        </div>
      )}
      {!shown && !isRunningHere.value && (
        <p class="soft padded">
          {canAnalyse.value ? t("This game has no evaluations. An engine can find its mistakes.") : t("There are no moves to report on.")}
        </p>
      )}
      {problem.value && !running.value && (
        <p class="padded error" role="alert" lang={languageOf(problem.value)}>
          {problem.value}
        </p>
      )}
      {isRunningHere.value ? <Progress /> : !shown && <Actions />}
      {hint && <HowToStart />}
      {offered.value.length > 0 && (
        <p class="report-actions">
          <button type="button" class="primary" onClick={() => insertBetterLines()}>
            {tn(offered.value.length, "Add {n} better line as a variation", "Add {n} better lines as variations")}
          </button>
        </p>
      )}
      {shown && <Sums report={shown} />}
      {shown && <Mistakes report={shown} />}
      {shown && !isRunningHere.value && <Actions />}
    </div>
  );
}
