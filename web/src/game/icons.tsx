/** Icons of buttons: a few strokes on a ground of 20 x 20, in the colour of the text. */

import type { JSX } from "preact";

const PATHS = {
  first: "M14 4.5 7.5 10l6.5 5.5M5.5 4.5v11",
  back: "M12.5 4.5 6 10l6.5 5.5",
  forward: "M7.5 4.5 14 10l-6.5 5.5",
  last: "M6 4.5l6.5 5.5L6 15.5M14.5 4.5v11",
  play: "M6.5 4.5v11l9-5.5z",
  pause: "M7 4.5v11M13 4.5v11",
  flip: "M6.5 15.5v-11M6.5 4.5 3.8 7.2M6.5 4.5l2.7 2.7M13.5 4.5v11m0 0 2.7-2.7m-2.7 2.7-2.7-2.7",
  annotate: "M4 16l1-4 8.5-8.5 3 3L8 15l-4 1zM11.5 5.5l3 3",
  link: "M8.5 11.5l3-3M9.5 6 11 4.5a3.2 3.2 0 0 1 4.5 4.5L14 10.5M10.5 14 9 15.5a3.2 3.2 0 0 1-4.5-4.5L6 9.5",
  settings: "M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4",
  undo: "M7.5 4.5 4 8l3.5 3.5M4.5 8h6.5a4 4 0 0 1 0 8H8",
  redo: "M12.5 4.5 16 8l-3.5 3.5M15.5 8H9a4 4 0 0 0 0 8h3",
  up: "M10 16V4.5M5.5 9 10 4.5 14.5 9",
  top: "M10 17V7.5M6 11.5l4-4 4 4M5 4h10",
  delete: "M4.5 6h11M8 6V4h4v2M6 6l.8 10.5h6.400L14 6M8.5 9v5M11.5 9v5",
  cut: "M4 10h5M13 7l4 6M17 7l-4 6M11 3.5v13",
  table: "M3.5 4.500h13v11h-13zM3.5 8.200h13M3.5 11.800h13M10 4.500v11",
  book: "M10 5.500C8 4 5.500 4 3 4.500v11c2.500-.5 5-.5 7 1 2-1.500 4.500-1.500 7-1v-11c-2.500-.5-5-.5-7 1zM10 5.500v11",
  fold: "M5 3.500l5 4 5-4M5 16.500l5-4 5 4M4 10h12",
  unfold: "M5 7.500l5-4 5 4M5 12.500l5 4 5-4M4 10h12",
  setup: "M3.500 3.500h9v9h-9zM8 3.500v9M3.500 8h9M15.500 12v5M13 14.500h5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
