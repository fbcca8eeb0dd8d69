import { describe, expect, test } from "bun:test";
import { byteLength, cutAt, nearestWord, preview, rounded } from "../../../src/core/kernel/text.ts";

describe("a preview", () => {
  test("is the beginning, counted in characters and never half of one", () => {
    expect(preview("abcdef", 3)).toBe("abc");
    expect(preview("🎉🎉🎉", 2)).toBe("🎉🎉");
  });

  test("of a short text is the text", () => {
    expect(preview("abc", 3)).toBe("abc");
    expect(preview("", 3)).toBe("");
  });

  test.each([
    ["a family", "ab👩‍👩‍👧‍👦cd", "ab"],
    ["a flag", "abcd🇩🇪🇫🇷", "abcd"],
    ["a skin tone", "abcd👍🏽!", "abcd"],
    ["a keycap", "abcd1\ufe0f\u20e3!", "abcd"],
    ["marks over a letter", "abcdo\u0308\u0323 ", "abcd"],
    ["a vowel sign", "abcdनि ", "abcd"],
    ["a syllable in parts", "abcd\u1112\u1161\u11ab", "abcd"],
    ["an end of a line", "abcd\r\n", "abcd"],
  ])("cuts no character that people see: %s", (_, text, expected) => {
    expect(preview(text, 5)).toBe(expected);
  });

  test("counts flags from the beginning of their row, however long it is", () => {
    const flags = "🇩🇪".repeat(3_000);
    expect(preview(flags, 5_001)).toBe("🇩🇪".repeat(2_500));
  });

  test("of heaps of marks is as long as of anything, and no half of a pair", () => {
    expect(preview(`a${"\u0301".repeat(9_000)}`, 300)).toHaveLength(300);
    expect(cutAt(`𝓯${"\u{e0100}".repeat(200)}`, 301)).toBe(300);
  });

  test("is the text where it is cut behind its end", () => {
    expect([cutAt("abc", 3), cutAt("abc", 9), cutAt("abc", -1)]).toEqual([3, 3, 0]);
  });
});

test("length in bytes is that of UTF-8", () => {
  expect(["a", "é", "北", "🎉"].map(byteLength)).toEqual([1, 2, 3, 4]);
});

test.each([
  [0.123_456, undefined, 0.1235],
  [-0.123_45, 2, -0.12],
  [1, 4, 1],
  [1e-9, 4, 0],
])("%d to %p decimals is %d", (value, digits, expected) => {
  expect(rounded(value, digits)).toBe(expected);
});

describe("the nearest word", () => {
  const KNOWN = ["port", "host", "ephemeral", "memories-limit"];

  test.each([
    ["prot", "port"],
    ["hots", "host"],
    ["ephemerel", "ephemeral"],
    ["memory-limit", "memories-limit"],
    ["port", "port"],
  ])("to %s is %s", (word, expected) => {
    expect(nearestWord(word, KNOWN)).toBe(expected);
  });

  test("is none when all are far, or there are none", () => {
    expect(nearestWord("completely-different", KNOWN)).toBeNull();
    expect(nearestWord("port", [])).toBeNull();
  });
});
