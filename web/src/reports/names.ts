/** Names as conditions and addresses: a player or an event with exactly this name. */

const BEGIN = "/^(?:";
const END = ")$/";

/** An expression that matches these names and no others; ASCII other than letters and digits may mean something in it. */
export const wholeNames = (names: readonly string[]): string => {
  const escaped = names.map((name) => name.replace(/[\x00-\x7f]/g, (letter) => (/\w/.test(letter) ? letter : `\\${letter}`)));
  return `${BEGIN}${escaped.join("|")}${END}`;
};

/** The names that such an expression was made from; null for any other text. */
export function namesOf(text: string): readonly string[] | null {
  if (!text.startsWith(BEGIN) || !text.endsWith(END) || text.length < BEGIN.length + END.length) {
    return null;
  }
  const names = [""];
  const inner = text.slice(BEGIN.length, -END.length);
  for (let place = 0; place < inner.length; place++) {
    const letter = inner[place]!;
    if (letter === "|") {
      names.push("");
    } else if (letter === "\\") {
      names[names.length - 1] += inner[++place] ?? "";
    } else if (/[\w\u0080-\uffff]/.test(letter)) {
      names[names.length - 1] += letter;
    } else {
      return null;
    }
  }
  return names;
}

/** A condition on names as people read it. */
export const readable = (text: string): string => namesOf(text)?.join(" / ") ?? text;

/** Several names in one parameter of an address, and back. */
const SEPARATOR = "\n";
export const joinedNames = (names: readonly string[]): string => names.join(SEPARATOR);
export const separateNames = (text: string | undefined): readonly string[] => (text ?? "").split(SEPARATOR).filter(Boolean);
