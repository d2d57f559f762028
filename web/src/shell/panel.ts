import type { ComponentType } from "preact";
import type { Tab } from "../state";

/** What a room of the page gives to the shell. */
export interface Panel {
  tab: Exclude<Tab, "board">;
  /** The name of the tab. */
  title: string;
  /** `side`: a column beside the board; `whole`: all the room below the header. */
  place: "side" | "whole";
  Component: ComponentType;
}
