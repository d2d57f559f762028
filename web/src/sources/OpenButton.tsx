import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { openFiles } from "./upload";

/** Choose files of this computer to look at. */
export function OpenButton({ class: kind = "" }: { class?: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={kind} onClick={() => input.current!.click()}>
        Open files …
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to open"
        onChange={({ currentTarget }) => {
          const files = Array.from(currentTarget.files ?? []);
          currentTarget.value = "";
          void openFiles(files);
        }}
      />
    </>
  );
}
