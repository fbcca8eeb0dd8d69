import { formsInQuestion, untoldTest } from "../text/languages/forms.ts";
import { equalsOf } from "../text/words/abbreviations.ts";
import { fold } from "../text/words/letters.ts";
import { compoundTerms, rarelyWritten, significantTerms, TERMS_MAX, termsOf, wordsIn } from "../text/words/terms.ts";
import type { QueryTime } from "./temporal.ts";
import { queryTimes } from "./temporal.ts";

/** What a query asks for, read from its words alone. */
export interface Question {
  /** Words to look up, lower-case, each once: no stop words unless there is nothing else. */
  readonly terms: readonly string[];
  /** Those of them that stand for another one of the query, and which that is: people write one for the other. */
  readonly equals: ReadonlyMap<string, string>;
  /** Those of these that may be of another language than the query: such a one may stand in a row by chance. */
  readonly guessed: ReadonlySet<string>;
  /** Those that it writes as names or codes. */
  readonly names: ReadonlySet<string>;
  /** The words of each of its codes that are written together: "KA-5517". */
  readonly compounds: readonly (readonly string[])[];
  /** Those that the readers make little of: of scripts that they do not know, or standing nearly alone. */
  readonly unread: ReadonlySet<string>;
  /** Every word, lower-case, as it is written and as it is looked up. */
  readonly words: ReadonlySet<string>;
  /** Asks for a time, for somebody, for a reason, for a figure. */
  readonly asks_when: boolean;
  readonly asks_who: boolean;
  readonly asks_why: boolean;
  readonly asks_amount: boolean;
  /** Asks for what was, not for what is. */
  readonly asks_past: boolean;
  /** 0 to 1: how much it asks for what is new. A time that it names says more. */
  readonly asks_recent: number;
  /** Times it names. */
  readonly times: readonly QueryTime[];
}

const ASKS_WHEN = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b|\bhow long\b/;
const ASKS_WHO = /\bwho(?:m|se)?\b|\bname of\b|\bcontact\b/;
const ASKS_WHY = /\bwhy\b|\breasons?\b|\bhow come\b|\bwhat caused\b|\bcause of\b/;
const ASKS_AMOUNT =
  /\bhow (?:many|much|long|often|big|large|old|far|high|fast)\b|\b(?:number|amount|version|port|limit|size|price|cost|percentage|date|time)\b/;
/** "How was the concert?" asks for the past too, but for nothing that is otherwise now. */
const ASKS_PAST =
  /\b(?:used to|before|original(?:ly)?|previous(?:ly)?|former(?:ly)?|initial(?:ly)?|at first|earlier|old|prior|in the past|back then|until|once)\b|\b(?:what|who|which|where) (?:was|were)\b/;
const ASKS_NEWEST =
  /\b(?:latest|newest|most (?:recent|current)|up[ -]to[ -]date|catch me up|bring me up to speed|what['’]?s new|what is new|(?:my|our|any) recent|recent (?:\w+ )?(?:updates?|changes?|news|activity|events|decisions|progress|work))\b/;
const ASKS_RECENT = /\b(?:recent(?:ly)?|lately)\b/;
/** "What did Anna paint recently?" asks for a thing of the past more than for the newest. */
const RECENTLY = 0.1;

/** Whether a query asks for what was, not for what is. */
export const asksPast = (query: string): boolean => ASKS_PAST.test(fold(query));

/** A query of so few significant terms is no question but looks for rows with these words. */
const KEYWORDS_MAX = 2;
/** Scripts of the languages that the model was taught (CC-100, Conneau et al. 2020, arXiv:1911.02116), and figures. */
const READABLE =
  /[\p{N}\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Geor}\p{sc=Hebr}\p{sc=Arab}\p{sc=Ethi}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Hang}\p{sc=Hira}\p{sc=Kana}\p{sc=Hani}]/u;

function asksRecent(lower: string): number {
  if (ASKS_NEWEST.test(lower)) return 1;
  return ASKS_RECENT.test(lower) ? RECENTLY : 0;
}

/** What is looked up beside some words, with the one that each stands for, as far as there is room. */
function equalTerms(written: readonly string[]): ReadonlyMap<string, string> {
  const pairs = written.flatMap((word) => equalsOf(word).map((equal) => [equal, word] as const));
  return new Map(pairs.filter(([equal]) => !written.includes(equal)).slice(0, TERMS_MAX - written.length));
}

/** The words of a query, with what else is looked up for them, and for which. */
export function lookedUpTerms(
  query: string,
): Pick<Question, "terms" | "equals" | "guessed"> & { readonly written: readonly string[] } {
  const written = significantTerms(query);
  const others = equalTerms(written);
  const room = TERMS_MAX - written.length - others.size;
  const forms = [...formsInQuestion(query, written)].slice(0, room);
  const equals = new Map([...others, ...forms]);
  const isUntold = untoldTest(query);
  const guessed = new Set(forms.flatMap(([form, word]) => (isUntold(word) ? [form] : [])));
  return { written, equals, guessed, terms: [...written, ...equals.keys()] };
}

/** Reads a query; words are split as the keyword index splits the rows. `now` is the moment that "last week" counts from. */
export function readQuestion(query: string, now: number): Question {
  const lower = fold(query);
  const times = queryTimes(query, now);
  const { written, equals, guessed, terms } = lookedUpTerms(query);
  return {
    terms,
    equals,
    guessed,
    names: rarelyWritten(query),
    compounds: compoundTerms(query),
    unread: new Set(written.length <= KEYWORDS_MAX ? terms : terms.filter((term) => !READABLE.test(term))),
    words: new Set([...wordsIn(lower), ...termsOf(query)]),
    asks_when: ASKS_WHEN.test(lower),
    asks_who: ASKS_WHO.test(lower),
    asks_why: ASKS_WHY.test(lower),
    asks_amount: ASKS_AMOUNT.test(lower),
    asks_past: asksPast(query),
    asks_recent: times.length === 0 ? asksRecent(lower) : 0,
    times,
  };
}
