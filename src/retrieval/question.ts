import { fold, tellingTerms, termsOf } from "../kernel/words.ts";

/** What a query asks for, read from its words alone. */
export interface Question {
  /** Words to look up, lower-case, each once: no stop words unless there is nothing else. */
  readonly terms: readonly string[];
  /** Every word, lower-case. */
  readonly words: ReadonlySet<string>;
  /** Asks for a time. */
  readonly asks_when: boolean;
  /** Months it names, 0 to 11. */
  readonly months: readonly number[];
  readonly year: number | null;
  /** Day of the month, when it names one month and a day beside it. */
  readonly day: number | null;
}

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;
const ASKS_WHEN = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b|\bhow long\b/;
const YEAR = /\b((?:19|20)\d\d)\b/;

/** Reads a query; words are split as FTS5's unicode61 splits the rows. */
export function readQuestion(query: string): Question {
  const lower = fold(query);
  const words = new Set(termsOf(lower));
  const months = MONTHS.flatMap((name, month) => (isMonth(name, query, words) ? [month] : []));
  return {
    terms: tellingTerms(query),
    words,
    asks_when: ASKS_WHEN.test(lower),
    months,
    year: Number(YEAR.exec(lower)?.[1] ?? 0) || null,
    day: dayBeside(lower, months),
  };
}

/** "may" is a month only where it is written as one. */
const isMonth = (name: string, query: string, words: ReadonlySet<string>): boolean =>
  words.has(name) && (name !== "may" || /\bMay\b/.test(query));

function dayBeside(lower: string, [month, ...others]: readonly number[]): number | null {
  if (month === undefined || others.length > 0) return null;
  const name = MONTHS[month];
  const found = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?,? (?:of )?${name}\\b|\\b${name} (\\d{1,2})(?!\\d)`).exec(
    lower,
  );
  return Number(found?.[1] ?? found?.[2] ?? 0) || null;
}
