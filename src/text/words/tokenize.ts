import { stemmer } from "stemmer";
import { normalized } from "../../core/kernel/text.ts";

/** Where a piece of text stands, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type TokenKind = "word" | "number" | "date" | "time" | "version" | "url" | "mark";

/** One word, number or mark of a text. */
export interface Token extends Span {
  readonly kind: TokenKind;
  /** As written; for a part of a contraction, the full word (`not` of `isn't`). */
  readonly text: string;
  readonly lower: string;
  /** What the regular forms of the word share. */
  readonly stem: string;
  /** Begins with a capital letter. */
  readonly capital: boolean;
  /** Nothing stands between it and the token before. */
  readonly glued: boolean;
}

/** Characters of a text that are read: memories are short, and what a long one says first is what it is about. */
export const READ_MAX = 1_500;

const SHAPES: readonly (readonly [TokenKind, string])[] = [
  ["url", "(?:https?|ftp|s3|ssh|file)://[^\\s<>\"')\\]]+"],
  [
    "date",
    "\\d{4}-\\d{1,2}-\\d{1,2}(?![\\d-])|\\d{4}/\\d{1,2}/\\d{1,2}(?![\\d/])|\\d{1,2}/\\d{1,2}/\\d{4}(?!\\d)|\\d{1,2}\\.\\d{1,2}\\.\\d{4}(?!\\d)",
  ],
  ["time", "\\d{1,2}:\\d{2}(?::\\d{2})?(?![\\d:])"],
  ["version", "[vV]\\d+(?:\\.\\d+)*(?![\\p{L}\\d])|\\d+(?:\\.\\d+){2,}"],
  [
    "number",
    "(?<![\\p{L}\\p{N}\\p{Sc}.)\\]])[-−](?=\\d)\\d+(?:\\.\\d+)?|\\d{1,3}(?:[,'\u2019]\\d{3})+(?:\\.\\d+)?(?!\\d)|\\d+(?:\\.\\d+)?|\\.\\d+",
  ],
  ["word", "[A-Z]{1,10}-\\d+|[\\p{L}_][\\p{L}\\p{M}\\p{N}_]*(?:(?:[.@&]|['\u2019])[\\p{L}\\p{N}_]+)*[+#]*"],
  ["mark", "\\S"],
];
const TOKEN = new RegExp(SHAPES.map(([, pattern]) => `(${pattern})`).join("|"), "gu");

/** Words that a pronoun and an apostrophe stand for; after any other word `'s` is a possessive. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ["s", "is"],
  ["m", "am"],
  ["re", "are"],
  ["ve", "have"],
  ["ll", "will"],
  ["d", "would"],
]);
const BEFORE_SHORT_IS =
  /^(?:it|that|this|he|she|there|here|what|who|where|how|let|everyone|everything|nothing|one|so)$/i;
const NEGATED_STEMS: ReadonlyMap<string, string> = new Map([
  ["ca", "can"],
  ["wo", "will"],
  ["sha", "shall"],
]);

/** Splits a text into words, numbers and marks; contractions become the words that they stand for. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const read = text.slice(0, READ_MAX);
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(read); match !== null; match = TOKEN.exec(read)) {
    const kind = kindOf(match);
    for (const part of kind === "word" ? partsOf(match[0], match.index) : [plain(match[0], match.index)]) {
      const before = tokens.at(-1)?.end ?? 0;
      tokens.push({ ...toToken(kind, part), glued: part.start === before && part.start > 0 });
    }
  }
  return tokens;
}

function kindOf(match: RegExpExecArray): TokenKind {
  for (let i = SHAPES.length; i > 0; i--) if (match[i] !== undefined) return SHAPES[i - 1]?.[0] ?? "mark";
  return "mark";
}

type WordPart = Span & { readonly text: string };

const plain = (text: string, start: number): WordPart => ({ text, start, end: start + text.length });

/** The words of a contraction; one word for all others. */
function partsOf(written: string, start: number): WordPart[] {
  const end = start + written.length;
  if (/^cannot$/i.test(written)) return both(written.slice(0, 3), "not", { start, end, cut: 3 });
  const index = Math.max(written.lastIndexOf("'"), written.lastIndexOf("\u2019"));
  if (index <= 0) return [plain(written, start)];
  const before = written.slice(0, index);
  const after = written.slice(index + 1).toLowerCase();
  if (after === "t" && /n$/i.test(before)) {
    const verb = before.slice(0, -1);
    return both(NEGATED_STEMS.get(verb.toLowerCase()) ?? verb, "not", { start, end, cut: index - 1 });
  }
  const full = SHORT_FORMS.get(after);
  if (full === undefined) return [plain(written, start)];
  if (after === "s" && !BEFORE_SHORT_IS.test(before)) return [{ text: before, start, end }];
  return both(before, full, { start, end, cut: index });
}

function both(first: string, second: string, { start, end, cut }: Span & { readonly cut: number }): WordPart[] {
  return [
    { text: first, start, end: start + cut },
    { text: second, start: start + cut, end },
  ];
}

const isCapital = (text: string): boolean => {
  const code = text.charCodeAt(0);
  return code < ASCII_END ? code >= CODE_A && code <= CODE_Z : /^\p{Lu}/u.test(text);
};
const ASCII_END = 128;
const CODE_A = 65;
const CODE_Z = 90;
const ASCII = /^[ -~]*$/;

function toToken(kind: TokenKind, part: WordPart): Omit<Token, "glued"> {
  const lower = (ASCII.test(part.text) ? part.text : normalized(part.text, "NFKC")).toLowerCase();
  return {
    kind,
    text: part.text,
    lower,
    stem: kind === "word" ? stemmer(lower) : lower,
    start: part.start,
    end: part.end,
    capital: isCapital(part.text),
  };
}
