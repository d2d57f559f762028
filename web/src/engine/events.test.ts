import { describe, expect, it } from "vitest";
import { EventParser, readEvents } from "./events";

const TEXT = 'event: line\ndata: {"kind":"line","n":1}\n\n: no news\n\nevent: done\ndata: {"kind":"done",\ndata: "n":2}\n\n';

describe("events of a stream", () => {
  it.each([1, 2, 7, 1000])("are the same however the stream is cut (%i characters)", (size) => {
    const parser = new EventParser();
    const found = [];
    for (let place = 0; place < TEXT.length; place += size) {
      found.push(...parser.take(TEXT.slice(place, place + size)));
    }
    expect(found).toEqual([{ kind: "line", n: 1 }, { kind: "done", n: 2 }]);
  });

  it("come together if they arrive together, and an unfinished one never", async () => {
    const handed: unknown[][] = [];
    await readEvents(new Response(`${TEXT}data: {"kind":"li`), (events) => handed.push(events));
    expect(handed).toEqual([[{ kind: "line", n: 1 }, { kind: "done", n: 2 }]]);
  });
});
