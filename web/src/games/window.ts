/**
 * Arithmetic of virtual scrolling: which rows are to be drawn, and where.
 *
 * Browsers do not draw elements of any height (Chromium ends at some 33 million pixels, Firefox earlier), and 2.3 million
 * rows are higher than that. So the element is at most `MAX_HEIGHT` high, and a *shift* says how far its pixels are off
 * from those of the whole list. Small movements (wheel, keys, a finger) leave the shift alone, so they move rows pixel by
 * pixel; a leap (the scroll bar is dragged) sets it anew in proportion, so that the end of the bar is the end of the list.
 */

/** Height of the element that scrolls, at most, in pixels. */
export const MAX_HEIGHT = 6_000_000;

/** Rows that are drawn above and below what is seen, so that scrolling never shows a gap. */
export const OVERSCAN = 8;

export interface Extent {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of what is seen. */
  readonly viewport: number;
}

export interface Scroll {
  /** Of the element, in pixels, as the browser knows it. */
  readonly top: number;
  /** What must be added to get the place in the whole list. */
  readonly shift: number;
}

export interface Span {
  readonly first: number;
  /** One after the last. */
  readonly end: number;
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** Height that all rows have together. */
export const fullHeight = ({ rows, rowHeight }: Extent): number => rows * rowHeight;

/** Height of the element. */
export const elementHeight = (extent: Extent): number => Math.min(fullHeight(extent), MAX_HEIGHT);

const mostTop = (extent: Extent): number => Math.max(0, elementHeight(extent) - extent.viewport);
const mostPlace = (extent: Extent): number => Math.max(0, fullHeight(extent) - extent.viewport);

/** The shift that a place of the scroll bar has in proportion. */
const proportionalShift = (extent: Extent, top: number): number => {
  const most = mostTop(extent);
  return most === 0 ? 0 : Math.round((top / most) * (mostPlace(extent) - most));
};

/** Place in the whole list, in pixels from its top. */
export const placeOf = (extent: Extent, scroll: Scroll): number =>
  clamp(scroll.top + scroll.shift, 0, mostPlace(extent));

/**
 * Return the scroll after the browser moved to `top`.
 *
 * The ends of the element are those of the list whatever came before, and `top` may have to change: whoever rolls up to
 * the top of the element while rows are left above is set back a little.
 */
export const scrolled = (extent: Extent, before: Scroll, top: number): Scroll => {
  const spare = mostPlace(extent) - mostTop(extent);
  if (spare <= 0) return { top, shift: 0 };
  const leapt = Math.abs(top - before.top) > extent.viewport * 2;
  const shift = leapt ? proportionalShift(extent, top) : clamp(before.shift, 0, spare);
  const place = clamp(top + shift, 0, mostPlace(extent));
  const atEdge = (top <= 0 && place > 0) || (top >= mostTop(extent) && place < mostPlace(extent));
  return leapt || !atEdge ? { top, shift } : scrollTo(extent, place);
};

/** Return the scroll that shows the place at the top of what is seen. */
export const scrollTo = (extent: Extent, place: number): Scroll => {
  const most = mostPlace(extent);
  const wanted = clamp(place, 0, most);
  const spare = most - mostTop(extent);
  if (spare <= 0) return { top: wanted, shift: 0 };
  const top = Math.round((wanted / most) * mostTop(extent));
  return { top, shift: wanted - top };
};

/** Return the scroll that shows a row, moving as little as possible; the one before if it is seen already. */
export const scrollToRow = (extent: Extent, before: Scroll, row: number): Scroll => {
  const place = placeOf(extent, before);
  const top = row * extent.rowHeight;
  const lowest = top + extent.rowHeight - extent.viewport;
  if (top < place) return near(extent, before, top);
  return lowest > place ? near(extent, before, lowest) : before;
};

/** Keep the shift if the place is near, so that nothing jumps. */
const near = (extent: Extent, before: Scroll, place: number): Scroll => {
  const top = place - before.shift;
  return top > 0 && top < mostTop(extent) && Math.abs(top - before.top) <= extent.viewport
    ? { top, shift: before.shift }
    : scrollTo(extent, place);
};

/** Rows that are seen. */
export const visibleRows = (extent: Extent, scroll: Scroll): Span => {
  const place = placeOf(extent, scroll);
  const first = Math.floor(place / extent.rowHeight);
  const end = Math.ceil((place + extent.viewport) / extent.rowHeight);
  return { first: Math.min(first, extent.rows), end: Math.min(end, extent.rows) };
};

/** Rows that are drawn: those that are seen, and some around them. */
export const drawnRows = (extent: Extent, scroll: Scroll): Span => {
  const seen = visibleRows(extent, scroll);
  return { first: Math.max(0, seen.first - OVERSCAN), end: Math.min(extent.rows, seen.end + OVERSCAN) };
};

/** Where a row is drawn inside the element, in pixels from its top. */
export const rowTop = (extent: Extent, scroll: Scroll, row: number): number => row * extent.rowHeight - scroll.shift;

/** Numbers of the pages (of `size` rows) that hold the rows. */
export const pagesOf = (span: Span, size: number): number[] => {
  const pages: number[] = [];
  for (let page = Math.floor(span.first / size); page * size < span.end; page++) pages.push(page);
  return pages;
};
