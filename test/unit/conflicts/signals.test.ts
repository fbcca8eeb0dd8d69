import { describe, expect, test } from "bun:test";
import type { Pair } from "../../../src/conflicts/pair.ts";
import { pairWith, readMemory } from "../../../src/conflicts/pair.ts";
import type { PairSignals } from "../../../src/conflicts/signals.ts";
import { PAIR_SIGNALS, signalsOf } from "../../../src/conflicts/signals.ts";
import type { ConflictCandidate } from "../../../src/core/ports/contradiction-store.ts";
import type { Judgement } from "../../../src/core/ports/judge.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { aRow } from "../../support/builders.ts";

const UNSURE: Judgement = { clash: 0.5, replaced: 0.5, whole: 0.5 };

type Near = Partial<Pick<ConflictCandidate, "closeness" | "shared_words">>;

/** The pair that two rows make when the first one is looked at. */
function pairOf(own: StoredMemory, other: StoredMemory, { closeness = 0.5, shared_words = 0 }: Near = {}): Pair {
  const pair = pairWith(readMemory(own), { memory: other, closeness, shared_words }, new Set());
  return pair ?? expect.unreachable("The two rows make no pair.");
}

const signals = (older: string, newer: string, judged: Partial<Judgement> = {}): PairSignals =>
  signalsOf(pairOf(aRow({ content: older }), aRow({ content: newer })), { ...UNSURE, ...judged });

test("every signal of a pair is a number", () => {
  for (const [older, newer] of [
    ["The read timeout is 30 seconds.", "The read timeout is 45 seconds."],
    ["!", "?"],
    ["的", "a"],
  ] as const) {
    const found = signals(older, newer, { clash: 0, replaced: 1, whole: 0 });
    expect(Object.keys(found).sort()).toEqual([...PAIR_SIGNALS].sort());
    for (const value of Object.values(found)) expect(value).toBeFinite();
  }
});

describe("what the judge says", () => {
  test.each([
    ["clash", "clash"],
    ["replaced", "replaced"],
  ] as const)("of '%s' is one signal of its own, in log-odds", (said, name) => {
    const at = (p: number) => signals("One text.", "Another text.", { [said]: p });
    expect(at(0.5)[name]).toBe(0);
    expect(at(0.9)[name]).toBeCloseTo(Math.log(9), 9);
    expect(at(0.1)[name]).toBeCloseTo(-Math.log(9), 9);
    const others = (found: PairSignals) => ({ ...found, [name]: null });
    expect(others(at(0.9))).toEqual(others(at(0.1)));
  });

  test("counts for no more than near certainty where it is certain", () => {
    const [none, all] = [0, 1].map((clash) => signals("One text.", "Another text.", { clash }).clash);
    expect(all).toBeLessThan(12);
    expect(none).toBeCloseTo(-(all ?? Number.NaN), 9);
    expect(all).toBeGreaterThan(signals("One text.", "Another text.", { clash: 0.9999 }).clash);
  });
});

test("nearness is that of the vectors, and below the middle where a row has none", () => {
  const [older, newer] = [aRow(), aRow()];
  const nearness = (closeness: number | null) => signalsOf(pairOf(older, newer, { closeness }), UNSURE).nearness;
  expect(nearness(0.83)).toBe(0.83);
  expect(nearness(-0.1)).toBe(-0.1);
  expect(nearness(null)).toBe(0.3);
});

test.each([
  ["The lease of the depot ends in spring.", "The lease of the Oslo depot ends in spring.", 1, 4 / 5],
  ["The lease of the depot ends.", "Nadia prefers green tea.", 0, 0],
  ["Die Miete für das Lager kostet 900 Euro.", "Die Miete für das Lager kostet 900 Euro.", 1, 1],
  // Of a text without spaces, pairs of letters are compared.
  ["会议室在三楼。", "会议室在五楼。", 3 / 5, 3 / 5],
  ["图书馆关门。", "咖啡很好喝。", 0, 0],
])("the share of telling words: '%s', '%s'", (older, newer, older_words, newer_words) => {
  const found = signals(older, newer);
  expect(found.older_words).toBeCloseTo(older_words, 9);
  expect(found.newer_words).toBeCloseTo(newer_words, 9);
  const turned = signals(newer, older);
  expect([turned.older_words, turned.newer_words]).toEqual([found.newer_words, found.older_words]);
});

test.each([
  ["The read timeout is 30 seconds.", "We raised the read timeout to 45 seconds.", 1, 0],
  ["The backup takes 90 minutes.", "The backup takes an hour and a half.", 0, 1],
  ["The backup takes 90 minutes.", "The backup runs at night.", 0, 0],
  ["The backup takes 90 minutes.", "The backup needs 20 GB.", 0, 0],
  ["Der Hafen schließt um 18 Uhr.", "Der Hafen schließt um 21 Uhr.", 1, 0],
  ["Die Miete kostet 900 Euro.", "Als Miete zahlen wir 900 €.", 0, 1],
  ["读取超时是 30 秒", "读取超时是 45 秒", 1, 0],
  ["读取超时是 30 秒", "超时仍是 30 秒", 0, 1],
])("values of one kind: '%s', '%s'", (older, newer, other_value, same_value) => {
  const found = signals(older, newer);
  expect([found.other_value, found.same_value]).toEqual([other_value, same_value]);
});

test.each([
  ["The depot ends.", "The lease of the depot ends in spring.", 2, 4],
  ["Lager Nord", "Lager Nord brennt lichterloh", 2, 4],
  ["咖啡", "咖啡好喝", 1, 3],
])("lengths count the telling words of each: '%s', '%s'", (older, newer, one, other) => {
  const found = signals(older, newer);
  expect(found.older_length).toBeCloseTo(Math.log(1 + one), 9);
  expect(found.newer_length).toBeCloseTo(Math.log(1 + other), 9);
});

describe("the signals hang on the pair alone", () => {
  const content = ["The read timeout is 30 seconds.", "The read timeout is 45 seconds now."] as const;

  test("and not on which of the rows is looked at", () => {
    const [older, newer] = content.map((one) => aRow({ content: one }));
    if (!older || !newer) return expect.unreachable();
    const one = signalsOf(pairOf(older, newer, { shared_words: 0.2 }), UNSURE);
    expect(signalsOf(pairOf(newer, older, { shared_words: 0.9 }), UNSURE)).toEqual(one);
  });

  test("nor on who wrote them, what their status is, or how rare their words are among what else is stored", () => {
    const found = (fields: Partial<StoredMemory>, near: Near) => {
      const [older, newer] = content.map((one) => aRow({ content: one, ...fields }));
      return signalsOf(pairOf(older ?? expect.unreachable(), newer ?? expect.unreachable(), near), UNSURE);
    };
    const one = found({}, { shared_words: 0.1 });
    expect(found({ agent_id: "bob", status: "pending", weight: 0.9 }, { shared_words: 1 })).toEqual(one);
  });
});
