/** Texts in the language of the reader. The English text is the key: where a translation is missing, it is shown. */

/** Languages of the page, each named in itself. A language other than English has a table beside this module. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", fr: "Français", ru: "Русский" } as const;
export type Language = keyof typeof LANGUAGES;

type Values = Readonly<Record<string, string | number>>;
/** A text, or, for texts that contain a number, one form for each category of `Intl.PluralRules`. */
type Table = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const KEY = "tabiya.interface";
const TABLES = import.meta.glob<Table>("./*.json", { import: "default" });

let table: Table = {};
let shown: Language = "en";
let plural = new Intl.PluralRules("en");

/** The language that this browser has been told to use, or null if it follows the browser. */
export function chosenLanguage(): Language | null {
  try {
    const stored = localStorage.getItem(KEY);
    return stored !== null && stored in LANGUAGES ? (stored as Language) : null;
  } catch {
    return null; // no storage, as in some private windows
  }
}

/** Choose a language, or follow the browser, and show the page in it. */
export function chooseLanguage(language: Language | null): void {
  try {
    if (language === null) {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, language);
    }
  } catch {
    // It is forgotten with the page.
  }
  location.reload();
}

/** The language of the page: the chosen one, else the first that the browser prefers and the page has. */
export function languageOf(chosen: Language | null, preferred: readonly string[]): Language {
  const known = preferred.map((tag) => tag.toLowerCase().split("-")[0]!).find((tag) => tag in LANGUAGES);
  return chosen ?? (known as Language | undefined) ?? "en";
}

/** The language that the page is shown in. */
export const language = (): Language => shown;

/** Load the table of the language. It must be there before any module that calls `t` is evaluated. */
export async function loadTranslation(language: Language): Promise<void> {
  shown = language;
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  table = (await TABLES[`./${language}.json`]?.()) ?? {};
}

/** A text, with values in the place of `{name}`. */
export function t(text: string, values: Values = {}): string {
  const found = table[text];
  return fill(typeof found === "string" ? found : text, values);
}

/** A text about `number` things, which stands in the place of `{n}` unless `values` gives it another form. */
export function tn(number: number, one: string, many: string, values: Values = {}): string {
  const forms = table[many];
  const form = typeof forms === "object" ? (forms[plural.select(number)] ?? forms["other"]) : undefined;
  return fill(form ?? (number === 1 ? one : many), { n: number, ...values });
}

const LITERAL = /[.*+?^${}()|[\]\\]/g;

/** For texts that arrive in English: gives one of this form in the language of the page, and null for all others. */
export function sentence(form: string): (text: string) => string | null {
  const names = Array.from(form.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  const parts = form.split(/\{\w+\}/).map((part) => part.replace(LITERAL, "\\$&"));
  const pattern = new RegExp(`^${parts.join("(.*?)")}$`, "s");
  return (text) => {
    const found = pattern.exec(text);
    return found && t(form, Object.fromEntries(names.map((name, index) => [name, found[index + 1]!])));
  };
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => (name in values ? String(values[name]) : place));
}
