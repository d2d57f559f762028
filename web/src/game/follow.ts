/** Keeps the current move in sight, without moving anything else on the page. */

/** So far from the edges a move is well in sight. */
const MARGIN = 40;

/** The part of the window that the moves have for themselves where the page scrolls as a whole: below the board, which
 * sticks to the top, and above the buttons, which stick to the bottom. */
function band(list: HTMLElement): { top: number; bottom: number } {
  const column = list.closest(".columns");
  const sticking = Array.from(column?.querySelectorAll(".board-column > .player") ?? []).at(-1);
  const isSticky = sticking && getComputedStyle(sticking).position === "sticky";
  const toolbar = column?.querySelector(".toolbar")?.getBoundingClientRect();
  return {
    top: isSticky ? sticking.getBoundingClientRect().bottom : 0,
    bottom: isSticky && toolbar ? Math.min(toolbar.top, innerHeight) : innerHeight,
  };
}

export function follow(list: HTMLElement): void {
  const move = list.querySelector<HTMLElement>(".move[aria-current]");
  if (getComputedStyle(list).overflowY === "auto") {
    followWithin(list, move);
  } else if (move && list.dataset["editing"] !== "true") {
    followInWindow(list, move);
  }
}

function followWithin(list: HTMLElement, move: HTMLElement | null): void {
  if (!move) {
    list.scrollTop = 0;
    return;
  }
  const box = list.getBoundingClientRect();
  const { top, bottom } = move.getBoundingClientRect();
  if (top < box.top + MARGIN || bottom > box.bottom - MARGIN) {
    list.scrollTop += (top + bottom - box.top - box.bottom) / 2;
  }
}

/** Only while moves are in sight: who reads what is below them wants to stay there. */
function followInWindow(list: HTMLElement, move: HTMLElement): void {
  const { top, bottom } = band(list);
  const box = list.getBoundingClientRect();
  if (Math.min(box.bottom, bottom) - Math.max(box.top, top) < MARGIN) {
    return;
  }
  const place = move.getBoundingClientRect();
  if (place.top < top + MARGIN / 2 || place.bottom > bottom - MARGIN / 2) {
    scrollBy({ top: (place.top + place.bottom - top - bottom) / 2, behavior: "instant" });
  }
}
