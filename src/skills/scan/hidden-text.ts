import { latinOf } from "../../core/kernel/quoting/confusables.ts";
import type { ScanCode, Severity, Sign } from "./sign.ts";
import { viewsOf } from "./views.ts";
import { TELLING } from "./vocabulary.ts";

type Mark = readonly [code: ScanCode, severity: Severity, message: string, pattern: RegExp];

const LATIN = "[\\p{Script=Latin}\\p{N}]";
/** Alphabets whose writing needs joiners and breaks that have no width. */
const JOINING =
  "[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}\\p{Script=Mongolian}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{M}]";
const WIDTHLESS = "[\\u200b-\\u200f\\u2060-\\u2064\\u206a-\\u206f\\ufeff\\u180e\\u061c\\u034f]";

const MARKS: readonly Mark[] = [
  // A flag of a region is a black flag, letters of its name as tags, and the end of them.
  [
    "HIDDEN_TEXT",
    "critical",
    "holds invisible tag characters",
    /(?<!\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{0,6})[\u{e0000}-\u{e007f}]/gu,
  ],
  ["HIDDEN_TEXT", "critical", "turns the direction of writing round", /[\u202d\u202e]/gu],
  [
    "HIDDEN_TEXT",
    "critical",
    "splits words with characters that have no width",
    new RegExp(`(?<=${LATIN})${WIDTHLESS}+(?=${LATIN})`, "gu"),
  ],
  [
    "HIDDEN_TEXT",
    "critical",
    "holds runs of characters that have no width",
    new RegExp(`(?<!${JOINING}|\\p{Extended_Pictographic}\\ufe0f?)${WIDTHLESS}{2,}`, "gu"),
  ],
  ["HIDDEN_TEXT", "critical", "holds runs of invisible selectors", /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/gu],
  [
    "HIDDEN_TEXT",
    "critical",
    "holds invisible selectors after letters that have no variants",
    /(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<=[\p{Script=Latin}\s])[\ufe00-\ufe0f]/gu,
  ],
  [
    "HIDDEN_TEXT",
    "critical",
    "holds blank letters",
    /[\u115f\u1160\u3164\uffa0\u17b4\u17b5\ufff9-\ufffb]|\u2800(?![\u2800-\u28ff])(?<![\u2800-\u28ff]{2})/gu,
  ],
  ["HIDDEN_TEXT", "critical", "holds control characters", /(?![\t\n\f\r\u0085])\p{Cc}/gu],
  [
    "HIDDEN_TEXT",
    "critical",
    "pushes text out of sight with space",
    /^(?!\s*\|)[^\n]*?[^\S\n]{200}|(?:[^\S\n]{0,40}\n){60}/gmu,
  ],
  ["HIDDEN_TEXT", "warn", "holds a character that has no width", new RegExp(`(?<!^)${WIDTHLESS}|\\u00ad`, "gu")],
];

/** Turns of direction that texts of right-to-left alphabets need, and others do not. */
const EMBEDDINGS = /[\u202a-\u202c\u2066-\u2069]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** What is in a text that a reader does not see, or takes for something else. */
export function hiddenSigns(raw: string): Sign[] {
  const marks: readonly Mark[] = RIGHT_TO_LEFT.test(raw)
    ? MARKS
    : [...MARKS, ["HIDDEN_TEXT", "critical", "turns the direction of writing", EMBEDDINGS]];
  // Space at the end pushes nothing out of sight.
  const shown = raw.trimEnd();
  const found = marks.flatMap(([code, severity, message, pattern]): Sign[] => {
    const [match] = shown.matchAll(pattern);
    return match ? [{ code, severity, message, start: match.index, end: match.index + match[0].length }] : [];
  });
  return [...found, ...imitations(raw), ...mixedAddresses(raw)];
}

/** Words of several alphabets that read as vocabulary of attacks. */
function imitations(raw: string): Sign[] {
  for (const match of raw.matchAll(/[\p{L}\p{M}\p{Cf}]{2,}/gu)) {
    if (!isMixed(match[0])) continue;
    const read = viewsOf(match[0]).letters.text;
    if (!TELLING.test(read)) continue;
    const place = { start: match.index, end: match.index + match[0].length };
    return [{ code: "HOMOGLYPH", severity: "critical", message: `imitates the word '${read}'`, ...place }];
  }
  return [];
}

/** Addresses whose host mixes alphabets pass for another host. */
function mixedAddresses(raw: string): Sign[] {
  for (const match of raw.matchAll(/(?<=:\/\/|@)[\p{L}\p{N}.-]{3,200}/gu)) {
    const imitated = match[0].split(".").some(isMixed);
    if (!imitated) continue;
    const place = { start: match.index, end: match.index + match[0].length };
    return [{ code: "HOMOGLYPH", severity: "critical", message: "imitates the name of a host", ...place }];
  }
  return [];
}

/** Whether Latin letters stand beside letters of another alphabet that look Latin. */
const isMixed = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && [...word].some((one) => !/\p{Script=Latin}/u.test(one) && latinOf(one) !== null);
