import { once } from "../../../core/kernel/once.ts";
import type { Language } from "../../language.ts";
import { languageOf } from "../../language.ts";
import { NUMERIC } from "../absolute.ts";
import { monthsWindow } from "../calendar.ts";
import type { DatePattern } from "../vocabulary.ts";
import { fixed, YEAR } from "../vocabulary.ts";
import { DUTCH, GERMAN } from "./germanic.ts";
import type { Grammar } from "./grammar.ts";
import { FRENCH, PORTUGUESE, SPANISH } from "./romance.ts";
import { RUSSIAN, UKRAINIAN } from "./slavic.ts";
import { grammarOfWords } from "./spaced.ts";
import { chinese, japanese } from "./unspaced.ts";

/** "Q3 2026", as everybody writes it. */
const QUARTER: DatePattern = {
  needs: 0,
  regex: new RegExp(`(?<!\\w)(?:Q([1-4])[ /-]?(${YEAR})|(${YEAR})[ /-]?Q([1-4]))(?![\\w.])`, "g"),
  read: ({ match: [, part, year, yearFirst, partLast] }) =>
    fixed(monthsWindow(Number(year ?? yearFirst), 3 * (Number(part ?? partLast) - 1), 3)),
};

const made = (make: () => Grammar) =>
  once((): Grammar => {
    const grammar = make();
    return { ...grammar, patterns: [...NUMERIC, QUARTER, ...grammar.patterns] };
  });

/** Made when the first text in the language is read. */
const GRAMMARS: Readonly<Partial<Record<Language, () => Grammar>>> = {
  de: made(() => grammarOfWords(GERMAN)),
  fr: made(() => grammarOfWords(FRENCH)),
  es: made(() => grammarOfWords(SPANISH)),
  pt: made(() => grammarOfWords(PORTUGUESE)),
  nl: made(() => grammarOfWords(DUTCH)),
  ru: made(() => grammarOfWords(RUSSIAN)),
  uk: made(() => grammarOfWords(UKRAINIAN)),
  zh: made(chinese),
  ja: made(japanese),
};

/** How the language of a text writes dates; null for English, for one that is not known, and where the text tells none. */
export function grammarOf(text: string): Grammar | null {
  const language = languageOf(text);
  return (language && GRAMMARS[language]?.()) ?? null;
}
