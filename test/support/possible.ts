import { expect } from "bun:test";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import type { Verdict } from "../../src/conflicts/compare.ts";
import { compareTexts } from "../../src/conflicts/compare.ts";
import { pairWith, readMemory } from "../../src/conflicts/pair.ts";
import type { Judge, Judgement, StatementPair } from "../../src/core/ports/judge.ts";
import { POSSIBLE } from "../../src/core/schema/observing/possible-change.ts";
import { aRow } from "./builders.ts";

/** What may follow from a pair, by how sure the decision is of it. */
export type Level = "nothing" | "possible" | "sure";

/** Two texts and how a judge must score them for each thing that may follow. */
export interface LevelledPair extends StatementPair {
  readonly scores: Readonly<Record<Level, Judgement>>;
}

/** Ways to say that something has moved, the least alike to what was said before first. */
const OLDER = (of: string): string => `Whoever sings in the choir of ${of} meets in the cellar of the old brewery.`;
const NEWER: readonly ((of: string) => string)[] = [
  (of) => `Singers of ${of} have been gathering under the roof of the town hall.`,
  (of) => `The choir of ${of} gathers under the roof of the town hall.`,
  (of) => `Whoever sings for the choir of ${of} gathers under the roof of the town hall.`,
  (of) => `Whoever sings in the choir of ${of} gathers under the roof of the town hall.`,
  (of) => `Whoever sings in the choir of ${of} meets under the roof of the old town hall.`,
  (of) => `Whoever sings in the choir of ${of} meets in the attic of the town hall.`,
  (of) => `Whoever sings in the choir of ${of} meets in the attic of the old brewery.`,
];
/** Scores of a judge, evenly spread in log-odds. */
const CLASHES = Array.from({ length: 93 }, (_, i) => 1 / (1 + Math.exp((46 - i) / 4)));

/**
 * Two texts that speak of something, of which all three may follow by what a judge makes of them: found by the weights of the
 * decision as they are.
 */
export async function aPair(of: string): Promise<LevelledPair> {
  const pairs = await Promise.all(NEWER.map((say) => levelled(OLDER(of), say(of))));
  const [best] = pairs.flatMap((pair) => pair ?? []).toSorted((a, b) => b.room - a.room);
  return best?.pair ?? expect.unreachable("No score makes a difference with these weights.");
}

/** The texts with the middle ones of the scores for each level, and how many scores the rarest of these has. */
async function levelled(older: string, newer: string) {
  const found = scoresFor(older, newer, await closenessOf(older, newer));
  const [nothing, possible, sure] = [middle(found.nothing), middle(found.possible), middle(found.sure)];
  if (!nothing || !possible || !sure) return null;
  const room = Math.min(...Object.values(found).map(({ length }) => length));
  return { room, pair: { older, newer, scores: { nothing, possible, sure } } };
}

const middle = (some: readonly Judgement[] = []): Judgement | undefined => some[Math.floor(some.length / 2)];

async function closenessOf(one: string, other: string): Promise<number> {
  const [a, b] = await hashEmbedder().embed([one, other], { role: "passage", priority: "background" });
  return a && b ? a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) : expect.unreachable();
}

/** Scores by what the decision makes of them. */
function scoresFor(older: string, newer: string, closeness: number): Partial<Record<Level, Judgement[]>> {
  const row = (content: string, created_at: string) => aRow({ content, created_at });
  const candidate = { memory: row(older, "2026-01-01T00:00:00.000Z"), closeness, shared_words: 0 };
  const pair = pairWith(readMemory(row(newer, "2026-01-01T00:00:01.000Z")), candidate, new Set());
  if (!pair) return expect.unreachable();
  const judgements = CLASHES.map((clash) => ({ clash, replaced: 0.5, whole: 1 }));
  return Object.groupBy(judgements, (judged) => levelOf(compareTexts(pair, judged)));
}

const levelOf = (verdict: Verdict | null): Level =>
  verdict === null ? "nothing" : verdict.status === POSSIBLE ? "possible" : "sure";

/** A judge that scores pairs as it is told to, by their texts; of what it is told nothing, it holds that nothing clashes. */
export const judgeBy = (scoreOf: (pair: StatementPair) => Judgement | undefined): Judge => ({
  id: "a-judge",
  state: () => ({ phase: "ready" }),
  score: async (pairs) => pairs.map((pair) => scoreOf(pair) ?? { clash: 0, replaced: 0, whole: 1 }),
});
