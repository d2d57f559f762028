import type { JSX } from "preact";
import { isFigurine, sanText, withFigurines } from "./letters";

/** A move in standard notation, with the letters that are chosen. The glyph of a figurine stands for its letter. */
export function San({ san }: { san: string }): JSX.Element {
  return (
    <>
      {isFigurine.value
        ? withFigurines(san).map((part, index) =>
            typeof part === "string" ? part : <span key={index} class={`figurine ${part.piece}`}>{part.piece}</span>,
          )
        : sanText(san)}
    </>
  );
}
