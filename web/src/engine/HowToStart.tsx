import type { JSX } from "preact";
import { t } from "../translation";

/** What to do if the server has no engine. */
export function HowToStart(): JSX.Element {
  return (
    <div class="engine-how">
      <p>{t("tabiya runs any UCI engine that you name, and none by itself. Install one, for example Stockfish from your package manager or stockfishchess.org, and start the page with it:")}</p>
      <code>tabiya serve --engine stockfish</code>
    </div>
  );
}
