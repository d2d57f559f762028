import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { t } from "../translation";
import { openCopied } from "./paste";
import { openFiles } from "./upload";

/** Choose files of this computer to look at. */
export function OpenButton({ class: kind = "" }: { class?: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={kind} onClick={() => input.current!.click()}>
        {t("Open files …")}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t("Files to open")}
        onChange={({ currentTarget }) => {
          const files = Array.from(currentTarget.files ?? []);
          currentTarget.value = "";
          void openFiles(files);
        }}
      />
    </>
  );
}

/** Look at games, or at a position, that were copied elsewhere. */
export function PasteButton({ close }: { close?: () => void }): JSX.Element {
  return (
    <button
      type="button"
      title={t("Games as PGN, or a position as FEN; Ctrl+V does the same")}
      onClick={() => void openCopied().then(close)}
    >
      {t("Paste PGN")}
    </button>
  );
}
