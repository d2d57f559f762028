/** What the sources of the page say about texts: for the test of the translations. It is in no bundle. */

import ts from "typescript";

export interface Use {
  file: string;
  line: number;
  /** The key; null if it is not a literal. */
  text: string | null;
  /** Whether it is a text about a number (`tn`). */
  plural: boolean;
  /** Names in braces, and those that values are given for; null if that cannot be seen. */
  values: readonly string[] | null;
}

export interface Finding {
  file: string;
  line: number;
  text: string;
}

/** Attributes that people read or hear. */
const SPOKEN = new Set(["title", "aria-label", "placeholder", "alt", "label", "aria-description", "aria-roledescription", "legend", "long"]);
/** Functions that show a text, and which of their arguments it is. */
const SHOWING: Readonly<Record<string, number>> = { notify: 0, copy: 1, refused: 0, countOf: 1 };
/** Words that are the same in all languages. */
const SAME = /^(?:tabiya(?: serve.*)?|PGN|FEN|ECO|Elo|Chess960|UCI|Lichess|ChessBase|MB|kB)$/;

const isWord = (text: string): boolean => /\p{L}{2,}/u.test(text) && !SAME.test(text.trim());

function literal(node: ts.Node | undefined): string | null {
  return node && (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) ? node.text : null;
}

/** Names of the values given to a text: the properties of an object literal. */
function valuesOf(node: ts.Expression | undefined): string[] | null {
  if (!node) {
    return [];
  }
  if (!ts.isObjectLiteralExpression(node)) {
    return null;
  }
  const names = node.properties.map((property) => (property.name && ts.isIdentifier(property.name) ? property.name.text : null));
  return names.every((name) => name !== null) ? (names as string[]) : null;
}

/** Literals that an expression may have as its value: both sides of a choice, but not what is compared. */
function literalsOf(node: ts.Expression): ts.Expression[] {
  const found: ts.Expression[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (ts.isConditionalExpression(next)) {
      waiting.push(next.whenTrue, next.whenFalse);
    } else if (ts.isBinaryExpression(next)) {
      const isChoice = [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.PlusToken];
      waiting.push(...(isChoice.includes(next.operatorToken.kind) ? [next.left, next.right] : [next.right]));
    } else if (ts.isParenthesizedExpression(next)) {
      waiting.push(next.expression);
    } else if (ts.isTemplateExpression(next) || literal(next) !== null) {
      found.push(next);
    }
  }
  return found;
}

/** The text of a literal; of a template what stands between its values. */
const wordsOf = (node: ts.Expression): string =>
  ts.isTemplateExpression(node) ? [node.head, ...node.templateSpans.map((span) => span.literal)].map(({ text }) => text).join(" ") : (literal(node) ?? "");

/** Which texts a file asks for, and which it shows without asking. */
export function read(file: string, source: string): { uses: Use[]; untranslated: Finding[] } {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const uses: Use[] = [];
  const untranslated: Finding[] = [];
  const lineOf = (node: ts.Node): number => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  const note = (node: ts.Expression): void => {
    for (const found of literalsOf(node)) {
      if (isWord(wordsOf(found))) {
        untranslated.push({ file, line: lineOf(found), text: wordsOf(found).trim() });
      }
    }
  };
  const waiting: ts.Node[] = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text: name } = node.expression;
      if (name === "t" || name === "sentence") {
        uses.push({ file, line: lineOf(node), text: literal(node.arguments[0]), plural: false, values: name === "t" ? valuesOf(node.arguments[1]) : null });
      } else if (name === "tn") {
        const values = valuesOf(node.arguments[3]);
        uses.push({ file, line: lineOf(node), text: literal(node.arguments[2]), plural: true, values: values && ["n", ...values] });
      } else if (name in SHOWING && node.arguments[SHOWING[name]!]) {
        note(node.arguments[SHOWING[name]!]!);
      }
    } else if (ts.isJsxText(node) && isWord(node.text)) {
      untranslated.push({ file, line: lineOf(node), text: node.text.trim() });
    } else if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) {
      note(node.expression);
    } else if (ts.isJsxAttribute(node) && node.initializer && SPOKEN.has(node.name.getText(tree))) {
      if (ts.isJsxExpression(node.initializer)) {
        node.initializer.expression && note(node.initializer.expression);
      } else if (isWord(literal(node.initializer) ?? "")) {
        untranslated.push({ file, line: lineOf(node), text: literal(node.initializer)! });
      }
    } else if (ts.isPropertyAssignment(node) && SPOKEN.has(node.name.getText(tree).replace(/["']/g, ""))) {
      note(node.initializer);
    }
    ts.forEachChild(node, (child) => void waiting.push(child));
  }
  return { uses, untranslated };
}

/** The names in braces. */
export const placesOf = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();
