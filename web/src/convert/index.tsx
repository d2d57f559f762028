/** Convert a database, or what the list shows of it, into another format; see what could not be kept; download it. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { recordsText } from "../figures";
import { isFiltered, list } from "../games/list";
import type { Panel } from "../shell/panel";
import { source, sources } from "../state";
import { t } from "../translation";
import { JobView } from "./JobView";
import { Options } from "./Options";
import { convert, formats, jobs, loadConversions, type Format } from "./state";
import "./convert.css";

function Convert(): JSX.Element {
  useEffect(() => void loadConversions(), []);
  const chosenSource = useSignal<string | null>(null);
  const chosenFormat = useSignal("pgn");
  const onlyListed = useSignal(true);
  const profile = useSignal("");
  const options = useSignal<Record<string, string | number | boolean>>({});

  const place = useRef<HTMLElement>(null);
  const ordered = useRef(false);
  const latest = jobs.value[0];
  useEffect(() => {
    if (ordered.current) {
      place.current?.querySelector(".job")?.scrollIntoView({ block: "nearest" });
      ordered.current = latest?.state === "running";
    }
  }, [latest?.job, latest?.state]);

  const from = sources.value.find(({ id }) => id === chosenSource.value) ?? source.value ?? sources.value[0];
  const isBook = from?.kind === "book";
  const targets = formats.value.filter(({ write, book }) => write && book === isBook);
  const target = targets.find(({ name }) => name === chosenFormat.value) ?? targets[0];
  const status = list.status.value;
  const canLimit = isFiltered.value && from !== undefined && status?.source === from.id;
  if (!from) {
    return <p class="soft padded">{t("Open a database first.")}</p>;
  }
  const begin = (event: Event): void => {
    event.preventDefault();
    if (target) {
      ordered.current = true;
      void convert({
        source: from.id,
        query: canLimit && onlyListed.value ? status!.query : undefined,
        format: target.name,
        profile: profile.value || undefined,
        options: options.value,
      });
    }
  };
  return (
    <div class="convert">
      <form onSubmit={begin}>
        <label class="field">
          <span>{t("From")}</span>
          <select value={from.id} onChange={(event) => (chosenSource.value = event.currentTarget.value)}>
            {sources.value.map(({ id, name, format_title }) => (
              <option key={id} value={id}>
                {name} ({format_title})
              </option>
            ))}
          </select>
        </label>
        {canLimit && (
          <label class="tick">
            <input type="checkbox" checked={onlyListed.value} onChange={(event) => (onlyListed.value = event.currentTarget.checked)} />
            {t("Only what the list shows: {records}", { records: recordsText(status!.total) })}
          </label>
        )}
        <fieldset class="field formats">
          <legend>{t("Into")}</legend>
          {targets.map((format) => (
            <FormatChoice
              key={format.name}
              format={format}
              isChosen={format === target}
              choose={() => {
                chosenFormat.value = format.name;
                profile.value = "";
                options.value = {};
              }}
            />
          ))}
        </fieldset>
        {target && <Options format={target} profile={profile} options={options} />}
        <button type="submit" class="primary" disabled={!target}>
          {t("Convert {name}", { name: from.name })}
        </button>
      </form>
      <section aria-label={t("Conversions")} class="jobs" ref={place}>
        {jobs.value.length === 0 ? (
          <p class="soft">
            {t("tabiya makes the file on this computer and reports everything that the format cannot keep. The source stays unchanged.")}
          </p>
        ) : (
          jobs.value.map((job) => <JobView key={job.job} job={job} />)
        )}
      </section>
    </div>
  );
}

function FormatChoice({ format, isChosen, choose }: { format: Format; isChosen: boolean; choose: () => void }): JSX.Element {
  return (
    <label class={`format ${isChosen ? "chosen" : ""}`}>
      <input type="radio" name="format" checked={isChosen} onChange={choose} />
      <b>{format.title}</b>
      <small class="soft">{format.suffixes.slice(0, 2).join(" ")}</small>
    </label>
  );
}

export const panel: Panel = { tab: "convert", title: t("Convert"), place: "whole", Component: Convert };
