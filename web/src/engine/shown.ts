/** Which of the tabs below the notation is wanted: “Analyse this game” leads to its report. */

import { signal } from "@preact/signals";

/** Counts the wishes to see the report. */
export const reportWanted = signal(0);
export const showReport = (): void => void (reportWanted.value += 1);
