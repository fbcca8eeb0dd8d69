import { expect, test } from "bun:test";
import fc from "fast-check";
import { clashingSpans } from "../../../src/conflicts/clashing-spans.ts";

const told = (older: string, newer: string): [string, string] => {
  const spans = clashingSpans(older, newer);
  return [older.slice(spans.older.start, spans.older.end), newer.slice(spans.newer.start, spans.newer.end)];
};

test.each([
  [
    "The billing service runs in region eu-west-1.",
    "The billing service now runs in region us-east-2.",
    "eu-west-1",
    "us-east-2",
  ],
  ["Zorvath lives in Paris.", "Zorvath lives in Berlin now.", "Paris", "Berlin"],
  ["The read timeout is 30 seconds.", "We raised the read timeout to 45 seconds.", "30", "45"],
  ["Deploys go out on Tuesday.", "Deploys go out on Thursday.", "Tuesday", "Thursday"],
  ["retry_limit = 5", "retry_limit = 8", "5", "8"],
  ["Ines owns the rota. Ask her first.", "Bao Tran owns the rota. Ask her first.", "Ines", "Bao Tran"],
  ["The fee is $1,500 a month.", "The fee is €1,800 a month.", "$1,500", "€1,800"],
])("what clashes in '%s' and '%s'", (older, newer, one, other) => {
  expect(told(older, newer)).toEqual([one, other]);
});

test("where every word of a text is also in the other, the whole text is what clashes", () => {
  expect(told("It runs.", "It no longer runs.")[0]).toBe("It runs.");
});

test("the spans of any two texts lie within them and are not empty", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(text, text, (older, newer) => {
      const spans = clashingSpans(older, newer);
      for (const [span, of] of [
        [spans.older, older],
        [spans.newer, newer],
      ] as const) {
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.start).toBeLessThan(span.end);
        expect(span.end).toBeLessThanOrEqual(of.length);
      }
    }),
  );
});
