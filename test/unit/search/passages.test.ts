import { describe, expect, test } from "bun:test";
import { dot } from "../../../src/core/kernel/vectors.ts";
import type { Passage } from "../../../src/search/passages.ts";
import { choosePassages } from "../../../src/search/passages.ts";
import { aVector } from "../../support/builders.ts";

const passage = (text: string, relevance: number, degrees?: number): Passage => ({
  text,
  relevance,
  vector: degrees === undefined ? null : aVector(degrees),
});

describe("passages are chosen", () => {
  test("the most relevant first", () => {
    const passages = [passage("b", 0.5, 60), passage("a", 0.9, 0), passage("c", 0.1, 120)];
    expect(choosePassages(passages, 100)).toEqual([1, 0, 2]);
  });

  test("so that something new goes before more of the same", () => {
    const passages = [
      passage("the answer", 0.9, 0),
      passage("the answer again", 0.6, 18),
      passage("an aside", 0.55, 90),
      passage("idle talk", 0, 120),
    ];
    expect(choosePassages(passages, 100)).toEqual([0, 2, 1, 3]);
  });

  test("none that repeats another", () => {
    expect(choosePassages([passage("x", 0.9, 0), passage("y", 0.8, 5), passage("z", 0.7, 90)], 100)).toEqual([0, 2]);
    const [one, same] = [passage("Anna moved to Lisbon.", 0.9), passage("anna moved to lisbon", 0.8)];
    expect(choosePassages([one, same, passage("Karl stayed here.", 0.1)], 100)).toEqual([0, 2]);
  });

  test("until the budget is used up, skipping what does not fit", () => {
    const passages = [passage("1234567890", 0.9, 0), passage("12345678901", 0.8, 60), passage("12345", 0.7, 120)];
    expect(choosePassages(passages, 15)).toEqual([0, 2]);
    expect(choosePassages(passages, 14)).toEqual([0]);
  });

  test("the best one even when it alone is beyond the budget", () => {
    expect(choosePassages([passage("a long sentence", 0.2, 0), passage("the longest of all", 0.9, 90)], 1)).toEqual([
      1,
    ]);
  });

  test("each once, and none from none", () => {
    expect(choosePassages([], 100)).toEqual([]);
    const alike = [passage("a b", 0.5, 0), passage("c d", 0.5, 45), passage("e f", 0.5, 90)];
    expect(choosePassages(alike, 100).sort()).toEqual([0, 1, 2]);
  });
});

test("the dot product of unit vectors is the cosine between them", () => {
  expect(dot(aVector(20), aVector(80))).toBeCloseTo(0.5, 5);
  expect(dot(aVector(20), aVector(20))).toBeCloseTo(1, 5);
});
