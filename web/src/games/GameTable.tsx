/** A list of records of any length: only the rows in sight exist. Mouse, finger, wheel and keyboard. */

import { useSignal } from "@preact/signals";
import { Component, type ComponentChildren, type JSX } from "preact";
import { useCallback, useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { titleOf, type Column } from "./columns";
import type { Query, Row, Sort } from "./query";
import { TwoLines } from "./TwoLines";
import * as w from "./window";

export interface GameTableProps {
  query: Query;
  columns: readonly Column[];
  label: string;
  /** The record that is open on the board. */
  current: number | null;
  onOpen: (row: Row) => void;
  /** Rows of two lines, for narrow screens. */
  compact?: boolean;
  sort?: Sort | null;
  sortable?: readonly string[];
  onSort?: (sort: Sort | null) => void;
}

const ROW_HEIGHT = 29;
const COMPACT_ROW_HEIGHT = 54;
const HEAD_HEIGHT = 30;
const LOAD_MS = 40;

export function GameTable(props: GameTableProps): JSX.Element {
  const { query, columns, compact = false } = props;
  const element = useRef<HTMLDivElement>(null);
  const scroll = useSignal<w.Scroll>({ top: 0, shift: 0 });
  const viewport = useSignal(0);
  const cursor = useSignal(0);
  const rowHeight = compact ? COMPACT_ROW_HEIGHT : ROW_HEIGHT;
  const head = compact ? 0 : HEAD_HEIGHT;
  const extent: w.Extent = { rows: query.status.value?.total ?? 0, rowHeight, viewport: viewport.value };
  const latest = useRef(extent);
  latest.current = extent;
  const id = useId();
  /** A row that was chosen before it was there. */
  const awaited = useRef<number | null>(null);

  useLayoutEffect(() => {
    const measured = element.current!;
    const measure = (): void => void (viewport.value = Math.max(0, measured.clientHeight - head));
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    measure();
    return () => observer.disconnect();
  }, [head]);

  /** Another answer is looked at from its beginning. */
  const shown = query.status.value?.query;
  useLayoutEffect(() => {
    scroll.value = { top: 0, shift: 0 };
    cursor.value = 0;
    element.current!.scrollTop = 0;
  }, [shown]);

  /** Ask for what is in sight, but not for what is scrolled past. */
  const drawn = w.drawnRows(extent, scroll.value);
  useEffect(() => {
    const timer = setTimeout(() => query.want(drawn), LOAD_MS);
    return () => clearTimeout(timer);
  }, [query, shown, drawn.first, drawn.end]);

  const moveTo = (next: w.Scroll): void => {
    scroll.value = next;
    if (Math.abs(element.current!.scrollTop - next.top) >= 1) {
      element.current!.scrollTop = next.top;
    }
  };
  const pick = (row: number): void => {
    cursor.value = Math.max(0, Math.min(latest.current.rows - 1, row));
    moveTo(w.scrollToRow(latest.current, scroll.peek(), cursor.peek()));
  };
  /** Rows of another height stand elsewhere: what the keyboard is at stays in sight. */
  const fitted = useRef(rowHeight);
  useLayoutEffect(() => {
    if (fitted.current !== rowHeight) {
      fitted.current = rowHeight;
      latest.current = { ...latest.current, viewport: Math.max(0, element.current!.clientHeight - head) };
      pick(cursor.peek());
    }
  }, [rowHeight]);
  const { onOpen } = props;
  const open = useCallback(
    (index: number): void => {
      const row = query.row(index);
      awaited.current = row ? null : index;
      cursor.value = index;
      if (row) {
        onOpen(row);
      }
    },
    [query, onOpen],
  );
  useLayoutEffect(() => {
    const index = awaited.current;
    if (index !== null && (index < drawn.first || index >= drawn.end)) {
      awaited.current = null; // scrolled past, so nobody waits for it any more
    } else if (index !== null && query.row(index)) {
      open(index);
    }
  }, [query.version.value, drawn.first, drawn.end]);

  /** Show the row of the open game when the list or the game changes. */
  const { current } = props;
  useLayoutEffect(() => {
    let isWanted = true;
    awaited.current = null;
    if (current !== null && shown !== undefined && query.row(cursor.peek())?.number !== current) {
      query.placeOf(current).then((place) => isWanted && place !== null && pick(place), () => undefined);
    }
    return () => void (isWanted = false); // at once, not after the next frame: the list may be gone before the answer is here
  }, [current, shown]);

  const rows = [];
  for (let index = drawn.first; index < drawn.end; index++) {
    rows.push(
      <TableRow
        key={index}
        id={`${id}-${index}`}
        index={index}
        row={query.row(index)}
        top={w.rowTop(extent, scroll.value, index)}
        isCurrent={current !== null && query.row(index)?.number === current}
        isCursor={index === cursor.value}
        compact={compact}
        columns={columns}
        onOpen={open}
      />,
    );
  }
  const width = compact ? undefined : columns.reduce((sum, column) => sum + column.width, 0);
  return (
    <div
      ref={element}
      class={`game-table ${compact ? "compact" : ""} ${query.asking.value ? "asking" : ""}`}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={extent.rows + (compact ? 0 : 1)}
      aria-activedescendant={extent.rows > 0 ? `${id}-${cursor.value}` : undefined}
      onScroll={(event) => moveTo(w.scrolled(extent, scroll.peek(), event.currentTarget.scrollTop))}
      onKeyDown={(event) => {
        const page = Math.max(1, Math.floor(extent.viewport / rowHeight) - 1);
        const step = STEPS[event.key]?.(cursor.peek(), page, extent.rows);
        if (event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) {
          return;
        }
        if (step !== undefined) {
          awaited.current = null;
          pick(step);
        } else if (event.key === "Enter") {
          open(cursor.peek());
        } else {
          return;
        }
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {!compact && <Head {...props} width={width!} />}
      <div class="rows" role="presentation" style={{ height: `${w.elementHeight(extent)}px`, minWidth: width && `${width}px` }}>
        {rows}
      </div>
    </div>
  );
}

const STEPS: Record<string, (row: number, page: number, rows: number) => number> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row, page) => row + page,
  PageUp: (row, page) => row - page,
  Home: () => 0,
  End: (_row, _page, rows) => rows - 1,
};

function cellStyle({ width, grows }: Column): { flex: string } {
  return { flex: `${grows ? 1 : 0} 0 ${width}px` };
}

function Head({ columns, sort, sortable = [], onSort, width }: GameTableProps & { width: number }): JSX.Element {
  return (
    <div class="list-head" role="row" aria-rowindex={1} style={{ minWidth: `${width}px` }}>
      {columns.map((column) => {
        const isSorted = sort?.by === column.name;
        return (
          <div
            key={column.name}
            role="columnheader"
            class={`cell ${column.align ?? ""}`}
            style={cellStyle(column)}
            aria-sort={isSorted ? (sort.descending ? "descending" : "ascending") : undefined}
          >
            {onSort && sortable.includes(column.name) ? (
              <button type="button" class="plain" title={column.long} onClick={() => onSort(nextSort(column.name, sort))}>
                <span class={column.long ? "unseen" : undefined}>{column.long ?? column.title}</span>
                {column.long && <span aria-hidden="true">{column.title}</span>}
                {isSorted && <span aria-hidden="true">{sort.descending ? " ▾" : " ▴"}</span>}
              </button>
            ) : (
              <span title={column.long}>{column.title}</span>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Figures are looked at from the largest first, and so is the order of the database if one asks for it. */
export function firstSort(by: string): Sort {
  return { by, descending: by.endsWith("_elo") || ["date", "plies", "number"].includes(by) };
}

/** A second click turns the order round, a third gives that of the database again. */
function nextSort(by: string, sort: Sort | null | undefined): Sort | null {
  const first = firstSort(by);
  if (sort?.by !== by) {
    return first;
  }
  return sort.descending === first.descending && by !== "number" ? { by, descending: !first.descending } : null;
}

interface TableRowProps {
  id: string;
  index: number;
  row: Row | undefined;
  top: number;
  isCurrent: boolean;
  isCursor: boolean;
  compact: boolean;
  columns: readonly Column[];
  onOpen: (index: number) => void;
}

/** Drawn again only if something about it changed: scrolling draws the few rows that come into sight. */
class TableRow extends Component<TableRowProps> {
  override shouldComponentUpdate(next: TableRowProps): boolean {
    return (Object.keys(next) as (keyof TableRowProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render(): JSX.Element {
    const { id, index, row, top, isCurrent, isCursor, compact, onOpen } = this.props;
    const classes = ["row", row?.kind, row?.deleted && "deleted", isCurrent && "current", isCursor && "cursor"];
    return (
      <div
        id={id}
        role="row"
        class={classes.filter(Boolean).join(" ")}
        aria-rowindex={index + (compact ? 1 : 2)}
        aria-selected={isCurrent}
        style={{ transform: `translateY(${top}px)` }}
        onClick={() => onOpen(index)}
      >
        {this.cells()}
      </div>
    );
  }

  private cells(): ComponentChildren {
    const { row, compact, columns } = this.props;
    if (row === undefined) {
      return (
        <div class="cell waiting" role="gridcell">
          …
        </div>
      );
    }
    if (compact) {
      return <TwoLines row={row} />;
    }
    if (row.kind === "game") {
      return columns.map((column) => (
        <div key={column.name} role="gridcell" class={`cell ${column.name} ${column.align ?? ""}`} style={cellStyle(column)}>
          {column.text(row)}
        </div>
      ));
    }
    return (
      <>
        <div class="cell number right" role="gridcell" style={cellStyle(columns[0]!)}>
          {row.number}
        </div>
        <div class="cell title" role="gridcell">
          {titleOf(row)}
        </div>
      </>
    );
  }
}
