import { dot } from "../core/kernel/vectors.ts";

/** A sentence that may become part of a summary. */
export interface Passage {
  readonly text: string;
  /** How well it answers, larger is better. */
  readonly relevance: number;
  /** Unit vector of the sentence; null, where there is none or a silent one, compares by words. */
  readonly vector: Float32Array | null;
}

/** Characters that stand for one token of a budget: the usual estimate for English. */
export const CHARACTERS_PER_TOKEN = 4;
/** Weight of relevance against novelty: Carbonell and Goldstein 1998, Maximal Marginal Relevance. */
const RELEVANCE_SHARE = 0.7;
/** Passages closer than this to a chosen one say the same thing and are left out. */
const SAME = 0.97;

/**
 * Chooses passages by Maximal Marginal Relevance until the budget of characters is used up, of which each takes `extra`
 * beside its text; the best one is always in. Returns their positions in order of choice.
 */
export function choosePassages(passages: readonly Passage[], budgetCharacters: number, extra = 0): number[] {
  const spread = relevanceSpread(passages);
  const chosen: number[] = [];
  const open = new Set(passages.keys());
  for (let left = budgetCharacters; open.size > 0; ) {
    const next = bestOf(open, (i) => marginalRelevance(passages, chosen, i, spread));
    open.delete(next);
    const passage = passages[next];
    if (!passage) continue;
    const cost = passage.text.length + extra;
    if (chosen.length > 0 && (cost > left || repeats(passages, chosen, passage))) continue;
    chosen.push(next);
    left -= cost;
  }
  return chosen;
}

interface Spread {
  readonly lowest: number;
  readonly range: number;
}

function relevanceSpread(passages: readonly Passage[]): Spread {
  const values = passages.map(({ relevance }) => relevance);
  const lowest = Math.min(...values);
  return { lowest, range: Math.max(...values) - lowest || 1 };
}

function marginalRelevance(passages: readonly Passage[], chosen: readonly number[], i: number, spread: Spread): number {
  const passage = passages[i];
  if (!passage) return Number.NEGATIVE_INFINITY;
  const relevance = (passage.relevance - spread.lowest) / spread.range;
  return RELEVANCE_SHARE * relevance - (1 - RELEVANCE_SHARE) * nearest(passages, chosen, passage);
}

const repeats = (passages: readonly Passage[], chosen: readonly number[], passage: Passage): boolean =>
  nearest(passages, chosen, passage) >= SAME;

/** Likeness of a passage to the chosen one nearest to it; 0 when none is chosen yet. */
function nearest(passages: readonly Passage[], chosen: readonly number[], passage: Passage): number {
  let best = 0;
  for (const j of chosen) {
    const other = passages[j];
    if (other) best = Math.max(best, likeness(passage, other));
  }
  return best;
}

function likeness(a: Passage, b: Passage): number {
  if (a.vector && b.vector) return dot(a.vector, b.vector);
  const words = wordSet(a.text);
  const others = wordSet(b.text);
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / (words.size + others.size - shared || 1);
}

const wordSet = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

function bestOf(open: ReadonlySet<number>, value: (i: number) => number): number {
  let best = -1;
  let bestValue = Number.NEGATIVE_INFINITY;
  for (const i of open) {
    const found = value(i);
    if (best < 0 || found > bestValue) {
      best = i;
      bestValue = found;
    }
  }
  return best;
}
