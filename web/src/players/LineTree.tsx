/** Openings or moves of a player as a tree: its branches unfold, its names lead to the board and to the games. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { PlayedLine } from "../api/types";
import { ScoreBar, Share } from "../reports/parts";
import { count } from "../shell/numbers";
import { t, tn } from "../translation";
import { openLine, type Side } from "./state";

/** So many lines are shown at first. */
const FIRST = 8;

interface TreeProps {
  lines: readonly PlayedLine[];
  names: readonly string[];
  side: Side;
  level?: number;
}

export function LineTree({ lines, names, side, level = 0 }: TreeProps): JSX.Element {
  const all = useSignal(false);
  const shown = all.value ? lines : lines.slice(0, FIRST);
  return (
    <ul class="line-tree" style={{ paddingLeft: level ? "14px" : "0" }}>
      {shown.map((line) => (
        <Branch key={`${line.eco} ${line.name}`} line={line} names={names} side={side} level={level} />
      ))}
      {lines.length > shown.length && (
        <li>
          <button type="button" class="plain more" onClick={() => (all.value = true)}>
            {tn(lines.length - shown.length, "{n} more", "{n} more", { n: count(lines.length - shown.length) })}
          </button>
        </li>
      )}
    </ul>
  );
}

interface BranchProps {
  line: PlayedLine;
  names: readonly string[];
  side: Side;
  level: number;
}

function Branch({ line, names, side, level }: BranchProps): JSX.Element {
  const open = useSignal(false);
  const hasLines = line.lines.length > 0;
  return (
    <li>
      <div class="line-row">
        {hasLines ? (
          <button
            type="button"
            class="plain unfold"
            aria-expanded={open.value}
            aria-label={t("Lines of {name}", { name: line.name })}
            onClick={() => (open.value = !open.peek())}
          >
            <span aria-hidden="true">{open.value ? "▾" : "▸"}</span>
          </button>
        ) : (
          <span class="unfold" />
        )}
        {line.moves.length > 0 ? (
          <button
            type="button"
            class="plain line-name"
            title={t("Show the position, and the games that reach it")}
            onClick={() => openLine(names, side, line.moves)}
          >
            {line.name} {line.eco && <small class="soft">{line.eco}</small>}
          </button>
        ) : (
          <span class="line-name">
            {line.name} {line.eco && <small class="soft">{line.eco}</small>}
          </span>
        )}
        <span class="line-games">{count(line.games)}</span>
        <ScoreBar {...line} />
        <Share {...line} />
      </div>
      {open.value && <LineTree lines={line.lines} names={names} side={side} level={level + 1} />}
    </li>
  );
}
