/** The pieces, drawn by tabiya itself (`tabiya.chess.svg`): put into the document once, used as `<use href="#wk">`. */

import drawings from "./pieces.svg?raw";

/** The id that cm-chessboard looks for: if it is there, the board loads nothing. */
const ID = "cm-chessboard-sprite";

export function installSprite(): void {
  if (!document.getElementById(ID)) {
    const sprite = new DOMParser().parseFromString(drawings, "image/svg+xml").documentElement;
    sprite.id = ID;
    sprite.setAttribute("aria-hidden", "true");
    sprite.setAttribute("class", "sprite");
    document.body.append(document.importNode(sprite, true));
  }
}
