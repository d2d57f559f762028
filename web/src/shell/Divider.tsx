/** The line between two columns: drag it, or move it with the arrow keys; a double click lets the window decide again. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { listWidth, notationWidth } from "../state";
import { t } from "../translation";
import { limits, within, type Column } from "./widths";

const STEP = 16;
const LONG_STEP = 96;

const widthOf = (card: Element | null): number => card?.getBoundingClientRect().width ?? 0;

export function Divider({ column }: { column: Column }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const shown = useSignal({ now: 0, least: 0, most: 0 });
  const setting = column === "list" ? listWidth : notationWidth;
  const cards = (): [mine: Element | null, other: Element | null] => {
    const { previousElementSibling: before, nextElementSibling: after, parentElement: columns } = place.current!;
    const isList = column === "list";
    return [isList ? before : after, columns?.querySelector(isList ? ":scope > .notation" : ":scope > .side") ?? null];
  };
  const measure = (): void => {
    if (!place.current) {
      return; // the observer may report once more
    }
    const [mine, other] = cards();
    const [least, most] = limits(column, innerWidth, widthOf(other));
    shown.value = { now: Math.round(widthOf(mine)), least, most };
  };
  const change = (width: number): void => {
    const [, other] = cards();
    setting.value = within(width, limits(column, innerWidth, widthOf(other)));
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    cards().forEach((card) => card && observer.observe(card));
    return () => observer.disconnect();
  }, []);

  const startDragging = (event: PointerEvent): void => {
    if (event.button !== 0) {
      return;
    }
    event.preventDefault();
    const line = event.currentTarget as HTMLElement;
    line.focus();
    line.setPointerCapture(event.pointerId);
    const begun = { x: event.clientX, width: widthOf(cards()[0]) };
    const drag = ({ clientX }: PointerEvent): void => change(begun.width + (clientX - begun.x) * (column === "list" ? 1 : -1));
    const stop = (): void => {
      line.removeEventListener("pointermove", drag);
      line.removeEventListener("pointerup", stop);
      line.removeEventListener("pointercancel", stop);
    };
    line.addEventListener("pointermove", drag);
    line.addEventListener("pointerup", stop);
    line.addEventListener("pointercancel", stop);
  };

  const press = (event: KeyboardEvent): void => {
    const { least, most } = shown.peek();
    const step = (event.shiftKey ? LONG_STEP : STEP) * (column === "list" ? 1 : -1);
    const now = widthOf(cards()[0]);
    const next = { ArrowRight: now + step, ArrowLeft: now - step, Home: least, End: most }[event.key];
    if (next !== undefined) {
      change(next);
    } else if (event.key === "Enter") {
      setting.value = null;
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const { now, least, most } = shown.value;
  return (
    <div
      ref={place}
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={column === "list" ? t("Width of the list") : t("Width of the notation")}
      aria-valuenow={now}
      aria-valuemin={least}
      aria-valuemax={most}
      title={t("Drag to change the width; double-click to reset it")}
      data-own-keys
      onPointerDown={startDragging}
      onDblClick={() => (setting.value = null)}
      onKeyDown={press}
    />
  );
}
