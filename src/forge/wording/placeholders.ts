import { MONTHS } from "../../text/dates/names.ts";

const MONTH = `(?:${MONTHS.map((name) => name[0]?.toUpperCase() + name.slice(1)).join("|")})`;
/** What stands for a value that belongs to one run, by what it looks like; the first that fits. */
const SHAPES: readonly (readonly [name: string, pattern: string])[] = [
  ["url", "\\bhttps?://[^\\s<>\"')\\]]+[\\w/]"],
  ["email", "\\b(?<!\\w[.+-]+)\\w[\\w.+-]*@[\\w-]+(?:\\.[\\w-]+)+\\b"],
  ["id", "\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b"],
  ["time", "\\b\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?"],
  ["date", "\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}\\b"],
  [
    "date",
    `\\b(?:\\d{1,2}(?:st|nd|rd|th)?\\s+)?${MONTH}(?:\\s+\\d{1,2}(?:st|nd|rd|th)?)?(?:,?\\s+\\d{4})?(?=[\\s.,;)]|$)(?<=\\d)`,
  ],
  ["date", `(?<=\\b(?:in|for|by|of|until|since|from|to|last|next|this|early|late|mid)\\s)${MONTH}\\b`],
  ["date", "\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\\b"],
  ["time", "\\b\\d{1,2}:\\d\\d(?::\\d\\d)?(?:\\s?[ap]m)?\\b"],
  ["id", "\\b[A-Z][A-Z0-9]{1,9}-\\d+\\b|#\\d+\\b"],
  ["address", "\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?(?:/\\d+)?\\b"],
  ["version", "\\bv\\d+(?:\\.\\d+)*(?:-[\\w.]+)?\\b|\\b\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?\\b"],
  [
    "host",
    "\\b(?<![a-z0-9][.-]+)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:example|internal|local|localdomain|lan|corp|com|net|org|io|dev|app|cloud|eu|de|uk)\\b(?!/)",
  ],
  [
    "amount",
    "(?:[$\u20ac\u00a3]\\s?\\d[\\d.,]*\\d|[$\u20ac\u00a3]\\s?\\d|\\b(?<!\\d[.,]+)\\d[\\d.,]*\\s?(?:EUR|USD|GBP|CHF|euros?|dollars?)\\b)",
  ],
  ["id", "\\b(?=[0-9a-f]*\\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\\b"],
  // A machine or the like: `db-r2`, `web01`; `S3` and `sha256` are no names of one run.
  [
    "name",
    "\\b[A-Za-z]\\w*(?:-\\w+){0,8}-[A-Za-z]*\\d[\\w-]*\\b|\\b(?!(?:sha|md|utf|base|ipv|http|python)\\d)[A-Za-z]{2,}\\d{2,}\\b",
  ],
  ["number", "\\b\\d[\\d.,]*\\d\\b%?|\\b\\d\\b%?"],
];
const SPECIFIC = new RegExp(SHAPES.map(([, pattern]) => `(${pattern})`).join("|"), "gu");

/** A capitalised word where no sentence starts: somebody's or something's name. */
const PROPER =
  /(?:\b\p{Lu}\.\s?){1,4}\p{Lu}\p{Ll}+|(?<=[\p{Ll}\p{N},;]\s)\p{Lu}\p{Ll}+(?![\p{L}\p{N}_./-])(?:\s\p{Lu}\p{Ll}+(?![\p{L}\p{N}_./-]))*/gu;

/** The text with every value that `isShared` does not know replaced by what it stands for. */
export function generalised(text: string, isShared: (value: string) => boolean): string {
  const shaped = text.replace(SPECIFIC, (value, ...groups) => {
    if (isShared(value)) return value;
    const index = groups.slice(0, SHAPES.length).findIndex((group) => group !== undefined);
    return `<${SHAPES[index]?.[0] ?? "name"}>`;
  });
  return shaped.replace(PROPER, (value) => (isShared(value) ? value : "<name>"));
}
