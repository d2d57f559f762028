/** Server-sent events, read from a response: unlike EventSource, a refusal comes with its sentence. */

/** Splits a stream into events, however its pieces are cut. */
export class EventParser<T> {
  private rest = "";

  /** The events that this piece completes; comments are left out. */
  take(piece: string): T[] {
    const blocks = (this.rest + piece).split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const data = block
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5));
      return data.length ? [JSON.parse(data.join("\n")) as T] : [];
    });
  }
}

/** Hand over events as they arrive, those of one piece together, until the stream ends. */
export async function readEvents<T>(response: Response, handle: (events: T[]) => void): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser<T>();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    const events = parser.take(value ?? "");
    if (events.length) {
      handle(events);
    }
  }
}
