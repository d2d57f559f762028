/** The clipboard, as far as the browser lets a page have it: over plain HTTP from another machine it does not. */

import { ApiError } from "../api/client";
import { notify, report } from "../state";
import { t } from "../translation";

function refused(sentence: string): ApiError {
  return new ApiError(sentence, 0, "clipboard");
}

/** Put a text into the clipboard, and say so. */
export async function copy(text: string | Promise<string>, said: string): Promise<void> {
  try {
    await written(await text);
    notify(said);
  } catch (error) {
    report(error);
  }
}

async function written(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw refused(t("The browser does not let the page write to the clipboard."));
  }
}

/** The text in the clipboard; browsers ask their user first. */
export async function copied(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    throw refused(t("The browser does not show the clipboard to the page: press Ctrl+V (on a Mac ⌘V) instead."));
  }
}
