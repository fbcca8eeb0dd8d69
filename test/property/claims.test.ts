import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { comparePair } from "../../src/conflicts/compare.ts";
import type { Statement } from "../../src/conflicts/verdict.ts";
import { extractClaims } from "../../src/text/claims/extract.ts";
import { tokenize } from "../../src/text/claims/lexer.ts";
import { readValues } from "../../src/text/values/read.ts";
import { relate } from "../../src/text/values/relate.ts";
import { PAIRS } from "../unit/conflicts/pairs.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);

const AT_MS = Date.UTC(2025, 5, 2, 9);
const statement = (text: string, index = AT_MS): Statement => ({
  text,
  claims: extractClaims(text, index),
  at_ms: index,
});
const signals = fc.record({
  judge: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
  cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: null }),
  shared_entities: fc.nat(5),
});

const SENTENCES = PAIRS.flatMap(([older, newer]) => `${older}\n${newer}`.split("\n"));

/** Words that the readers know, in any order: more of their branches than any letters would reach. */
const VOCABULARY = [...new Set(PAIRS.flatMap(([older, newer]) => `${older} ${newer}`.split(" ")))];
const sentence = fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 40 }).map((words) => words.join(" "));
const text = fc.oneof(
  sentence,
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
);

test("no text and no pair of texts throws, and spans lie in their texts", () => {
  fc.assert(
    fc.property(text, text, signals, (older, newer, measured) => {
      const verdict = comparePair(statement(older), statement(newer, AT_MS + 5), measured);
      if (verdict === null) return;
      expect(verdict.older_span.end).toBeLessThanOrEqual(older.length);
      expect(verdict.newer_span.end).toBeLessThanOrEqual(newer.length);
      expect(verdict.older_span.start).toBeLessThanOrEqual(verdict.older_span.end);
      expect(verdict.confidence).toBeGreaterThan(0);
      expect(verdict.confidence).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});

test("a sentence never clashes with itself, whatever the judge says", () => {
  const own = fc.constantFrom(...SENTENCES);
  fc.assert(
    fc.property(own, signals, (one, measured) => {
      expect(comparePair(statement(one), statement(one, AT_MS + 5), measured)).toBeNull();
    }),
    { numRuns: 500 },
  );
});

const UNITS = [
  ["minutes", "hours", 60],
  ["seconds", "minutes", 60],
  ["metres", "km", 1000],
  ["g", "kg", 1000],
  ["MB", "GB", 1000],
  ["ml", "litres", 1000],
  ["months", "years", 12],
] as const;

test("equal amounts in other units never clash", () => {
  fc.assert(
    fc.property(fc.constantFrom(...UNITS), fc.integer({ min: 1, max: 500 }), ([small, large, factor], amount) => {
      const [one, other] = [`The thing takes ${amount * factor} ${small}.`, `The thing takes ${amount} ${large}.`];
      const [a] = readValues(tokenize(one), AT_MS);
      const [b] = readValues(tokenize(other), AT_MS);
      expect(a && b && relate(a, b)).not.toBe("clash");
      expect(
        comparePair(statement(one), statement(other, AT_MS + 5), { judge: 0.99, cosine: null, shared_entities: 0 }),
      ).toBeNull();
    }),
  );
});

test("relations of values hold both ways", () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      for (const a of readValues(tokenize(one), AT_MS)) {
        for (const b of readValues(tokenize(other), AT_MS)) expect(relate(a, b)).toBe(relate(b, a));
      }
    }),
    { numRuns: 300 },
  );
});

test("long texts of one repeated piece are read in linear time", () => {
  const pieces = [
    "a ",
    "1",
    "1 ",
    "not ",
    "that ",
    "-",
    "a-",
    "'s ",
    "1:",
    "one hundred and ",
    "if ",
    ", ",
    "it is not ",
    "$",
    "up to ",
    "A.",
    "every ",
    "_a",
  ];
  for (const piece of pieces) {
    const long = piece.repeat(Math.ceil(10_000 / piece.length));
    const [older, newer] = [statement(long), statement(`${long} x`, AT_MS + 5)];
    comparePair(older, newer, { judge: 0.5, cosine: 0.5, shared_entities: 0 });
  }
});
