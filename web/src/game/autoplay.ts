/** The moves by themselves, one after the other, until the line ends or somebody steps in. */

import { batch, computed, effect, signal } from "@preact/signals";
import { at, forward, game } from "../state";

const PACE_MS = 1_600;

export const playing = signal(false);

/** Which move of which record is on the board. */
const here = computed(() => `${game.value.source}/${game.value.number}/${at.value}`);
let expected = "";
let timer: ReturnType<typeof setTimeout> | undefined;

function step(): void {
  batch(() => {
    playing.value = forward();
    expected = here.peek();
  });
  if (playing.peek()) {
    timer = setTimeout(step, PACE_MS);
  }
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
  if (here.value !== expected) {
    playing.value = false;
    clearTimeout(timer);
  }
  expected = here.value;
});
