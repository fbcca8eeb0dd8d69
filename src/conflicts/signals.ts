import type { Judgement } from "../core/ports/judge.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { readValues } from "../text/values/read.ts";
import { relate } from "../text/values/relate.ts";
import { tellingTerms } from "../text/words/terms.ts";
import type { Pair } from "./pair.ts";

/**
 * What the decision about a pair goes by, by its name. All of them hang on the two rows alone, so that neither the order in which
 * rows are looked at nor what else is stored changes what is decided.
 */
export const PAIR_SIGNALS = [
  /** The judge's log-odds that both cannot hold now. */
  "clash",
  /** The judge's log-odds that, if so, the newer text moved on from the older one or corrects it. */
  "replaced",
  /** How near the texts are in meaning; the middle for rows without vectors. */
  "nearness",
  /** Share of the telling words of the older text that the newer one has, and the other way round. */
  "older_words",
  "newer_words",
  /** They state values of one kind that cannot be the same; they state the same value. */
  "other_value",
  "same_value",
  /** How long the texts are: natural logarithm of their telling words. */
  "older_length",
  "newer_length",
] as const;
export type PairSignal = (typeof PAIR_SIGNALS)[number];
export type PairSignals = Readonly<Record<PairSignal, number>>;

/** How near a row without a vector is taken to be in meaning. */
export const UNKNOWN_NEARNESS = 0.3;
/** Scores nearer to certainty tell nothing more. */
const CERTAIN = 1e-5;

const logOdds = (p: number): number => {
  const bounded = Math.min(1 - CERTAIN, Math.max(CERTAIN, p));
  return Math.log(bounded / (1 - bounded));
};

const nearnessOf = ({ candidate }: Pair): number => candidate.closeness ?? UNKNOWN_NEARNESS;

/** What a share of telling words in common counts for beside nearness in meaning. */
const OVERLAP_WEIGHT = 0.5;

/** How alike two texts are by what is cheap to tell: nearness in meaning, and the share of the telling words of the shorter one in the other. */
export function likenessOf(pair: Pair): number {
  const { older, newer, shared } = wordsOf(pair);
  return nearnessOf(pair) + OVERLAP_WEIGHT * (shared / Math.max(1, Math.min(older, newer)));
}

/** What was read of rows that are compared with several others. */
const read = new WeakMap<StoredMemory, ReadonlySet<string>>();
function tellingWords(memory: StoredMemory): ReadonlySet<string> {
  const words = read.get(memory) ?? new Set(tellingTerms(memory.content).telling);
  read.set(memory, words);
  return words;
}

/** The telling words of both texts, and how many they share. */
function wordsOf({ older, newer }: Pair) {
  const [words, others] = [older, newer].map(({ memory }) => tellingWords(memory));
  const shared = [...(words ?? [])].filter((word) => others?.has(word)).length;
  return { older: words?.size ?? 0, newer: others?.size ?? 0, shared };
}

/** The signals of a pair that the judge has read. */
export function signalsOf(pair: Pair, judged: Judgement): PairSignals {
  const { older, newer } = pair;
  const [one, other] = [older.memory.content, newer.memory.content];
  const words = wordsOf(pair);
  const values = relatedValues([one, older.at_ms], [other, newer.at_ms]);
  return {
    clash: logOdds(judged.clash),
    replaced: logOdds(judged.replaced),
    nearness: nearnessOf(pair),
    older_words: words.shared / Math.max(1, words.older),
    newer_words: words.shared / Math.max(1, words.newer),
    other_value: Number(values.has("clash")),
    same_value: Number(values.has("equal")),
    older_length: Math.log(1 + words.older),
    newer_length: Math.log(1 + words.newer),
  };
}

type Dated = readonly [text: string, at_ms: number];

/** How values of one kind that the two texts state are related. */
function relatedValues(older: Dated, newer: Dated): ReadonlySet<string> {
  const [one, other] = [readValues(...older).values, readValues(...newer).values];
  return new Set(
    one.flatMap((value) => other.flatMap((second) => (second.kind === value.kind ? [relate(value, second)] : []))),
  );
}
