import { expect, test } from "bun:test";
import fc from "fast-check";
import { estimateTokens, planBatches } from "../../../src/ai/worker/batching.ts";

const MAX_TOKENS = 256;
const lengths = fc.array(fc.integer({ min: 1, max: 512 }), { maxLength: 60 });

test("every row is in exactly one batch", () => {
  fc.assert(
    fc.property(lengths, (rows) => {
      const planned = planBatches(rows, MAX_TOKENS).flat();
      expect(planned.toSorted((a, b) => a - b)).toEqual(rows.map((_, index) => index));
    }),
  );
});

test("no batch of several rows is larger than the bound after padding", () => {
  fc.assert(
    fc.property(lengths, (rows) => {
      for (const batch of planBatches(rows, MAX_TOKENS)) {
        const longest = Math.max(...batch.map((index) => rows[index] ?? 0));
        expect(batch.length === 1 || longest * batch.length <= MAX_TOKENS).toBe(true);
      }
    }),
  );
});

test("rows of like length share a batch", () => {
  expect(planBatches([100, 10, 100, 10, 10], 200)).toEqual([
    [1, 3, 4],
    [0, 2],
  ]);
});

test("a short row is not padded to a long one's length, a few tokens are", () => {
  expect(planBatches([30, 40, 100], 1_000)).toEqual([[0, 1], [2]]);
});

test("no rows make no batches", () => {
  expect(planBatches([], MAX_TOKENS)).toEqual([]);
});

test("an estimate grows with the text up to the model's limit", () => {
  expect(estimateTokens("", 512)).toBe(2);
  expect(estimateTokens("nine char", 512)).toBe(4);
  expect(estimateTokens("x".repeat(100_000), 512)).toBe(512);
});
