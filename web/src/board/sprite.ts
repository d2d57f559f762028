/** The pieces of all sets, put into the document once; `<use href="#wk">` is the white king of the chosen set. */

import { effect } from "@preact/signals";
import { pieceSet } from "../state";
import { PIECES, PIECE_SETS, spriteOf } from "./sets";

/** The id that cm-chessboard looks for: if it is there, the board loads nothing. */
const ID = "cm-chessboard-sprite";
const SVG = "http://www.w3.org/2000/svg";

/** Every set under names of its own, `modern-wk`. */
function allSets(): SVGSVGElement {
  const sprite = document.createElementNS(SVG, "svg");
  for (const set of PIECE_SETS) {
    const drawn = new DOMParser().parseFromString(spriteOf(set), "image/svg+xml").documentElement;
    for (const piece of PIECES) {
      drawn.querySelector(`#${piece}`)!.id = `${set}-${piece}`;
    }
    sprite.append(...drawn.children);
  }
  return sprite;
}

export function installSprite(): void {
  if (document.getElementById(ID)) {
    return;
  }
  const sprite = allSets();
  sprite.id = ID;
  sprite.setAttribute("aria-hidden", "true");
  sprite.setAttribute("class", "sprite");
  const chosen = PIECES.map((piece) => {
    const group = document.createElementNS(SVG, "g");
    group.id = piece;
    const use = group.appendChild(document.createElementNS(SVG, "use"));
    return { piece, group, use };
  });
  const definitions = sprite.appendChild(document.createElementNS(SVG, "defs"));
  definitions.append(...chosen.map(({ group }) => group));
  document.body.append(sprite);
  effect(() => {
    for (const { piece, use } of chosen) {
      use.setAttribute("href", `#${pieceSet.value}-${piece}`);
    }
  });
}
