/** Tags of a game by name; of a tag given twice, the first. */
export function tagsOf(tags: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map([...tags].reverse());
}

/** The tags with one of them set, in its place or at the end; an empty text removes it. */
export function withTag(tags: readonly [string, string][], name: string, text: string): [string, string][] {
  if (!text) {
    return tags.filter(([other]) => other !== name);
  }
  const place = tags.findIndex(([other]) => other === name);
  return place < 0 ? [...tags, [name, text]] : tags.map((tag, index) => (index === place ? [name, text] : tag));
}
