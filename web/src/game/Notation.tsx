import type { JSX } from "preact";
import { at, game, select } from "../state";
import { printOrder } from "./tree";

export function Notation(): JSX.Element {
  return (
    <p class="padded">
      {printOrder(game.value.tree)
        .slice(1)
        .map(({ id, san }) => (
          <button key={id} type="button" class="plain" aria-current={id === at.value} onClick={() => select(id)}>
            {san}
          </button>
        ))}
    </p>
  );
}
