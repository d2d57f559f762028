/** Games as bars of three colours: won by White (or by a player), drawn, lost. A table says the same without looking. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { scoreText } from "../reports/figures";
import { count } from "../shell/numbers";
import { useWidth } from "../shell/width";
import { t, tn } from "../translation";
import { ticks } from "./scale";
import "./plots.css";

export interface BarItem {
  readonly key: string;
  /** Below the bar, if there is place. */
  readonly label: string;
  /** In the line above the plot and in the table. */
  readonly title: string;
  readonly games: number;
  /** The lower, middle and upper part; what is missing to `games` has no result. */
  readonly parts: readonly [number, number, number];
}

interface BarsProps {
  title: string;
  items: readonly BarItem[];
  /** The heads of the columns of the table: what the parts are. */
  parts: readonly [string, string, string];
  /** What is done with a bar that is chosen. */
  choose?: ((item: BarItem) => void) | undefined;
  /** What choosing does, for those who hear it. */
  action?: string;
  /** Said of the bars together, while none is pointed at. */
  note?: string;
  /** Whether the parts are won, drawn and lost by a player, and not by White. */
  ofPlayer?: boolean;
  height?: number;
}

const LEFT = 46;
const BOTTOM = 20;
const TOP = 6;
const LABEL_WIDTH = 44;

export function Bars({ title, items, parts, choose, action, note = "", ofPlayer = false, height = 190 }: BarsProps): JSX.Element {
  const [place, width] = useWidth<HTMLDivElement>();
  const pointed = useSignal<number | null>(null);
  const table = useRef<HTMLDetailsElement>(null);
  const most = Math.max(1, ...items.map(({ games }) => games));
  const inner = Math.max(1, width - LEFT - 8);
  const step = inner / Math.max(1, items.length);
  const bar = Math.max(1, Math.min(42, step * (step > 6 ? 0.8 : 0.96)));
  const bottom = height - BOTTOM;
  const y = (games: number): number => TOP + (bottom - TOP) * (1 - games / most);
  const labelled = Math.max(1, Math.ceil(LABEL_WIDTH / step));
  const shown = pointed.value === null ? undefined : items[pointed.value];
  const at = (event: PointerEvent | MouseEvent): number | null => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const index = Math.floor((event.clientX - box.left - LEFT) / step);
    return index >= 0 && index < items.length ? index : null;
  };
  return (
    <figure class={ofPlayer ? "plot of-player" : "plot"}>
      <figcaption>
        <h3>{title}</h3>
        <span class="soft plot-note">
          {shown ? `${shown.title} · ${tn(shown.games, "{n} game", "{n} games", { n: count(shown.games) })}${scoreText(shown.parts)}` : note}
        </span>
      </figcaption>
      <div ref={place} style={{ height: `${height}px` }}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={`${title}. ${note}`}
            class={choose && "choosable"}
            onPointerMove={(event) => (pointed.value = at(event))}
            onPointerLeave={() => (pointed.value = null)}
            onClick={(event) => {
              const index = at(event);
              if (index !== null) {
                choose?.(items[index]!);
              }
            }}
          >
            {ticks(0, most, 6).map((tick) => (
              <g key={tick} class="tick">
                <line x1={LEFT} x2={width - 8} y1={y(tick)} y2={y(tick)} />
                <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
                  {count(tick)}
                </text>
              </g>
            ))}
            {items.map((item, index) => {
              const x = LEFT + index * step + (step - bar) / 2;
              let below = 0;
              const stacked = [...item.parts, item.games - item.parts.reduce((sum, part) => sum + part, 0)];
              return (
                <g key={item.key} class={index === pointed.value ? "pointed" : undefined}>
                  <rect class="back" x={LEFT + index * step} width={step} y={TOP} height={bottom - TOP} />
                  {stacked.map((part, kind) => {
                    below += part;
                    const size = y(below - part) - y(below);
                    return size > 0 && <rect key={kind} class={`part${kind}`} x={x} width={bar} y={y(below)} height={size} />;
                  })}
                  {index % labelled === 0 && (
                    <text class="label" x={LEFT + (index + 0.5) * step} y={height - 4} text-anchor="middle">
                      {item.label}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
      <details ref={table} class="plot-table">
        <summary>{t("As a table")}</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{title}</th>
                <th scope="col">{t("Games")}</th>
                {parts.map((part) => (
                  <th key={part} scope="col">
                    {part}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={item.key}>
                  <th scope="row">
                    {choose ? (
                      <button type="button" class="plain more" title={action} onClick={() => choose(item)}>
                        {item.title}
                      </button>
                    ) : (
                      item.title
                    )}
                  </th>
                  <td>{count(item.games)}</td>
                  {item.parts.map((part, kind) => (
                    <td key={kind}>{count(part)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
