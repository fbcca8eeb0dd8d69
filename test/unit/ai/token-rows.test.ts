import { describe, expect, test } from "bun:test";
import type { TextTokenizer } from "../../../src/ai/models/tokenizer.ts";
import { encode } from "../../../src/ai/models/tokenizer.ts";

const [OPENING, CLOSING, UNKNOWN] = [0, 1, 2] as const;

/** A token a letter, of which the vocabulary knows those of the small alphabet. */
const tokenizer: TextTokenizer = {
  encode: (text) => [
    OPENING,
    ...Array.from(text, (letter) => (/[a-z]/.test(letter) ? letter.charCodeAt(0) : UNKNOWN)),
    CLOSING,
  ],
  unknown: UNKNOWN,
};

describe("what a caller puts before a text", () => {
  test("is not the text's own, of a text alone and of turns", () => {
    expect(encode(tokenizer, { lead: "ppp", text: "ab" }, 100)).toMatchObject({ lead: 4, second: 7 });
    const row = encode(tokenizer, { lead: "ppp", text: "ab", turns: ["cd", "ef"] }, 100);
    expect(row).toMatchObject({ lead: 4, bounds: [6, 8, 10] });
    expect(encode(tokenizer, { text: "ab", turns: ["cd"] }, 100).lead).toBe(1);
  });

  test("is told from it once, however many texts follow", () => {
    const asked: string[] = [];
    const told: TextTokenizer = { ...tokenizer, encode: (text) => tokenizer.encode(asked[asked.push(text) - 1] ?? "") };
    for (const text of ["ab", "cd", "ef"]) expect(encode(told, { lead: "ppp", text }, 100).lead).toBe(4);
    expect(asked.filter((text) => text === "ppp")).toHaveLength(1);
  });

  test("is counted only as far as it is left where the beginning is cut off", () => {
    const cut = (limit: number) => encode(tokenizer, { lead: "ppp", text: "ab", turns: ["cd", "ef"] }, limit);
    expect(cut(9)).toMatchObject({ lead: 2, ids: [OPENING, ...letters("pabcdef"), CLOSING] });
    expect(cut(8)).toMatchObject({ lead: 1, ids: [OPENING, ...letters("abcdef"), CLOSING] });
    expect(cut(7)).toMatchObject({ lead: 1, ids: [OPENING, ...letters("bcdef"), CLOSING] });
    // Unknown letters of the text keep their places.
    const mixed = encode(tokenizer, { lead: "ppp", text: "aX", turns: ["cd", "ef"] }, 8);
    expect([mixed.lead, mixed.says.indexOf(-1)]).toEqual([1, 2]);
  });
});

const letters = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
