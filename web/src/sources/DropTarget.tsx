/** The whole page takes files that are dropped on it, and what is pasted. */

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { report } from "../state";
import { t } from "../translation";
import { listenToPaste } from "./paste";
import { droppedFiles, openFiles, uploading } from "./upload";

const over = signal(false);

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;

function listen(): () => void {
  let depth = 0; // dragenter and dragleave come from every element on the way
  const handlers: [string, (event: DragEvent) => void][] = [
    ["dragenter", () => (over.value = ++depth > 0)],
    ["dragleave", () => (over.value = --depth > 0)],
    ["dragover", (event) => event.dataTransfer && (event.dataTransfer.dropEffect = "copy")],
    [
      "drop",
      (event) => {
        depth = 0;
        over.value = false;
        droppedFiles(event.dataTransfer!).then(openFiles, report);
      },
    ],
  ];
  const listeners = handlers.map(([name, handle]) => {
    const listener = (event: Event): void => {
      if (hasFiles(event as DragEvent)) {
        event.preventDefault();
        handle(event as DragEvent);
      }
    };
    addEventListener(name, listener);
    return () => removeEventListener(name, listener);
  });
  return () => listeners.forEach((remove) => remove());
}

export function DropTarget(): JSX.Element | null {
  useLayoutEffect(listen, []);
  useLayoutEffect(listenToPaste, []);
  if (!over.value && uploading.value === null) {
    return null;
  }
  return (
    <div class="drop-target" role="status">
      <p>{uploading.value ?? t("Drop it to look at it: databases and books of any format. Nothing is changed or kept.")}</p>
    </div>
  );
}
