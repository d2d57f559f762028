/** The font before the first picture of the page: letters that change their width later would make it jump. */

import "./fonts.css";

const FAMILY = '14px "Inter Variable"';
/** A server that does not answer at once does not keep the page back. */
const PATIENCE_MS = 1_500;

/** Load what a text needs of the font. */
export async function loadFont(text: string): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([document.fonts.load(FAMILY, text), patience]).catch(() => undefined);
}
