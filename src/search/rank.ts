import { rounded } from "../core/kernel/text.ts";
import type { CosineCalibration } from "../core/ports/embedder.ts";
import type { Hit, HitReply, WeighedWord } from "../core/ports/hits.ts";
import type { ScoreParts } from "../core/schema/memory.ts";
import type { EntityEvidence } from "./entities.ts";
import { NO_ENTITIES } from "./entities.ts";
import { explain } from "./explain.ts";
import { eventTime } from "./freshness.ts";
import type { Question } from "./question.ts";
import type { RowKind } from "./row-kinds.ts";
import { kindsOf } from "./row-kinds.ts";
import { smoothByRun } from "./runs.ts";
import type { Signal, SignalInput, Signals } from "./signals.ts";
import { bitsWhere, SIGNALS, signalsOf, weightOf, wordWeight } from "./signals.ts";
import type { RankingWeights } from "./weights.ts";
import { WEIGHTS } from "./weights.ts";
import { decisiveWords } from "./words/decisive.ts";
import { writtenWords } from "./words/equals.ts";

export interface Ranking {
  readonly question: Question;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly calibration: CosineCalibration;
  /** The entities that the query names; absent for none. */
  readonly entities?: EntityEvidence;
  /** Other weights than the usual ones: to measure what a signal is worth. */
  readonly weights?: RankingWeights;
}

/** A hit with its evidence, in nats: what its own signals come to, and what its run adds. */
export interface ScoredHit {
  readonly hit: Hit;
  readonly kind: RowKind;
  readonly signals: Signals;
  readonly pull: number;
  readonly total: number;
  /** Whether the question must mean it: no other goes before it. */
  readonly decides: boolean;
}

/** A hit with its place in the order. */
export interface RankedHit {
  readonly hit: Hit;
  /** Whether it holds a word of the question as the question writes it. */
  readonly has_words: boolean;
  /** 0 to 1; orders the hits: the chance that the row answers. */
  readonly score: number;
  /** The evidence that the score was made of, in nats. */
  readonly total: number;
  readonly parts: ScoreParts;
  /** What each signal adds to the evidence, in nats. */
  readonly shares: Shares;
  /** What its run adds, and what a row of another time that says the same of the same takes away. */
  readonly pull: number;
  readonly loss: number;
  /** The strongest reasons, in words. */
  readonly why: string;
}

export type Shares = Readonly<Record<Signal, number>>;

/**
 * Hits by the sum of their evidence, best first, a row drawn towards the best of its run; pure. Recall counts play no
 * part: being found must not make a row easier to find.
 */
export function scoreHits({ hits, words }: Pick<HitReply, "hits" | "words">, ranking: Ranking): ScoredHit[] {
  const { question, now, calibration, entities = NO_ENTITIES, weights = WEIGHTS } = ranking;
  const isRecentAsked = question.asks_recent > 0;
  const newest = isRecentAsked ? Math.max(...hits.map(({ memory }) => eventTime(memory, now))) : now;
  const asked: SignalInput = { question, words, entities, now, newest, calibration };
  const worth = wordWeight(words, question);
  const kindOf = kindsOf(hits);
  const decisive = decisiveWords(words, question);
  const weighed = hits.map((hit) => {
    const kind = kindOf(hit);
    const signals = signalsOf(hit, kind, asked, worth);
    const weight = weights.signals[kind];
    let total = weights.bias[kind];
    for (const signal of SIGNALS) total += weight[signal] * signals[signal];
    const decides = decisive !== 0 && (hit.own_words & decisive) === decisive;
    return { hit, kind, signals, total, run_id: hit.memory.run_id, decides };
  });
  return smoothByRun(weighed, weights.run).sort(byTotal);
}

const byTotal = (a: Pick<ScoredHit, "hit" | "total">, b: Pick<ScoredHit, "hit" | "total">): number =>
  b.total - a.total || (a.hit.memory.id < b.hit.memory.id ? 1 : -1);

/** What is taken from rows, in nats, by their ids: newer ones say the same of the same (`newest-first.ts`). */
export type Penalties = ReadonlyMap<string, number>;
const NO_LOSSES: Penalties = new Map();

/** How hits are placed. */
interface Placing {
  readonly weights?: RankingWeights | undefined;
  readonly losses?: Penalties;
  /** The part of its score that a row keeps, by its id; all of it where it is none of them. */
  readonly kept?: ReadonlyMap<string, number>;
}

/** Weighed hits in their final order, with the chance that each answers; pure. */
export function rankHits(
  weighed: readonly ScoredHit[],
  words: readonly WeighedWord[],
  { weights = WEIGHTS, losses = NO_LOSSES, kept }: Placing = {},
): RankedHit[] {
  const lost = weighed.map((one) => {
    const loss = losses.get(one.hit.memory.id) ?? 0;
    return { one, hit: one.hit, loss, lift: 0, total: one.total - loss };
  });
  const placed = liftDecisive(lost);
  const chance = chanceOf(placed, weights);
  const written = bitsWhere(words, ({ read_as }) => read_as === undefined);
  const ranked = placed.sort(byTotal).map(({ one, loss, lift, total }) => ({
    hit: one.hit,
    has_words: (one.hit.own_words & written) !== 0,
    total,
    score: chance(total) * (kept?.get(one.hit.memory.id) ?? 1),
    pull: one.pull,
    loss,
    // Worked out where they are read: most hits are never shown.
    get parts() {
      return toParts(one, words, weights);
    },
    get shares() {
      return sharesOf(one, weights, lift);
    },
    get why() {
      return explain(sharesOf(one, weights, lift), { has_cosine: one.hit.vec_sim !== null, pull: one.pull, loss });
    },
  }));
  return kept?.size ? ranked.sort((a, b) => b.score - a.score) : ranked;
}

interface Placed {
  readonly one: ScoredHit;
  readonly hit: Hit;
  readonly loss: number;
  /** What is added for the words that decide. */
  readonly lift: number;
  readonly total: number;
}

/** Nats by which the row that the question must mean is ahead of all others, at least. */
const LEAD = 1;

/**
 * Lifts the rows that hold the words that decide, all alike, until the best of them leads: others keep their evidence, so that
 * what a row gains never takes from it.
 */
function liftDecisive(rows: readonly Placed[]): Placed[] {
  const others = rows.filter(({ one }) => !one.decides);
  const bestOf = (some: readonly Placed[]): number =>
    some.reduce((most, { total }) => Math.max(most, total), Number.NEGATIVE_INFINITY);
  const by = Math.max(0, bestOf(others) + LEAD - bestOf(rows.filter(({ one }) => one.decides)));
  return rows.map((row) => {
    const lift = row.one.decides ? by : 0;
    return { ...row, lift, total: row.total + lift };
  });
}

/**
 * The chance that a row answers: that there is an answer among the hits, by the nearest in meaning and the best of them,
 * times that it is this row, by how far it is behind the best.
 */
function chanceOf(
  rows: readonly { readonly one: ScoredHit; readonly total: number }[],
  { chance: { answered, behind } }: RankingWeights,
): (total: number) => number {
  const top = rows.reduce((most, { total }) => Math.max(most, total), Number.NEGATIVE_INFINITY);
  const nearest = rows.reduce((most, { one }) => Math.max(most, one.signals.meaning), Number.NEGATIVE_INFINITY);
  // Whoever asks in the very words of a row means it.
  const covered = rows.reduce((most, { one }) => Math.max(most, one.signals.covered), 0);
  const known = SAME_WORDS * covered;
  const isAnswered = logistic(answered.bias + answered.nearest * nearest + answered.top * top + known);
  return (total) => isAnswered * logistic(behind.bias + known - behind.gap * Math.log1p(top - total));
}

/** Log-odds that a row with every word of the question adds to either chance: clients that look for a text they wrote expect .7. */
const SAME_WORDS = 3;

const logistic = (evidence: number): number => 1 / (1 + Math.exp(-evidence));

/** What each signal adds to the sum, with what a decisive row is lifted by. */
function sharesOf({ kind, signals }: ScoredHit, weights: RankingWeights, lift = 0): Shares {
  const added = SIGNALS.map((signal) => [signal, weights.signals[kind][signal] * signals[signal]] as const);
  const own = { ...signals, ...Object.fromEntries(added) };
  return { ...own, sole: own.sole + lift };
}

function toParts(one: ScoredHit, words: readonly WeighedWord[], weights: RankingWeights): ScoreParts {
  const all = writtenWords(words).reduce((sum, { weight }) => sum + weight, 0);
  const shares = sharesOf(one, weights);
  return {
    vec_sim: rounded(one.hit.vec_sim ?? 0),
    fts_score: rounded(all > 0 ? weightOf(one.hit.own_words, words) / all : 0),
    freshness: rounded(one.signals.fresh),
    entity_boost: rounded(shares.speaker + shares.entity + shares.related),
    recall_boost: 0,
    temporal_boost: rounded(shares.timed + shares.date),
    status_penalty: rounded(shares.conflicted + shares.overtaken),
  };
}
