import { dot } from "../core/kernel/vectors.ts";
import type { CosineCalibration } from "../core/ports/embedder.ts";
import { eventTime } from "./freshness.ts";
import type { ScoredHit } from "./rank.ts";

/** Rows from the top that are held against each other. */
export const COMPARED = 24;
/** Deviations of the cosine of two unrelated rows from which two rows say something of the same, and from which surely. */
const ALIKE = 2.5;
const SURELY_ALIKE = 4.4;
/** Evidence that a row loses beside a newer one that surely says the same of the same, in nats. */
const OUTDONE = 2;
/** A row that answers worse by more than this, in nats, says something else. */
const MARGIN = 1;

/** A longer row says several things, of which another has hardly all. */
const ONE_THING = 250;
/** Whether a row says one thing that another could say otherwise: no turn of a conversation, no question, nothing long. */
export const isShortStatement = ({ hit: { memory }, kind }: ScoredHit): boolean =>
  kind === "statement" && memory.content.length <= ONE_THING && !memory.content.includes("?");

/** Rows of times nearer than this, in milliseconds, were written at one go, in whatever order. */
const AT_ONE_GO = 60_000;

/** What two rows are held against each other by. */
export interface Likeness {
  readonly calibration: CosineCalibration;
  /** Vectors by the ids of those rows that say one thing. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

export interface AskedOf {
  readonly likeness: Likeness;
  /** Whether the question asks for what was. */
  readonly asks_past: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * What each of some rows loses, in nats, because another one that answers nearly as well says the same of the same at a later
 * time; at an earlier one, where the question asks for what was. Rows without a vector lose nothing.
 */
export function supersededByNewest(
  rows: readonly ScoredHit[],
  { likeness, asks_past, now }: AskedOf,
): readonly number[] {
  const { row_unrelated_mean, row_unrelated_deviation } = likeness.calibration;
  const told = rows.map(({ hit }) => ({
    at: eventTime(hit.memory, now),
    vector: likeness.vectors.get(hit.memory.id),
  }));
  const alike = (a: Float32Array, b: Float32Array): number => {
    const deviations = (dot(a, b) - row_unrelated_mean) / row_unrelated_deviation;
    return Math.min(1, Math.max(0, (deviations - ALIKE) / (SURELY_ALIKE - ALIKE)));
  };
  return rows.map(({ total }, i) => {
    const own = told[i];
    let most = 0;
    for (const [j, other] of told.entries()) {
      if (!own?.vector || !other.vector || other.at > own.at === asks_past) continue;
      if (Math.abs(other.at - own.at) < AT_ONE_GO) continue;
      if ((rows[j]?.total ?? Number.NEGATIVE_INFINITY) < total - MARGIN) continue;
      most = Math.max(most, alike(own.vector, other.vector));
    }
    return OUTDONE * most;
  });
}
