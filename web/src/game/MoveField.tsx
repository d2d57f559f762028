/** Moves that are typed. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { LegalMove } from "../api/types";
import { notify, playMove, position } from "../state";
import { t } from "../translation";
import { inEnglish, sanText } from "./letters";

/** Moves as people type them: check, praise and the x of captures do not matter, nor does case where it cannot mislead. */
export function typedMove(text: string, moves: readonly LegalMove[]): LegalMove | undefined {
  const bare = (san: string): string => san.replace(/[+#!?=x\s]/g, "").replace(/0/g, "O");
  const wanted = bare(text);
  return (
    moves.find(({ uci }) => uci === text.trim().toLowerCase()) ??
    moves.find(({ san }) => bare(san) === wanted) ??
    moves.find(({ san, promotion }) => bare(san) === `${wanted}Q` && promotion === "q") ??
    moves.find(({ san }) => bare(san).toLowerCase() === wanted.toLowerCase())
  );
}

export function MoveField(): JSX.Element {
  const text = useSignal("");
  function play(event: Event): void {
    event.preventDefault();
    const isNull = /^(--|0000|null|pass|Z0)$/i.test(text.value.trim());
    const moves = position.value?.moves ?? [];
    // The chosen letters before English ones: “Dd4” is a queen's move in German, and “bb4” a pawn's in any language.
    const move = isNull ? position.value?.null_move : (typedMove(inEnglish(text.value.trim()), moves) ?? typedMove(text.value, moves));
    if (move) {
      text.value = "";
      void playMove(move.uci);
    } else if (text.value.trim()) {
      notify(t("“{move}” is not a move that is possible here.", { move: text.value.trim() }), "error");
    }
  }
  return (
    <form class="move-field" onSubmit={play}>
      <input
        aria-label={t("Play a move")}
        placeholder={t("Play a move: {example}", { example: sanText("Nf3") })}
        autoComplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <button>{t("Play")}</button>
    </form>
  );
}
