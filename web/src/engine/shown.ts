/** Whether the report is wanted: “Analyse this game” leads to it, among the tabs below the notation. */

import { signal } from "@preact/signals";

/** Set back by what shows the report. */
export const reportWanted = signal(false);
export const showReport = (): void => void (reportWanted.value = true);
