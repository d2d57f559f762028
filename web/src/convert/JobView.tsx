/** A conversion: its progress, then what it wrote, what got lost, and the file. */

import type { JSX } from "preact";
import { percent, recordsText, sizeOf } from "../figures";
import { count } from "../shell/numbers";
import { sources } from "../state";
import { t, tn } from "../translation";
import { discard, formats, type Job, type Loss } from "./state";

export function JobView({ job }: { job: Job }): JSX.Element {
  const name = sources.value.find(({ id }) => id === job.source)?.name ?? t("a closed database");
  const target = formats.value.find((format) => format.name === job.format)?.title ?? job.format;
  return (
    <article class={`job ${job.state}`} aria-label={t("{name} into {format}", { name, format: target })}>
      <header>
        <h3>
          {name} → {target}
        </h3>
        <button type="button" class="plain" onClick={() => void discard(job)}>
          {job.state === "running" ? t("Cancel") : t("Remove")}
        </button>
      </header>
      <div role="status">
        <Outcome job={job} />
      </div>
      {job.report && <Report report={job.report} />}
      {job.state === "done" && job.download && (
        <a class="download" href={job.download} download={job.file ?? ""}>
          {t("Download {file}", { file: job.file ?? "" })}
          {job.bytes != null && <small> {sizeOf(job.bytes)}</small>}
        </a>
      )}
    </article>
  );
}

function Outcome({ job }: { job: Job }): JSX.Element {
  if (job.state === "running") {
    const part = job.progress ?? 0;
    return (
      <>
        <progress aria-label={t("Progress")} max={1} value={job.progress ?? undefined} />
        <p class="soft">
          {recordsText(job.records ?? 0)} {part > 0 && `· ${percent(Math.floor(part * 100) / 100)}`}
        </p>
      </>
    );
  }
  if (job.state === "done") {
    const { report } = job;
    return (
      <p>
        {report
          ? tn(report.read, "{written} of {n} record written.", "{written} of {n} records written.", {
              n: count(report.read),
              written: count(report.written),
            })
          : t("Done.")}{" "}
        {report?.losses.length === 0 && <b class="good">{t("Nothing was lost.")}</b>}
      </p>
    );
  }
  return <p class="error">{job.error ?? (job.state === "cancelled" ? t("Cancelled.") : t("The conversion failed."))}</p>;
}

function Report({ report }: { report: NonNullable<Job["report"]> }): JSX.Element {
  return (
    <>
      {report.losses.length > 0 && <Losses losses={report.losses} />}
      {report.problems > 0 && (
        <details>
          <summary>{tn(report.problems, "{n} problem of the source", "{n} problems of the source", { n: count(report.problems) })}</summary>
          <ul>
            {(report.first_problems ?? []).map((problem, index) => (
              <li key={index} lang="en">
                {problem}
              </li>
            ))}
          </ul>
        </details>
      )}
      {(report.remarks ?? []).map((remark) => (
        <p key={remark} class="soft" lang="en">
          {remark}
        </p>
      ))}
    </>
  );
}

function Losses({ losses }: { losses: readonly Loss[] }): JSX.Element {
  return (
    <table class="losses">
      <thead>
        <tr>
          <th>{t("Lost")}</th>
          <th class="right">{t("Count")}</th>
          <th class="right">{t("First in")}</th>
        </tr>
      </thead>
      <tbody>
        {losses.map(({ what, text, count: number, first }) => (
          <tr key={what}>
            <td lang="en">{text ?? what}</td>
            <td class="right">{count(number)}</td>
            <td class="right">{first ?? ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
