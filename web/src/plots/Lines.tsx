/** Ratings over time: a line for each player, the values at the pointer above it, and a table for those who do not see it. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useWidth } from "../shell/width";
import { t } from "../translation";
import { nearest, pathThrough, ticks, yearOf, type Point } from "./scale";
import "./plots.css";

export interface Series {
  readonly name: string;
  readonly values: readonly { readonly date: string; readonly rating: number }[];
}

const LEFT = 46;
const RIGHT = 14;
const BOTTOM = 22;
const TOP = 8;
/** Years without a value that a line does not pass over. */
const GAP = 3;

export function Lines({ title, series, height = 220 }: { title: string; series: readonly Series[]; height?: number }): JSX.Element {
  const [place, width] = useWidth<HTMLDivElement>();
  const pointed = useSignal<number | null>(null);
  const lines = series.map(({ values }) => values.map(({ date, rating }): Point => ({ x: yearOf(date), y: rating })));
  const points = lines.flat();
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const margin = Math.max(10, (Math.max(...ys) - Math.min(...ys)) * 0.06);
  const [low, high] = [Math.min(...ys) - margin, Math.max(...ys) + margin];
  const span = Math.max(last - first, 1 / 12);
  const placeOf = ({ x, y }: Point): readonly [number, number] => [
    LEFT + ((x - first) / span) * (width - LEFT - RIGHT),
    TOP + (1 - (y - low) / (high - low)) * (height - TOP - BOTTOM),
  ];
  const shown = lines.map((line, index) => {
    const at = pointed.value === null ? -1 : nearest(line, pointed.value);
    return at < 0 ? null : { point: line[at]!, value: series[index]!.values[at]!, index };
  });
  const told = shown.filter((each) => each !== null);
  const years = ticks(first, last, Math.max(2, Math.min(10, Math.floor(width / 70))));
  const named = series.length > 1;
  return (
    <figure class="plot">
      <figcaption>
        <h3>{title}</h3>
        <span class="soft plot-note">
          {told.length > 0
            ? told.map(({ value, index }) => `${value.date} · ${named ? `${series[index]!.name} ` : ""}${value.rating}`).join("   ")
            : named && series.map(({ name }, index) => (
                <span key={name} class={`legend line${index}`}>
                  {name}
                </span>
              ))}
        </span>
      </figcaption>
      <div ref={place} style={{ height: `${height}px` }}>
        {width > 0 && points.length > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={t("{title}: from {first} to {last}", { title, first: Math.min(...ys), last: Math.max(...ys) })}
            onPointerMove={(event) => {
              const box = event.currentTarget.getBoundingClientRect();
              pointed.value = first + ((event.clientX - box.left - LEFT) / (width - LEFT - RIGHT)) * span;
            }}
            onPointerLeave={() => (pointed.value = null)}
          >
            {ticks(low, high, 5).map((tick) => (
              <g key={tick} class="tick">
                <line x1={LEFT} x2={width - RIGHT} y1={placeOf({ x: first, y: tick })[1]} y2={placeOf({ x: first, y: tick })[1]} />
                <text x={LEFT - 6} y={placeOf({ x: first, y: tick })[1] + 4} text-anchor="end">
                  {tick}
                </text>
              </g>
            ))}
            {years.map((year) => (
              <text key={year} class="label" x={placeOf({ x: year, y: low })[0]} y={height - 4} text-anchor="middle">
                {year}
              </text>
            ))}
            {lines.map((line, index) => (
              <g key={index} class={`line${index}`}>
                <path d={pathThrough(line, GAP, placeOf)} />
                {line.length < 40 && line.map((point, at) => <circle key={at} cx={placeOf(point)[0]} cy={placeOf(point)[1]} r="2" />)}
              </g>
            ))}
            {told.map(({ point, index }) => (
              <circle key={index} class={`pointed line${index}`} cx={placeOf(point)[0]} cy={placeOf(point)[1]} r="4.5" />
            ))}
          </svg>
        )}
      </div>
      <details class="plot-table">
        <summary>{t("As a table")}</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t("Player")}</th>
                <th scope="col">{t("Date")}</th>
                <th scope="col">{t("Rating")}</th>
              </tr>
            </thead>
            <tbody>
              {series.flatMap(({ name, values }) =>
                values.map(({ date, rating }) => (
                  <tr key={`${name} ${date}`}>
                    <th scope="row">{name}</th>
                    <td>{date}</td>
                    <td>{rating}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
