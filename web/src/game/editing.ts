import { signal } from "@preact/signals";

/** Whether the tools for annotating are shown. Moves can be played at any time. */
export const editing = signal(false);
/** Whether the explorer, which is folded while one annotates, is shown all the same. */
export const explorerWhileEditing = signal(false);
/** Colour that the first mouse button or a finger draws with; null: it moves pieces. */
export const pen = signal<string | null>(null);
