import { expect, test } from "bun:test";
import fc from "fast-check";
import { readPostings } from "../../src/storage/common/postings.ts";
import { newestFirst, rowsOf } from "../../src/storage/sqlite/search/word-rows.ts";

const TOTAL = 100_000;
const anyRows = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 60 });

test("rows come by the weight of their words, newer first among equals, each once", () => {
  fc.assert(
    fc.property(fc.array(anyRows, { maxLength: 6 }), (lists) => {
      const rowsOfWord = (word: string) => lists[Number(word)] ?? [];
      const lookup = (word: string, limit: number) =>
        rowsOf(newestFirst(Uint32Array.from(rowsOfWord(word))).subarray(0, limit));
      const postings = readPostings(
        lookup,
        lists.map((_, i) => String(i)),
        TOTAL,
      );
      const weightOf = (seq: number) =>
        postings.words.reduce((sum, { word, weight }) => (rowsOfWord(word).includes(seq) ? sum + weight : sum), 0);
      const expected = [...new Set(lists.flat())].sort((a, b) => weightOf(b) - weightOf(a) || b - a);
      expect([...postings.heaviest()]).toEqual(expected);
      for (const seq of expected)
        expect(postings.words.filter((_, i) => postings.wordsAt(seq) & (1 << i)).map(({ word }) => word)).toEqual(
          postings.words.map(({ word }) => word).filter((word) => rowsOfWord(word).includes(seq)),
        );
    }),
  );
});
