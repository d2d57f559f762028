/** Guiding texts as the server gives them: blocks of spans, without any markup. */

import type { Block, Text } from "../api/types";

export type { Block, Span, Text } from "../api/types";

/** Blocks with items that follow each other put together into lists. */
export type Part = { items: Block[]; ordered: boolean } | { block: Block };

export function partsOf(blocks: readonly Block[]): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (block.type !== "item") {
      parts.push({ block });
    } else if (last && "items" in last && last.ordered === (block.ordered ?? false)) {
      last.items.push(block);
    } else {
      parts.push({ items: [block], ordered: block.ordered ?? false });
    }
  }
  return parts;
}

/** The text in the chosen language, else in one that holds for all, else the first. */
export function chosenText(texts: readonly Text[], language: string): Text | null {
  const of = (wanted: string): Text | undefined => texts.find((text) => text.language === wanted);
  return of(language) ?? of("") ?? of("ENG") ?? texts[0] ?? null;
}

const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;
const SAFE_MEDIA = /^\/api\/sources\//;

/** The server promises such links only; the page does not rely on it. */
export const safeLink = (link: string | null | undefined): string | null => (link && SAFE_LINK.test(link) ? link : null);
export const safeMedia = (url: string | null | undefined): string | null => (url && SAFE_MEDIA.test(url) ? url : null);
export const safeColor = (color: string | null | undefined): string | null =>
  color && /^#[0-9a-f]{6}$/i.test(color) ? color : null;
