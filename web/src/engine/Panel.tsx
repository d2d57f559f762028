/** The engine, above the notation: a switch, what it finds, and “Analyse this game”. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { languageOf } from "../api/sentences";
import { percent } from "../figures";
import { evaluationText } from "../game/evaluation";
import { Icon } from "../game/icons";
import { plainName } from "../shell/text";
import { engineArrows, engineLines, engineName, position } from "../state";
import { t } from "../translation";
import { engine, keyOf, known, loadEngines } from "./engines";
import "./engine.css";
import { analyseGame, canAnalyse, cancelAnalysis, followGames, isRunningHere, progress, running } from "./gameAnalysis";
import { LineList } from "./LineList";
import { duration, evaluationFrom, short } from "./lines";
import {
  ended,
  failure,
  finished,
  followBoard,
  hasNoEngine,
  lines,
  on,
  searchAgain,
  searching,
  suspended,
  toggleEngine,
} from "./live";
import { followEvaluations, report } from "./report";
import { HowToStart } from "./HowToStart";
import { showReport } from "./shown";

function Switch(): JSX.Element {
  const name = on.value ? t("Switch the engine off (l)") : t("Switch the engine on (l)");
  return (
    <button type="button" class="engine-switch" role="switch" aria-checked={on.value} aria-label={t("Engine")} title={name} onClick={toggleEngine}>
      <i />
    </button>
  );
}

/** What the engine does, beside its evaluation. */
function Work(): JSX.Element {
  const best = lines.value[0];
  const facts = best
    ? [
        t("depth {depth}", { depth: best.selective_depth > best.depth ? `${best.depth}/${best.selective_depth}` : best.depth }),
        best.nodes_per_second > 0 && t("{number} nodes/s", { number: short(best.nodes_per_second) }),
        best.seconds > 0 && duration(best.seconds),
      ]
    : [searching.value ? t("thinking …") : suspended.value ? t("waits for the analysis of the game") : ""];
  return (
    <span class="engine-work soft" data-searching={searching.value}>
      {facts.filter(Boolean).join(" · ")}
    </span>
  );
}

function Score(): JSX.Element {
  const best = lines.value[0];
  const text = ended.value ? "" : best ? evaluationText(evaluationFrom(best.evaluation)) : "…";
  return <b class="engine-score">{text}</b>;
}

function Settings(): JSX.Element {
  const engines = known.value?.engines ?? [];
  const most = known.value?.most_lines ?? 5;
  return (
    <div class="engine-settings">
      {engines.length > 1 && (
        <label>
          {t("Engine")}{" "}
          <select class="small" aria-label={t("Engine")} value={engine.value?.id} onChange={(event) => choose(event.currentTarget.value)}>
            {engines.map(({ id, name }) => (
              <option key={id} value={id}>
                {plainName(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <span class="engine-count" role="radiogroup" aria-label={t("Lines")}>
        <span aria-hidden="true">{t("Lines")}</span>
        {[1, 2, 3, 4, 5]
          .filter((count) => count <= most)
          .map((count) => (
            <button
              key={count}
              type="button"
              role="radio"
              class="plain"
              aria-checked={engineLines.value === count}
              onClick={() => (engineLines.value = count)}
            >
              {count}
            </button>
          ))}
      </span>
      <label>
        <input type="checkbox" checked={engineArrows.value} onChange={(event) => (engineArrows.value = event.currentTarget.checked)} />{" "}
        {t("Arrows (a)")}
      </label>
    </div>
  );
}

function choose(id: string): void {
  const chosen = known.peek()?.engines.find((each) => each.id === id);
  engineName.value = chosen ? keyOf(chosen) : "";
}

/** What there is instead of lines, in the place of the first of them. */
function Notice(): JSX.Element | null {
  if (ended.value) {
    const isWhite = position.value!.turn === "black";
    const sentence =
      ended.value === "stalemate" ? t("Stalemate: the game is a draw.") : isWhite ? t("Checkmate: White has won.") : t("Checkmate: Black has won.");
    return <p class="engine-notice">{sentence}</p>;
  }
  if (failure.value) {
    const { sentence, wait } = failure.value;
    return (
      <p class="engine-notice error" role="alert">
        <span>
          <span lang={languageOf(sentence)}>{sentence}</span> {wait !== null && t("Next try in {n} s.", { n: wait })}
        </span>
        <button type="button" onClick={searchAgain}>
          {t("Try again")}
        </button>
      </p>
    );
  }
  return null;
}

function Live(): JSX.Element {
  const showsSettings = useSignal(false);
  return (
    <>
      <div class="engine-bar live">
        <Switch />
        <Score />
        <span class="engine-about">
          <span class="engine-name">{plainName(engine.value?.name ?? "")}</span>
          <Work />
        </span>
        {finished.value && !searching.value && (
          <button type="button" class="plain" onClick={searchAgain} title={t("Search this position once more")}>
            {t("Deeper")}
          </button>
        )}
        <button
          type="button"
          class="tool plain"
          aria-expanded={showsSettings.value}
          title={t("Settings of the engine")}
          aria-label={t("Settings of the engine")}
          onClick={() => (showsSettings.value = !showsSettings.peek())}
        >
          <Icon name="settings" />
        </button>
        <GameButton />
      </div>
      {showsSettings.value && <Settings />}
      <div class="engine-lines" data-lines={engineLines.value}>
        {ended.value || (failure.value && lines.value.length === 0) ? (
          <Notice />
        ) : (
          <>
            <LineList />
            {failure.value && <Notice />}
          </>
        )}
      </div>
    </>
  );
}

/** Beginning the analysis of the game, its progress, or its result. */
function GameButton(): JSX.Element | null {
  if (running.value) {
    const share = Math.floor(100 * progress.value);
    const name = isRunningHere.value ? t("Analysing this game") : t("Analysing {game}", { game: running.value.target.title });
    return (
      <span class="engine-progress">
        <progress max={100} value={share} aria-label={name} title={name} />
        <span aria-hidden="true">{percent(share / 100)}</span>
        <button type="button" class="plain tool" title={t("Cancel the analysis of the game")} aria-label={t("Cancel the analysis of the game")} onClick={cancelAnalysis}>
          ×
        </button>
      </span>
    );
  }
  const { white, black } = report.value?.sides ?? {};
  if (white?.accuracy != null && black?.accuracy != null) {
    const values = { white: Math.round(white.accuracy), black: Math.round(black.accuracy) };
    return (
      <button type="button" class="engine-game" onClick={showReport} title={t("Report: accuracy of White and of Black")}>
        <span aria-hidden="true">{t("Accuracy {white} – {black}%", values)}</span>
        <span class="unseen">{t("Report: accuracy of White {white}%, of Black {black}%", values)}</span>
      </button>
    );
  }
  if (!canAnalyse.value) {
    return null;
  }
  return (
    <button
      type="button"
      class="engine-game"
      onClick={() => {
        showReport();
        void analyseGame();
      }}
    >
      {t("Analyse this game")}
    </button>
  );
}

export function EnginePanel(): JSX.Element {
  useEffect(() => {
    void loadEngines();
    const ends = [followBoard(), followGames(), followEvaluations()];
    return () => ends.forEach((end) => end());
  }, []);
  if (on.value && !hasNoEngine.value) {
    return (
      <section class="engine" aria-label={t("Engine")}>
        <Live />
      </section>
    );
  }
  return (
    <section class="engine" aria-label={t("Engine")}>
      <div class="engine-bar">
        <Switch />
        <span class="engine-about">{t("Engine")}</span>
        <GameButton />
      </div>
      {on.value && <HowToStart />}
    </section>
  );
}
