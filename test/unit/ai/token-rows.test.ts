import { describe, expect, test } from "bun:test";
import type { TextTokenizer } from "../../../src/ai/models/text-tokenizer.ts";
import { encode } from "../../../src/ai/models/tokenizer.ts";

const [OPENING, CLOSING, UNKNOWN] = [0, 1, 2] as const;

/** A token a letter, of which the vocabulary knows those of the small alphabet, figures and marks. */
const tokenizer: TextTokenizer = {
  encode: (text) => [
    OPENING,
    ...Array.from(text, (letter) => (/[ -@a-z]/.test(letter) ? letter.charCodeAt(0) : UNKNOWN)),
    CLOSING,
  ],
  unknown: UNKNOWN,
};
const letters = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

test("what a caller puts before a text is cut off before any of the text itself", () => {
  const cut = (limit: number) => encode(tokenizer, { lead: "ppp", text: "ab", turns: ["cd", "ef"] }, limit);
  expect(cut(100)).toMatchObject({ bounds: [6, 8, 10] });
  expect(cut(9).ids).toEqual([OPENING, ...letters("pabcdef"), CLOSING]);
  expect(cut(8).ids).toEqual([OPENING, ...letters("abcdef"), CLOSING]);
  expect(cut(7).ids).toEqual([OPENING, ...letters("bcdef"), CLOSING]);
});

describe("what a tokenizer can read of a text", () => {
  const known = (text: string) => encode(tokenizer, { lead: "ppp", text }, 100).known;

  test.each([
    ["all of it", "a text", 1],
    ["more than not", "abcX", 2],
    ["as much as not", "aX", 0],
    ["less", "aXY", -1],
    ["none, beside figures and marks", "XY: 10:30 - 11:30, 5.", -2],
    ["nothing, as nothing is said", "...", -1],
    ["figures alone", "10:30", 1],
    ["a blank", " ", 0],
  ])("%s", (_, text, expected) => {
    expect(known(text)).toEqual([expected]);
  });

  test("is told of each turn, and not of what a caller puts before", () => {
    const row = encode(tokenizer, { lead: "ppp", text: "XX", turns: ["ab", "aXX"] }, 100);
    expect(row.known).toEqual([-2, 2, -1]);
  });
});
