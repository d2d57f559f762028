/** What hangs on a move beside symbols and comments: training questions, links, media, quotations. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Training } from "../api/types";
import { clockText } from "../shell/numbers";
import { Picture } from "../shell/Picture";
import { LongText } from "../shell/text";
import { t, tn } from "../translation";
import { translated } from "./comments";
import { San } from "./San";
import type { MoveNode } from "./tree";

/** Only addresses that cannot run anything. */
const isSafe = (url: string): boolean => /^(https?:|mailto:)/i.test(url);
const isOurs = (url: string): boolean => url.startsWith("/api/");

function Question({ training }: { training: Training }): JSX.Element {
  const hints = useSignal(0);
  const solved = useSignal(false);
  const { seconds, points } = training;
  const terms = [
    seconds && t("{time} to think", { time: clockText(seconds).replace(/^0:0?/, "") }),
    points && tn(points, "{n} point", "{n} points"),
  ];
  return (
    <div class="training">
      <p>
        <b>{t("Training")}</b> <span class="soft">{terms.filter(Boolean).join(" · ")}</span>
      </p>
      <p>{translated(training.questions) || t("What would you play?")}</p>
      {(training.hints ?? []).slice(0, hints.value).map((hint, index) => (
        <p key={index} class="soft">
          {t("Hint: {text}", { text: translated(hint) })}
        </p>
      ))}
      {solved.value &&
        (training.solutions ?? []).map((solution) => (
          <p key={solution.uci}>
            <b>{solution.san ? <San san={solution.san} /> : solution.uci}</b>
            {solution.points ? ` ${tn(solution.points, "{n} point", "{n} points")}` : ""} {translated(solution.texts)}
          </p>
        ))}
      <p class="buttons">
        {hints.value < (training.hints?.length ?? 0) && (
          <button type="button" onClick={() => hints.value++}>
            {t("Hint")}
          </button>
        )}
        {!solved.value && (
          <button type="button" onClick={() => (solved.value = true)}>
            {t("Solution")}
          </button>
        )}
      </p>
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = { picture: t("picture"), sound: t("sound"), video: t("video") };

function Medium({ kind, url, text }: { kind: string; url?: string | null; text?: string | null }): JSX.Element {
  const name = text || (KINDS[kind] ?? kind);
  if (url && isOurs(url)) {
    if (kind === "picture") {
      return <Picture url={url} name={text ?? ""} />;
    }
    return kind === "video" ? <video src={url} controls preload="none" aria-label={name} /> : <audio src={url} controls preload="none" aria-label={name} />;
  }
  return (
    <p class="soft">
      {t("{kind}: {name} (not beside the database)", { kind: KINDS[kind] ?? kind, name })}
    </p>
  );
}

export function Things({ node }: { node: MoveNode }): JSX.Element {
  return (
    <>
      {node.training?.map((training, index) => <Question key={`t${index}`} training={training} />)}
      {node.media?.map((medium, index) => <Medium key={`m${index}`} {...medium} />)}
      {node.links?.map(({ url, text }, index) => (
        <p key={`l${index}`}>
          {url !== undefined && isSafe(url) ? (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {text || url}
            </a>
          ) : (
            <span>{text || url}</span>
          )}
        </p>
      ))}
      {node.quotes?.map(({ text }, index) => (
        <p key={`q${index}`} class="quote">
          <LongText text={text} />
        </p>
      ))}
      {node.unreadable && (
        <p class="unreadable">
          {t("Not readable:")} <code><LongText text={node.unreadable} /></code>
        </p>
      )}
      {node.others && node.others.length > 0 && <p class="soft small">{t("Also here: {names}", { names: node.others.join(", ") })}</p>}
    </>
  );
}
