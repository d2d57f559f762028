import { beforeAll, expect, it, vi } from "vitest";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

it("keeps what is drawn or typed before the vocabulary is there", async () => {
  const { draft, setCondition } = await import("./draft");
  const { vocabulary } = await import("../state");
  setCondition("board", "Ke1");
  vocabulary.value = { headers: [], position: [], sort: [], nags: [], languages: [], piece_letters: [], colors: [] };
  expect(draft.value).toEqual({ board: "Ke1" });
});
