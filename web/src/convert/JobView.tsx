/** A conversion: its progress, then what it wrote, what got lost, and the file. */

import type { JSX } from "preact";
import { countOf, sizeOf } from "../figures";
import { count } from "../shell/numbers";
import { sources } from "../state";
import { discard, formats, type Job, type Loss } from "./state";

export function JobView({ job }: { job: Job }): JSX.Element {
  const name = sources.value.find(({ id }) => id === job.source)?.name ?? "a database that is closed";
  const target = formats.value.find((format) => format.name === job.format)?.title ?? job.format;
  return (
    <article class={`job ${job.state}`} aria-label={`${name} into ${target}`}>
      <header>
        <h3>
          {name} → {target}
        </h3>
        <button type="button" class="plain" onClick={() => void discard(job)}>
          {job.state === "running" ? "cancel" : "remove"}
        </button>
      </header>
      <div role="status">
        <Outcome job={job} />
      </div>
      {job.report && <Report report={job.report} />}
      {job.state === "done" && job.download && (
        <a class="download" href={job.download} download={job.file ?? ""}>
          Download {job.file}
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
        <progress aria-label="Progress" max={1} value={job.progress ?? undefined} />
        <p class="soft">
          {countOf(job.records ?? 0, "record")} {part > 0 && `· ${Math.floor(part * 100)} %`}
        </p>
      </>
    );
  }
  if (job.state === "done") {
    const { report } = job;
    return (
      <p>
        {report ? `${count(report.written)} of ${countOf(report.read, "record")} written.` : "Done."}{" "}
        {report?.losses.length === 0 && <b class="good">Nothing was lost.</b>}
      </p>
    );
  }
  return <p class="error">{job.error ?? (job.state === "cancelled" ? "Cancelled." : "It did not work.")}</p>;
}

function Report({ report }: { report: NonNullable<Job["report"]> }): JSX.Element {
  return (
    <>
      {report.losses.length > 0 && <Losses losses={report.losses} />}
      {report.problems > 0 && (
        <details>
          <summary>{countOf(report.problems, "problem")} of the source</summary>
          <ul>
            {(report.first_problems ?? []).map((problem, index) => (
              <li key={index}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
      {(report.remarks ?? []).map((remark) => (
        <p key={remark} class="soft">
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
          <th>Lost</th>
          <th class="right">Count</th>
          <th class="right">First in</th>
        </tr>
      </thead>
      <tbody>
        {losses.map(({ what, text, count: number, first }) => (
          <tr key={what}>
            <td>{text ?? what}</td>
            <td class="right">{count(number)}</td>
            <td class="right">{first ?? ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
