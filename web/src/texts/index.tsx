/** Guiding texts: all of a database, and one of them as it is meant to be read. */

import { computed, effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { numberColumn, type Column } from "../games/columns";
import { GameTable } from "../games/GameTable";
import { Query, type Row } from "../games/query";
import type { Panel } from "../shell/panel";
import { game, language, openGame, opening, source, sourceFile, vocabulary } from "../state";
import { t } from "../translation";
import { chosenText, type Text } from "./blocks";
import { Blocks } from "./Blocks";
import "./texts.css";

const texts = new Query();
const columns = computed<readonly Column[]>(() => [
  numberColumn(source.value?.records ?? 0),
  { name: "title", title: t("Title"), width: 200, grows: true, text: ({ title }) => title ?? "" },
]);

function followSource(): () => void {
  return effect(() => {
    if (sourceFile.value) {
      texts.ask(source.peek()!.id, { headers: { has: ["text"] } });
    }
    return () => texts.close();
  });
}

function openRow({ number }: Row): void {
  openGame(texts.status.peek()!.source, number);
}

function Texts(): JSX.Element {
  useEffect(followSource, []);
  const database = source.value;
  const status = texts.status.value;
  if (!database) {
    return <p class="soft padded">{t("Open a database to read its texts.")}</p>;
  }
  if (texts.error.value) {
    return <p class="padded error">{texts.error.value}</p>;
  }
  if (status?.complete && status.total === 0) {
    return (
      <p class="soft padded">
        {t("{name} has no guiding texts, which are records with prose instead of moves, as in ChessBase.", { name: database.name })}
      </p>
    );
  }
  const isOpen = game.value.kind === "text" && game.value.source === database.id;
  return (
    <div class="texts">
      <GameTable
        query={texts}
        columns={columns.value}
        label={t("Texts of {name}", { name: database.name })}
        current={isOpen ? (game.value.number ?? null) : null}
        onOpen={openRow}
      />
      <div class="text-place">{isOpen ? <TextView /> : <p class="soft padded">{t("Choose a text.")}</p>}</div>
    </div>
  );
}

export const panel: Panel = { tab: "texts", title: t("Texts"), place: "whole", Component: Texts };

/** The open record, if it is a text: mounted in place of board and notation. */
export function TextView(): JSX.Element {
  const all = (game.value.texts ?? []) as Text[];
  const text = chosenText(all, language.value);
  return (
    <article class="guiding-text" aria-busy={opening.value} lang={undefined}>
      {all.length > 1 && (
        <div class="languages" role="group" aria-label={t("Language")}>
          {all.map(({ language: code }) => (
            <button key={code} type="button" class="chip" aria-pressed={code === text?.language} onClick={() => (language.value = code)}>
              {nameOfLanguage(code)}
            </button>
          ))}
        </div>
      )}
      {text ? (
        <>
          {text.title && !beginsWithTitle(text) && <h1>{text.title}</h1>}
          <Blocks blocks={text.blocks} />
        </>
      ) : (
        <p class="soft">{t("This text is empty.")}</p>
      )}
      {(game.value.problems ?? []).map((problem) => (
        <p key={problem} class="error" lang="en">
          {problem}
        </p>
      ))}
    </article>
  );
}

function nameOfLanguage(code: string): string {
  return vocabulary.value?.languages.find((known) => known.code === code)?.name ?? (code || t("All languages"));
}

/** Whether the text shows its title by itself. */
function beginsWithTitle({ title, blocks }: Text): boolean {
  const first = (blocks[0]?.spans ?? []).map((span) => span.text ?? "").join("");
  return first.trim() === title?.trim();
}
