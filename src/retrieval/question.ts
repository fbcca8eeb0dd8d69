import { fold, tellingTerms, termsOf, wordsIn } from "../kernel/words.ts";
import type { AskedTime } from "./when.ts";
import { askedTimes } from "./when.ts";

/** What a query asks for, read from its words alone. */
export interface Question {
  /** Words to look up, lower-case, each once: no stop words unless there is nothing else. */
  readonly terms: readonly string[];
  /** Every word, lower-case, as it is written and as it is looked up. */
  readonly words: ReadonlySet<string>;
  /** Asks for a time. */
  readonly asks_when: boolean;
  /** 0 to 1: how much it asks for what is new. A time that it names says more. */
  readonly asks_recent: number;
  /** Times it names. */
  readonly times: readonly AskedTime[];
}

const ASKS_WHEN = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b|\bhow long\b/;
const ASKS_NEWEST =
  /\b(?:latest|newest|most (?:recent|current)|up[ -]to[ -]date|catch me up|bring me up to speed|what['’]?s new|what is new|(?:my|our|any) recent|recent (?:\w+ )?(?:updates?|changes?|news|activity|events|decisions|progress|work))\b/;
const ASKS_RECENT = /\b(?:recent(?:ly)?|lately)\b/;
/** "What did Anna paint recently?" asks for a thing of the past more than for the newest. */
const RECENTLY = 0.1;

function asksRecent(lower: string): number {
  if (ASKS_NEWEST.test(lower)) return 1;
  return ASKS_RECENT.test(lower) ? RECENTLY : 0;
}

/** Reads a query; words are split as the keyword index splits the rows. `now` is the moment that "last week" counts from. */
export function readQuestion(query: string, now: number): Question {
  const lower = fold(query);
  const times = askedTimes(query, now);
  return {
    terms: tellingTerms(query),
    words: new Set([...wordsIn(lower), ...termsOf(query)]),
    asks_when: ASKS_WHEN.test(lower),
    asks_recent: times.length === 0 ? asksRecent(lower) : 0,
    times,
  };
}
