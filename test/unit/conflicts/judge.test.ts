import { expect, test } from "bun:test";
import { judgePairs, mayBeOfOneThing, worthDeciding } from "../../../src/conflicts/judge.ts";
import type { Pair } from "../../../src/conflicts/pair.ts";
import { pairWith, readMemory } from "../../../src/conflicts/pair.ts";
import type { Judge } from "../../../src/core/ports/judge.ts";
import type { Llm } from "../../../src/core/ports/llm.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { aRow } from "../../support/builders.ts";

const LLM: Llm = { provider: "a", model: "a", complete: async () => expect.unreachable(), close: () => undefined };
const JUDGE: Judge = { id: "a-judge", state: () => ({ phase: "ready" }), score: async () => null };
const manyValued = new Set(["speaks"]);
const SUBJECT = "5f0c8a52-3c0f-4f57-9a51-6f6a4f4f0001";
const stating = (object_value: string, predicate = "region"): Partial<StoredMemory> => ({
  subject_entity_id: SUBJECT,
  predicate,
  object_value,
});

/** Pairs of a row with others that are so near to it in meaning, and in words. */
function pairsOf(
  own: Partial<StoredMemory>,
  others: readonly (readonly [row: Partial<StoredMemory>, closeness: number | null, shared_words?: number])[],
): Pair[] {
  const rows = others.map(([row, closeness, shared_words = 0]) => ({ memory: aRow(row), closeness, shared_words }));
  const read = readMemory(aRow(own));
  return rows.flatMap((candidate) => pairWith(read, candidate, manyValued) ?? []);
}
const near = (...closeness: (number | null)[]) => closeness.map((one) => [{}, one] as const);
const closenessOf = (pairs: readonly Pair[]) => pairs.map(({ candidate }) => candidate.closeness);
const worth = (pairs: readonly Pair[], llm: Llm | null = null) =>
  closenessOf(worthDeciding({ judge: JUDGE, llm }, pairs));

test("pairs half as near as the nearest are worth deciding, and none that is far; a language model alone gets the nearest six", () => {
  const pairs = pairsOf({}, near(0.1, 0.5, 0.9, 0.6, 0.7, 0.4, 0.8, 0.3));
  expect(worth(pairs)).toEqual([0.9, 0.8, 0.7, 0.6, 0.5]);
  expect(worth(pairs, LLM)).toEqual([0.9, 0.8, 0.7, 0.6, 0.5]);
  expect(closenessOf(worthDeciding({ judge: null, llm: LLM }, pairs))).toEqual([0.9, 0.8, 0.7, 0.6, 0.5, 0.4]);
  expect(worth(pairsOf({}, near(0.1, 0.01, -0.2)))).toEqual([]);
  // A row that has no vector yet may be anything.
  expect(worth(pairsOf({}, near(null)))).toEqual([null]);
  expect(worth(pairsOf({}, near(...Array.from({ length: 20 }, (_, i) => 0.9 - i / 1_000))))).toHaveLength(12);
});

test("rare words in common count for more than likeness", () => {
  const [alike, named] = [[{}, 0.6] as const, [{}, 0.3, 0.5] as const];
  expect(worth(pairsOf({}, [alike, named]))).toEqual([0.3, 0.6]);
});

test("of near pairs those are left out whose texts are about something else: little alike in meaning and in words", () => {
  const own = { content: "The read timeout of the gateway is 30 seconds." };
  const other = { content: "Nadia prefers green tea." };
  const same = { content: "We raised the read timeout of the gateway." };
  const pairs = pairsOf(own, [
    [other, 0.34, 0.2],
    [other, 0.37, 0.1],
    [same, 0.3, 0.2],
  ]);
  expect(closenessOf(pairs.filter(mayBeOfOneThing))).toEqual([0.37, 0.3]);
  const stated = pairsOf(stating("us-east-2"), [[stating("eu-west-1"), 0.01]]);
  expect(stated.every(mayBeOfOneThing)).toBe(true);
});

test("without a model every pair is looked at", () => {
  const pairs = pairsOf({}, near(0.1, 0.5, -0.2, 0.6, 0.7, 0.4, 0.8, null));
  expect(worthDeciding({ judge: null, llm: null }, pairs)).toEqual(pairs);
});

test("a pair that callers decided is worth deciding however far it is, and no model reads it", async () => {
  const pairs = pairsOf(stating("us-east-2"), [
    [stating("eu-west-1"), 0.01],
    [{}, 0.9],
    [stating("eu-west-1", "speaks"), 0.8],
  ]);
  const deciding = worthDeciding({ judge: JUDGE, llm: null }, pairs);
  expect(closenessOf(deciding)).toEqual([0.01, 0.9, 0.8]);
  let read = 0;
  const judge: Judge = {
    id: "a-judge",
    state: () => ({ phase: "ready" }),
    score: async (asked) => {
      read += asked.length;
      return asked.map(() => ({ clash: 0.5, replaced: 0.5, whole: 1 }));
    },
  };
  const judgements = new Map();
  await judgePairs({ judge }, deciding, judgements, undefined);
  await judgePairs({ judge }, deciding, judgements, undefined);
  expect([read, judgements.size]).toEqual([2, 2]);
});
