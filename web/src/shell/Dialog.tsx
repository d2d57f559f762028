import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { t } from "../translation";

interface DialogProps {
  title: string;
  /** What opens it. */
  button: (open: () => void) => JSX.Element;
  class?: string;
  children: ComponentChildren;
}

/** A dialog, and the button that opens it; its buttons close it unless they are of type “button”. */
export function Dialog({ title, button, children, ...more }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      {button(() => dialog.current!.showModal())}
      <dialog
        ref={dialog}
        class={more.class}
        aria-label={title}
        onClick={(event) => event.target === dialog.current && dialog.current!.close()}
      >
        <form method="dialog">
          <div class="dialog-head">
            <h2>{title}</h2>
            <button class="plain" aria-label={t("Close")}>
              ×
            </button>
          </div>
          {children}
        </form>
      </dialog>
    </>
  );
}

interface ChoiceProps {
  name: string;
  chosen: boolean;
  disabled?: boolean;
  choose: (chosen: boolean) => void;
}

/** Something to be ticked. */
export function Choice({ name, chosen, disabled = false, choose }: ChoiceProps): JSX.Element {
  return (
    <label class="choice">
      <input type="checkbox" checked={chosen} disabled={disabled} onChange={(event) => choose(event.currentTarget.checked)} /> {name}
    </label>
  );
}
