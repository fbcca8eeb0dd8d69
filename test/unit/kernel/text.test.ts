import { describe, expect, test } from "bun:test";
import { byteLength, nearestWord, preview, rounded } from "../../../src/core/kernel/text.ts";

describe("a preview", () => {
  test("is the beginning, counted in characters and never half of one", () => {
    expect(preview("abcdef", 3)).toBe("abc");
    expect(preview("🎉🎉🎉", 2)).toBe("🎉🎉");
  });

  test("of a short text is the text", () => {
    expect(preview("abc", 3)).toBe("abc");
    expect(preview("", 3)).toBe("");
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
