import { describe, expect, it } from "vitest";
import { chosenText, partsOf, safeColor, safeLink, safeMedia, type Block, type Text } from "./blocks";

describe("guiding texts", () => {
  it("put items that follow each other into lists", () => {
    const item = (ordered: boolean): Block => ({ type: "item", ordered });
    const rule: Block = { type: "rule" };
    const parts = partsOf([item(false), item(false), item(true), rule, item(true)]);
    expect(parts.map((part) => ("items" in part ? part.items.length : part.block.type))).toEqual([2, 1, "rule", 1]);
  });
  it("are shown in the chosen language, else in one that is there", () => {
    const text = (language: string): Text => ({ language, blocks: [] });
    expect(chosenText([text("GER"), text("ENG")], "GER")?.language).toBe("GER");
    expect(chosenText([text("GER"), text("ENG")], "FRA")?.language).toBe("ENG");
    expect(chosenText([text("GER"), text("")], "FRA")?.language).toBe("");
    expect(chosenText([text("GER")], "FRA")?.language).toBe("GER");
    expect(chosenText([], "")).toBeNull();
  });
  it("lead nowhere but to pages and mail, and show only what the server serves", () => {
    expect(["https://a.example", "HTTP://b", "mailto:c@d"].map(safeLink)).toEqual(["https://a.example", "HTTP://b", "mailto:c@d"]);
    for (const link of ["javascript:alert(1)", " javascript:x", "data:text/html,x", "//evil", "file:///etc/passwd", "", null]) {
      expect(safeLink(link)).toBeNull();
    }
    expect(safeMedia("/api/sources/s1/media/a.png")).toBe("/api/sources/s1/media/a.png");
    for (const url of ["https://evil/a.png", "data:image/svg+xml,x", "/etc", null]) expect(safeMedia(url)).toBeNull();
    expect(safeColor("#12abEF")).toBe("#12abEF");
    for (const color of ["red", "#12abEF;background:url(x)", "", null]) expect(safeColor(color)).toBeNull();
  });
});
