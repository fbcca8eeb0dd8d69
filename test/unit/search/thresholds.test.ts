import { describe, expect, test } from "bun:test";
import type { Weighed } from "../../../src/search/thresholds.ts";
import { emptiedByScore, missedThreshold } from "../../../src/search/thresholds.ts";

const row = (score: number, { has_words = false, vec_sim = 0.5 }: Partial<Weighed & Weighed["hit"]> = {}): Weighed => ({
  score,
  has_words,
  hit: { vec_sim },
});
const NONE = { min_similarity: null, min_score: null };

describe("a row", () => {
  test("reaches no floor at all, and one of 0", () => {
    expect(missedThreshold(row(0, { vec_sim: -1 }), NONE)).toBeNull();
    expect(missedThreshold(row(0), { ...NONE, min_score: 0 })).toBeNull();
  });

  test.each([
    [0.3, null],
    [0.29996, null],
    [0.29994, "below_min_score"],
  ] as const)("of score %d is held against a floor of 0.3 as it is shown", (score, short) => {
    expect(missedThreshold(row(score), { ...NONE, min_score: 0.3 })).toBe(short);
  });

  test("found by its words or without a vector survives the floor on the cosine, but not the one on the score", () => {
    const floors = { min_similarity: 0.9, min_score: 0.2 };
    expect(missedThreshold(row(0.1), floors)).toBe("below_min_similarity");
    for (const hit of [{ has_words: true }, { vec_sim: null }]) {
      expect(missedThreshold(row(0.2, hit), floors)).toBeNull();
      expect(missedThreshold(row(0.1, hit), floors)).toBe("below_min_score");
    }
  });
});

describe("the warning of an empty reply", () => {
  const floors = { min_similarity: 0.4, min_score: 0.02 };

  test("counts what the score alone kept out, and names the best of it", () => {
    const ranked = [row(0.0151), row(0.012, { vec_sim: 0.1 }), row(0.01)];
    expect(emptiedByScore(ranked, floors)).toEqual([
      {
        code: "below_min_score",
        message:
          "What was found (2 memories) scores below 0.02, too little for an answer; min_score 0 returns it all the same.",
        details: { below_min_score: 2, best_score: 0.0151, min_score: 0.02 },
      },
    ]);
    expect(emptiedByScore([row(0.01)], floors)[0]?.message).toContain("(1 memory)");
  });

  test("is not there where the score kept nothing out", () => {
    expect(emptiedByScore([], floors)).toEqual([]);
    expect(emptiedByScore([row(0.01, { vec_sim: 0.1 })], floors)).toEqual([]);
  });
});
