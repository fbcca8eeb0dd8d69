import { dot } from "../core/kernel/vectors.ts";
import { averageLinkage } from "./linkage.ts";
import type { Segment } from "./segments.ts";
import { rarityOf, sharedWords, significantRoots } from "./significant-terms.ts";

/** A sentence with its direction in the embedder's space; null where it has no vector. */
export interface PlacedSegment extends Segment {
  readonly direction: Float32Array | null;
}

/** One step as several runs tell it. */
export interface Step {
  /** The sentences of the runs, at most one of each; the one that is nearest to all others first. */
  readonly segments: readonly PlacedSegment[];
  /** Runs that did it. */
  readonly support: number;
}

/** Runs that must agree on a step. */
const SUPPORT_MIN = 2;
/** What being at the other end of the run costs two sentences, in cosines. */
const POSITION_WEIGHT = 0.6;
/** Sum of cosine and shared words, less the distance in the run, from which two sentences tell one step. */
const JOIN = 0.5;
const SLACK = 1;
/** Words must tell more where there are no vectors. */
const WORDS_ALONE_WEIGHT = 2;

/**
 * Lays the runs of one procedure side by side: sentences that say the same at about the same place become one step. Steps
 * that fewer than two runs took are left out; the rest are in the order in which most runs took them.
 */
export async function commonSteps(segments: readonly PlacedSegment[]): Promise<Step[]> {
  const bags = segments.map(({ text }) => significantRoots(text));
  const rarity = rarityOf(bags);
  const words = bags.map((bag) => rarity.weigh(bag));
  const strength = (i: number, j: number): number => {
    const [a, b] = [segments[i], segments[j]];
    if (!a || !b) return 0;
    const [x, y] = [words[i], words[j]];
    const shared = x && y ? sharedWords(x, y) : 0;
    const apart = POSITION_WEIGHT * Math.abs(a.position - b.position);
    return (a.direction && b.direction ? dot(a.direction, b.direction) + shared : WORDS_ALONE_WEIGHT * shared) - apart;
  };
  const groups = await averageLinkage(segments.length, strength, {
    join: JOIN,
    slack: SLACK,
    apart: (i, j) => segments[i]?.run_id === segments[j]?.run_id,
  });
  const steps = groups
    .map((places) => ({
      segments: byCentrality(places, strength).flatMap((index) => segments[index] ?? []),
      support: places.length,
    }))
    .filter(({ support }) => support >= SUPPORT_MIN);
  return inOrder(steps);
}

function byCentrality(places: readonly number[], strength: (i: number, j: number) => number): number[] {
  const central = (i: number) => places.reduce((sum, j) => sum + (i === j ? 0 : strength(i, j)), 0);
  return places.toSorted((i, j) => central(j) - central(i) || i - j);
}

/** Orders steps by how many others most runs took before them, then by their mean place. */
function inOrder(steps: readonly Step[]): Step[] {
  const rank = new Map(steps.map((step) => [step, steps.filter((other) => comesBefore(other, step)).length]));
  return steps.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || meanPlace(a) - meanPlace(b));
}

/** Whether more of the runs that took both steps took the first one earlier. */
function comesBefore(first: Step, second: Step): boolean {
  if (first === second) return false;
  const places = new Map(second.segments.map(({ run_id, position: index }) => [run_id, index]));
  let votes = 0;
  for (const { run_id, position: index } of first.segments) {
    const other = places.get(run_id);
    if (other !== undefined) votes += Math.sign(other - index);
  }
  return votes === 0 ? meanPlace(first) < meanPlace(second) : votes > 0;
}

const meanPlace = ({ segments }: Step): number =>
  segments.reduce((sum, { position: index }) => sum + index, 0) / segments.length;
