import { fold, tellingTerms, termsOf } from "../kernel/words.ts";
import type { AskedTime } from "./when.ts";
import { askedTimes } from "./when.ts";

/** What a query asks for, read from its words alone. */
export interface Question {
  /** Words to look up, lower-case, each once: no stop words unless there is nothing else. */
  readonly terms: readonly string[];
  /** Every word, lower-case. */
  readonly words: ReadonlySet<string>;
  /** Asks for a time. */
  readonly asks_when: boolean;
  /** Asks for what is new, and names no time. */
  readonly asks_recent: boolean;
  /** Times it names. */
  readonly times: readonly AskedTime[];
}

const ASKS_WHEN = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b|\bhow long\b/;
const ASKS_RECENT =
  /\b(?:recent(?:ly)?|lately|latest|newest|most current|up[ -]to[ -]date|catch me up|what['’]?s new|what is new|bring me up to speed)\b/;

/** Reads a query; words are split as FTS5's unicode61 splits the rows. `now` is the moment that "last week" counts from. */
export function readQuestion(query: string, now: number): Question {
  const lower = fold(query);
  const times = askedTimes(query, now);
  return {
    terms: tellingTerms(query),
    words: new Set(termsOf(lower)),
    asks_when: ASKS_WHEN.test(lower),
    asks_recent: times.length === 0 && ASKS_RECENT.test(lower),
    times,
  };
}
