/** What the game is, then its moves. */

import { Fragment, type JSX } from "preact";
import { resultOf } from "../figures";
import { Name } from "../shell/text";
import { t, tn } from "../translation";
import { changed, game, language, node, notationStyle, past, undo } from "../state";
import { Annotate } from "./Annotate";
import { ALL_LANGUAGES, languageName, languages, shownLanguage } from "./comments";
import { editing } from "./editing";
import { sanText } from "./letters";
import { EventLink, PlayerName } from "../reports/links";
import { MoveList } from "./MoveList";
import { MoveMenu } from "./MoveMenu";
import { tagsOf } from "./tags";
import { Tool } from "./Tool";
import { foldable, foldAll, folded, style, unfoldAll } from "./view";

/** A tag, unless it only says that nobody knows. */
const known = (text: string | undefined): string => (text && !/^[?\-*]+$/.test(text) ? text : "");

/** “2013.11.09” is “2013-11-09”; what is unknown is left out. */
const dateText = (date: string): string => date.replace(/[.?]*\?[.?]*$/, "").replaceAll(".", "-");

function Head(): JSX.Element {
  const { title, result, problems, deleted, opening: name, source: from, number } = game.value;
  const tags = tagsOf(game.value.tags);
  const round = known(tags.get("Round"));
  const details = [known(tags.get("Event")), known(tags.get("Site")), round && t("round {round}", { round }), dateText(tags.get("Date") ?? "")];
  const facts = [...details, name ? `${name.eco} ${name.name}` : ""].filter(Boolean);
  return (
    <header class="head">
      <HeadTools />
      <h1>
        {known(tags.get("White")) && known(tags.get("Black")) ? (
          <>
            <PlayerName name={tags.get("White")} /> – <PlayerName name={tags.get("Black")} />
          </>
        ) : (
          <Name text={known(tags.get("White")) || known(tags.get("Black")) || known(tags.get("Event")) || title || t("Game")} />
        )}{" "}
        {result && result !== "*" && <span class="result">· {resultOf(result)}</span>}
      </h1>
      <p class="soft">
        {facts.length === 0 && (from ? t("Record {number}", { number: number ?? "" }) : t("Your own board"))}
        {facts.map((text, index) => (
          <Fragment key={index}>
            {index > 0 && " · "}
            {from && text === known(tags.get("Event")) ? <EventLink name={text} date={tags.get("Date")} id={from} /> : <Name text={text} />}
          </Fragment>
        ))}
      </p>
      {deleted && <p class="soft">{t("marked as deleted")}</p>}
      {problems && problems.length > 0 && (
        <details class="problems">
          <summary>{tn(problems.length, "{n} thing to know about this record", "{n} things to know about this record")}</summary>
          {problems.map((problem, index) => (
            <p key={index} lang="en">
              {problem}
            </p>
          ))}
        </details>
      )}
    </header>
  );
}

/** What is changed, and how the moves are printed. */
function HeadTools(): JSX.Element {
  return (
    <div class="head-tools">
      {changed.value && (
        <button type="button" class="changed" title={t("Annotate and save")} onClick={() => (editing.value = true)}>
          {t("not saved")}
        </button>
      )}
      {changed.value && !editing.value && past.value.length > 0 && <Tool icon="undo" name={t("Undo")} act={undo} />}
      {languages.value.length > 1 && <LanguageSwitch />}
      {foldable.value.length > 0 &&
        (folded.value.size ? (
          <Tool icon="unfold" name={t("Unfold all variations")} act={unfoldAll} />
        ) : (
          <Tool icon="fold" name={t("Fold all variations")} act={foldAll} />
        ))}
      <span class="styles" role="group" aria-label={t("Notation")}>
        <Tool icon="table" name={t("Moves as a table")} pressed={style.value === "table"} act={() => (notationStyle.value = "table")} />
        <Tool icon="book" name={t("Moves as in a book")} pressed={style.value === "book"} act={() => (notationStyle.value = "book")} />
      </span>
    </div>
  );
}

function LanguageSwitch(): JSX.Element {
  return (
    <select
      class="small"
      aria-label={t("Language of comments")}
      value={shownLanguage.value || ALL_LANGUAGES}
      onChange={(event) => (language.value = event.currentTarget.value)}
    >
      {languages.value.map((code) => (
        <option key={code} value={code}>
          {languageName(code)}
        </option>
      ))}
      <option value={ALL_LANGUAGES}>{t("All languages")}</option>
    </select>
  );
}

/** What happened on the board, for people who hear the page. */
function Spoken(): JSX.Element {
  const { number, color, san } = node.value;
  return (
    <p class="unseen" role="status" aria-live="polite">
      {san
        ? color === "black"
          ? t("{number} Black {move}", { number: number ?? "", move: sanText(san) })
          : t("{number} White {move}", { number: number ?? "", move: sanText(san) })
        : t("Start of the game")}
    </p>
  );
}

export function Notation(): JSX.Element {
  return (
    <>
      <Head />
      <MoveList />
      <Spoken />
      {editing.value && <Annotate />}
      <MoveMenu />
    </>
  );
}
