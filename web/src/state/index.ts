/** What the rooms of the page share. README.md describes it; everything else is a room's own business. */

export * from "./game";
export * from "./notices";
export * from "./route";
export * from "./settings";
export * from "./sources";
