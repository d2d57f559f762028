/** The moves by themselves, one after the other, until the line ends or somebody steps in. */

import { effect, signal } from "@preact/signals";
import { at, forward } from "../state";

const PACE_MS = 1_600;

export const playing = signal(false);

let expected = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function step(): void {
  if (!forward()) {
    playing.value = false;
    return;
  }
  expected = at.peek();
  timer = setTimeout(step, PACE_MS);
}

export const autoplay = {
  toggle(): void {
    playing.value = !playing.peek();
    clearTimeout(timer);
    if (playing.peek()) {
      step();
    }
  },
};

effect(() => {
  if (at.value !== expected && playing.peek()) {
    playing.value = false;
    clearTimeout(timer);
  }
  expected = at.value;
});
