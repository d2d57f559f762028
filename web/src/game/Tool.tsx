import type { JSX } from "preact";
import { Icon, type IconName } from "./icons";

interface ToolProps {
  icon: IconName;
  name: string;
  act: () => void;
  disabled?: boolean;
  pressed?: boolean | undefined;
  /** Whether the name stands beside the icon where there is space. */
  worded?: boolean;
}

/** A button with an icon; its name is a hint, and what screen readers say. */
export function Tool({ icon, name, act, disabled = false, pressed, worded = false }: ToolProps): JSX.Element {
  return (
    <button
      type="button"
      class={worded ? "tool worded" : "tool"}
      title={name}
      aria-label={name}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={act}
    >
      <Icon name={icon} />
      {worded && <span>{name}</span>}
    </button>
  );
}
