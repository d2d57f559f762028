import type { JSX } from "preact";
import { languageOf } from "../api/sentences";
import { dismiss, notices } from "../state";
import { t } from "../translation";

export function Notices(): JSX.Element {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, sentence }) => (
        <p key={id} class={`notice ${kind}`}>
          <span lang={languageOf(sentence)}>{sentence}</span>
          <button type="button" class="plain" aria-label={t("Dismiss")} onClick={() => dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
