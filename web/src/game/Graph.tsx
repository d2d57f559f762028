/** Evaluations as a line, the time that moves took as bars; a click goes to the move. */

import type { JSX } from "preact";
import { at, select } from "../state";
import { graph } from "./evaluation";

const WIDTH = 400;
const HEIGHT = 64;

export function Graph(): JSX.Element | null {
  const points = graph.value;
  const evaluated = points.filter(({ share }) => share !== null);
  const longest = Math.max(...points.map(({ spent }) => spent ?? 0), 1);
  const timed = points.some(({ spent }) => spent);
  if (evaluated.length < 2 && !timed) {
    return null;
  }
  const step = WIDTH / Math.max(points.length - 1, 1);
  const x = (ply: number): string => (ply * step).toFixed(1);
  const line = evaluated.map(({ ply, share }) => `${x(ply)} ${(HEIGHT * (1 - share!)).toFixed(1)}`).join(" L");
  const first = evaluated[0];
  const last = evaluated.at(-1);
  const current = points.find(({ id }) => id === at.value);

  function choose(event: MouseEvent & { currentTarget: SVGSVGElement }): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.round(((event.clientX - left) / width) * (points.length - 1));
    const point = points[Math.min(Math.max(place, 0), points.length - 1)];
    if (point) {
      select(point.id);
    }
  }

  return (
    <svg
      class="graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Graph of ${evaluated.length > 1 ? "evaluations" : ""}${evaluated.length > 1 && timed ? " and " : ""}${timed ? "times" : ""}; arrow keys go through the moves`}
      onClick={choose}
      onPointerMove={(event) => event.buttons === 1 && choose(event)}
    >
      {timed &&
        points.map(({ ply, spent }) =>
          spent ? (
            <rect
              key={ply}
              class={ply % 2 ? "time of-white" : "time of-black"}
              x={x(ply - 0.4)}
              width={(0.8 * step).toFixed(1)}
              y={(HEIGHT - (HEIGHT * 0.6 * spent) / longest).toFixed(1)}
              height={((HEIGHT * 0.6 * spent) / longest).toFixed(1)}
            />
          ) : null,
        )}
      {first && last && evaluated.length > 1 && (
        <>
          <path class="area" d={`M${x(first.ply)} ${HEIGHT} L${line} L${x(last.ply)} ${HEIGHT}Z`} />
          <line class="even" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
          <path class="curve" d={`M${line}`} />
        </>
      )}
      {current && <line class="now" x1={x(current.ply)} x2={x(current.ply)} y1="0" y2={HEIGHT} />}
    </svg>
  );
}
