import { rounded } from "../kernel/text.ts";
import { STOP_WORDS } from "../kernel/words.ts";
import type { CosineCalibration } from "../ports/embedder.ts";
import type { Hit, HitReply, WeighedWord } from "../ports/hits.ts";
import type { ScoreParts } from "../schema/memory.ts";
import type { EntityEvidence } from "./entities.ts";
import { entityWorth, NO_ENTITIES } from "./entities.ts";
import { eventTime, freshnessOf, recencyOf } from "./freshness.ts";
import type { Question } from "./question.ts";
import type { Shares } from "./reasons.ts";
import { explain } from "./reasons.ts";
import { asks, speakerOf, speaksOfTime } from "./traits.ts";
import { timeMatch } from "./when.ts";

/**
 * What each signal counts. One unit of evidence is one standard deviation of the model's cosines. Weights were chosen on
 * public conversations, kept only where switching the signal off cost something on held-out ones (`bun scripts/ablate.ts`).
 */
export const SCORE_WEIGHTS = {
  /** Per deviation of the row's own cosine. */
  own: 1,
  /** Per deviation of the cosine of the row read with the one before it. */
  context: 0.75,
  /** Per nat of rarity of a query word in the row, or beside it. */
  words: 0.22,
  /** Per nat of rarity of an entity that query and row name, by whatever name. */
  entity: 0.22,
  /** Per nat of rarity of an entity of the query that one of the row's is related to. */
  related: 0.1,
  /** The query names who says the row. */
  speaker: 3,
  /** The row is a turn that only asks. */
  asks: 0.8,
  /** The query asks when, and the row speaks of a time. */
  timed: 1,
  /** The query names a time, and the row is of it. */
  date: 4,
  /** Share of the way towards the best row of the same run. */
  run: 0.4,
  /** A row of today against one past its type's time of decay. */
  freshness: 0.4,
  /** The newest row against one of a year before, when the query asks for what is new. */
  recent: 3,
  /** A row in an open conflict. */
  conflicted: 2,
} as const;
export type ScoreWeights = Readonly<Record<keyof typeof SCORE_WEIGHTS, number>>;

/** Length in characters at which a row without a speaker leans half on its neighbours. */
const SELF_CONTAINED_LENGTH = 200;
/** Turns of a conversation up to this length lean on their neighbours fully. */
const TURN_LENGTH = 500;
/** Stands in for the deviations of a row whose vector is pending: those of a usual keyword hit. */
const PENDING_DEVIATIONS = 2;
/** Logistic map from evidence to a score of 0 to 1; the middle is where unrelated rows end among thousands of rows. */
const SCORE_MIDDLE = 8;
const SCORE_SPREAD = 3;

export interface Ranking {
  readonly question: Question;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly calibration: CosineCalibration;
  /** The entities that the query names; absent for none. */
  readonly entities?: EntityEvidence;
  /** Other weights than the usual ones: to measure what a signal is worth. */
  readonly weights?: ScoreWeights;
}

interface InRanking extends Required<Ranking> {
  /** When the newest hit was so, in epoch milliseconds; of use only where the query asks for what is new. */
  readonly newest: number;
}

/** A hit with its place in the order. */
export interface RankedHit {
  readonly hit: Hit;
  /** 0 to 1; orders the hits. */
  readonly score: number;
  readonly parts: ScoreParts;
  /** The strongest reasons, in words. */
  readonly why: string;
}

interface Evidence {
  readonly hit: Hit;
  readonly shares: Shares;
  /** 0 to 1: how much the row leans on its neighbours. */
  readonly lean: number;
  readonly freshness: number;
  readonly total: number;
}

/** Orders hits by the sum of their evidence; pure. Recall counts play no part: being found must not make a row easier to find. */
export function rankHits({ hits, words }: Pick<HitReply, "hits" | "words">, asked: Ranking): RankedHit[] {
  const isRecentAsked = asked.question.asks_recent > 0;
  const newest = isRecentAsked ? Math.max(...hits.map(({ memory }) => eventTime(memory, asked.now))) : asked.now;
  const ranking = { weights: SCORE_WEIGHTS, entities: NO_ENTITIES, ...asked, newest };
  const weighed = hits.map((hit) => weigh(hit, words, ranking));
  const best = bestOfRuns(weighed);
  const ranked = weighed.map((evidence) => {
    const { run_id } = evidence.hit.memory;
    const top = run_id === null ? evidence.total : (best.get(run_id) ?? evidence.total);
    const pull = ranking.weights.run * evidence.lean * (top - evidence.total);
    return { evidence, total: evidence.total + pull, pull };
  });
  return ranked
    .sort((a, b) => b.total - a.total || (a.evidence.hit.memory.id < b.evidence.hit.memory.id ? 1 : -1))
    .map(({ evidence, total, pull }) => ({
      hit: evidence.hit,
      score: 1 / (1 + Math.exp((SCORE_MIDDLE - total) / SCORE_SPREAD)),
      // Worked out where they are read: most hits are never shown.
      get parts() {
        return toParts(evidence, words);
      },
      get why() {
        return explain(evidence.shares, pull);
      },
    }));
}

function weigh(hit: Hit, words: readonly WeighedWord[], ranking: InRanking): Evidence {
  const { question, now, calibration, entities, weights } = ranking;
  const { content, run_id, status } = hit.memory;
  const speaker = speakerOf(content);
  const lean = run_id === null ? 0 : leaning(speaker, content.length);
  const own = deviations(hit.vec_sim, calibration.zero, calibration.spread) ?? PENDING_DEVIATIONS;
  const context = deviations(hit.context_sim, calibration.context_zero, calibration.spread) ?? own;
  const freshness = freshnessOf(hit.memory, now);
  const worth = entityWorth(hit, speaker, entities);
  const shares = {
    meaning: weights.own * own,
    context: weights.context * (lean * context + (1 - lean) * own),
    words: weights.words * weightOf(hit.own_words, words),
    nearby: weights.words * lean * weightOf(hit.near_words & ~hit.own_words, words),
    entity: weights.entity * worth.named,
    related: weights.related * worth.related,
    speaker: isNamed(speaker, question.words) ? weights.speaker : 0,
    asks: speaker !== "" && asks(content) ? -weights.asks : 0,
    time: timeShare(hit, ranking),
    fresh: freshShare(hit, freshness, ranking),
    status: status === "conflicted" ? -weights.conflicted : 0,
  };
  return { hit, shares, lean, freshness, total: Object.values(shares).reduce((sum, share) => sum + share, 0) };
}

/** A short turn means little without its neighbours; a long row stands alone. */
function leaning(speaker: string, length: number): number {
  if (speaker !== "" && length <= TURN_LENGTH) return 1;
  return 1 / (1 + (length / SELF_CONTAINED_LENGTH) ** 4);
}

const deviations = (cosine: number | null, zero: number, spread: number): number | null =>
  cosine === null ? null : (cosine - zero) / spread;

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

function timeShare({ memory }: Hit, { question, weights }: InRanking): number {
  const when = question.asks_when && speaksOfTime(memory.content) ? weights.timed : 0;
  return when + (question.times.length > 0 ? weights.date * timeMatch(memory, question.times) : 0);
}

/** A new row is worth a little to every query, and much to one that asks for what is new. */
function freshShare({ memory }: Hit, freshness: number, { question, now, newest, weights }: InRanking): number {
  if (question.asks_recent === 0) return weights.freshness * freshness;
  const recent = question.asks_recent * recencyOf(eventTime(memory, now), newest);
  return weights.freshness * freshness + weights.recent * recent;
}

function bestOfRuns(weighed: readonly Evidence[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const { hit, total } of weighed) {
    const { run_id } = hit.memory;
    if (run_id !== null) best.set(run_id, Math.max(best.get(run_id) ?? Number.NEGATIVE_INFINITY, total));
  }
  return best;
}

function toParts({ hit, shares, freshness }: Evidence, words: readonly WeighedWord[]): ScoreParts {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  return {
    vec_sim: rounded(hit.vec_sim ?? 0),
    fts_score: rounded(all > 0 ? weightOf(hit.own_words, words) / all : 0),
    freshness: rounded(freshness),
    entity_boost: rounded(shares.speaker + shares.entity + shares.related),
    recall_boost: 0,
    temporal_boost: rounded(shares.time),
    status_penalty: rounded(shares.status),
  };
}
