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

const MOST_FRAMES = 6;

/** Bring the current move into sight, at once; returns what stops that.
 *
 * In long games what is out of sight has no more than an estimated height, so the place of the move is known for good
 * only when its neighbourhood has been drawn: a few frames follow, and then `done`.
 *
 * Where the page scrolls as a whole it stays as it is if the move was in sight before (`isSame`): an analysis that writes
 * its findings into the moves pulls nobody away from its report.
 */
export function follow(list: HTMLElement, isSame: boolean, done: () => void): () => void {
  let frame = 0;
  const step = (frames: number): void => {
    if (bring(list, isSame) && frames > 0) {
      frame = requestAnimationFrame(() => step(frames - 1));
    } else {
      done();
    }
  };
  step(MOST_FRAMES);
  return () => cancelAnimationFrame(frame);
}

/** Scroll to the current move; says whether that was necessary. */
function bring(list: HTMLElement, isSame: boolean): boolean {
  const move = list.querySelector<HTMLElement>(".move[aria-current]");
  if (getComputedStyle(list).overflowY === "auto") {
    return bringWithin(list, move);
  }
  return move !== null && !isSame && list.dataset["editing"] !== "true" && bringInWindow(list, move);
}

function bringWithin(list: HTMLElement, move: HTMLElement | null): boolean {
  if (!move) {
    list.scrollTop = 0;
    return false;
  }
  const box = list.getBoundingClientRect();
  const { top, bottom } = move.getBoundingClientRect();
  const isAway = top < box.top + MARGIN || bottom > box.bottom - MARGIN;
  if (isAway) {
    list.scrollTop += (top + bottom - box.top - box.bottom) / 2;
  }
  return isAway;
}

/** Only while moves are in sight: who reads what is below them wants to stay there. */
function bringInWindow(list: HTMLElement, move: HTMLElement): boolean {
  const { top, bottom } = band(list);
  const box = list.getBoundingClientRect();
  if (Math.min(box.bottom, bottom) - Math.max(box.top, top) < MARGIN) {
    return false;
  }
  const place = move.getBoundingClientRect();
  const isAway = place.top < top + MARGIN / 2 || place.bottom > bottom - MARGIN / 2;
  if (isAway) {
    scrollBy({ top: (place.top + place.bottom - top - bottom) / 2, behavior: "instant" });
  }
  return isAway;
}
