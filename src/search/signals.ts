import type { CosineCalibration } from "../core/ports/embedder.ts";
import type { Hit, WeighedWord } from "../core/ports/hits.ts";
import { inverseDocumentFrequency } from "../text/words/inverse-document-frequency.ts";
import { STOP_WORDS } from "../text/words/terms.ts";
import type { EntityEvidence } from "./entities.ts";
import { entityWeight } from "./entities.ts";
import { eventTime, freshnessOf, recencyOf } from "./freshness.ts";
import type { Question } from "./question.ts";
import type { RowKind } from "./row-kinds.ts";
import { asks, givesReason, hasFigure, namesSomebody, speakerOf, speaksOfTime } from "./row-traits.ts";
import { timeMatch } from "./temporal.ts";
import type { AskedWord } from "./words/equals.ts";
import { writtenWords } from "./words/equals.ts";

/** What ranking knows of a row beside a question; each counts by its weight (`weights.ts`). */
export const SIGNALS = [
  /** Deviations of the row's own cosine from that of an unrelated row. */
  "meaning",
  /** Of a turn: how much nearer it is when read with the row before it, in deviations. */
  "context",
  /** Nats of rarity of the words of the question that the row holds. */
  "words",
  /** The share of the rarity of the whole question that these are, and its cube: all of them say more than their sum. */
  "share",
  "covered",
  /** 1 for the only row with the rarest word of the question, when that is written as a name or code. */
  "sole",
  /** Nats of those words that the question writes as names or codes, and more of those that the readers cannot read. */
  "names",
  /** Nats of words that only the turns beside it hold. */
  "nearby",
  /** Nats of rarity of what question and row name, by whatever name, and of what the row names that is related to it. */
  "entity",
  "related",
  /** 1 for a row said by somebody whom the question names. */
  "speaker",
  /** 1 for a turn that only asks. */
  "asks",
  /** 1 for a row that speaks of a time, names somebody, gives a reason or a figure, when the question asks for that. */
  "timed",
  "person",
  "reason",
  "figure",
  /** 0 to 1: how well the time of the row fits a time that the question names. */
  "date",
  /** 0 to 1: how fresh the row is for its type. */
  "fresh",
  /** 0 to 1: how near to the newest the row is, when the question asks for what is new. */
  "recent",
  /** 1 for a row in an open conflict, and for one that was superseded where no question asks for the past. */
  "conflicted",
  "overtaken",
  /** Logarithm of the length, in hundreds of characters. */
  "length",
] as const;
export type Signal = (typeof SIGNALS)[number];
export type Signals = Readonly<Record<Signal, number>>;

/** What the signals of all rows of one search are taken beside. */
export interface SignalInput {
  readonly question: Question;
  readonly words: readonly WeighedWord[];
  readonly entities: EntityEvidence;
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the newest hit was so, in epoch milliseconds. */
  readonly newest: number;
  readonly calibration: CosineCalibration;
}

/** What the words of a question are worth, worked out once a search. */
export interface WordWeight {
  /** Nats of all words; those that no row holds count half, as the rows may say it otherwise. */
  readonly whole: number;
  /** The names and codes, as bits, that only one row holds and that are as rare as the rarest word. */
  readonly sole: number;
  /** The words, as bits, that the question writes as names or codes. */
  readonly names: number;
  /** Those that the readers make little of. */
  readonly unread: number;
}

/** How many times as much as a name such a word counts. */
const UNREAD_TIMES = 6;

/** Share of its rarity that a word counts which no row holds. */
const ABSENT_SHARE = 0.5;

/**
 * What the words of a query weigh together, and which of them are names or alone in what they find, as bits in their order.
 */
export function wordWeight(
  words: readonly AskedWord[],
  { names, unread }: Pick<Question, "names" | "unread">,
): WordWeight {
  const rarest = Math.max(0, ...words.map(({ weight }) => weight));
  const written = writtenWords(words);
  const absent = written.filter(({ rows }) => rows === 0).length * ABSENT_SHARE * inverseDocumentFrequency(0, 0);
  return {
    whole: written.reduce((sum, { weight }) => sum + weight, absent),
    sole: bitsWhere(
      words,
      ({ word, rows, weight }) => rows === 1 && weight === rarest && (names.has(word) || unread.has(word)),
    ),
    names: bitsWhere(words, ({ word }) => names.has(word)),
    unread: bitsWhere(words, ({ word, read_as }) => unread.has(word) || read_as !== undefined),
  };
}

/** What stands in for the deviations of a row whose vector is pending: those of a usual row that holds as much of the question. */
const PENDING_DEVIATIONS = 1;
const PENDING_BY_SHARE = 3;

/** Everything that ranking weighs of one row; pure. */
export function signalsOf(hit: Hit, kind: RowKind, asked: SignalInput, worth: WordWeight): Signals {
  const { question, now, newest } = asked;
  const { memory } = hit;
  const isTurn = kind === "turn";
  const speaker = speakerOf(memory.content);
  const words = wordSignals(hit, asked, worth);
  const named = entityWeight(hit, isTurn ? speaker : "", asked.entities);
  return {
    ...readings(hit, isTurn, words.share, asked),
    ...words,
    nearby: isTurn ? weightOf(hit.near_words & ~hit.own_words, asked.words) : 0,
    entity: named.named,
    related: named.related,
    speaker: one(isNamed(speaker, question.words)),
    asks: one(isTurn && asks(memory.content)),
    ...answerSignals(memory.content, question),
    date: question.times.length > 0 ? timeMatch(memory, question.times) : 0,
    fresh: freshnessOf(memory, now),
    recent: question.asks_recent === 0 ? 0 : question.asks_recent * recencyOf(eventTime(memory, now), newest),
    conflicted: one(memory.status === "conflicted" && !question.asks_past),
    overtaken: one(memory.status === "outdated" && !question.asks_past),
    length: Math.log(memory.content.length / 100),
  };
}

const one = (isTrue: boolean): number => (isTrue ? 1 : 0);

/** What the model makes of a row, and of a turn after the row before. */
function readings(
  { vec_sim, context_sim }: Hit,
  isTurn: boolean,
  share: number,
  { calibration }: SignalInput,
): Pick<Signals, "meaning" | "context"> {
  const { zero, context_zero, spread } = calibration;
  const meaning = deviations(vec_sim, zero, spread) ?? PENDING_DEVIATIONS + PENDING_BY_SHARE * share;
  const context = isTurn ? deviations(context_sim, context_zero, spread) : null;
  return { meaning, context: context === null ? 0 : context - meaning };
}

/** What the row holds of the words of the question. */
function wordSignals(
  { own_words }: Hit,
  { words }: SignalInput,
  { whole, sole, names, unread }: WordWeight,
): Pick<Signals, "words" | "share" | "covered" | "sole" | "names"> {
  const held = weightOf(own_words, words);
  const share = whole > 0 ? held / whole : 0;
  return {
    words: held,
    share,
    covered: share ** 3,
    sole: one((own_words & sole) !== 0),
    names: weightOf(own_words & names & ~unread, words) + UNREAD_TIMES * weightOf(own_words & unread, words),
  };
}

/** Whether the row holds the sort of thing that the question asks for. */
const answerSignals = (
  content: string,
  { asks_when, asks_who, asks_why, asks_amount }: Question,
): Pick<Signals, "timed" | "person" | "reason" | "figure"> => ({
  timed: one(asks_when && speaksOfTime(content)),
  person: one(asks_who && namesSomebody(content)),
  reason: one(asks_why && givesReason(content)),
  figure: one(asks_amount && hasFigure(content)),
});

const deviations = (cosine: number | null, zero: number, spread: number): number | null =>
  cosine === null ? null : (cosine - zero) / spread;

/** The words that a test is true of, as bits in their order. */
export const bitsWhere = (words: readonly WeighedWord[], test: (word: WeighedWord) => boolean): number =>
  words.reduce((bits, word, i) => (test(word) ? bits | (1 << i) : bits), 0);

/** Sum of the weights of the words in a set of bits. */
export function weightOf(bits: number, words: readonly WeighedWord[]): number {
  let sum = 0;
  for (let i = 0; i < words.length; i++) if (bits & (1 << i)) sum += words[i]?.weight ?? 0;
  return sum;
}

/** A speaker of several names is named by any telling one of them. */
function isNamed(speaker: string, words: ReadonlySet<string>): boolean {
  if (speaker === "") return false;
  return (
    words.has(speaker) || speaker.split(" ").some((name) => name.length > 2 && words.has(name) && !STOP_WORDS.has(name))
  );
}
