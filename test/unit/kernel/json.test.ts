import { describe, expect, test } from "bun:test";
import { canonicalJson, findJsonFault, mergeTop, textFault } from "../../../src/core/kernel/json.ts";

describe("canonical text", () => {
  test("is the same whatever the order of keys, at every depth", () => {
    const one = { b: [{ y: 1, x: null }], a: "é" };
    const other = { a: "é", b: [{ x: null, y: 1 }] };
    expect(canonicalJson(one)).toBe('{"a":"é","b":[{"x":null,"y":1}]}');
    expect(canonicalJson(other)).toBe(canonicalJson(one));
  });

  test.each([
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: "1" }],
    [{ a: null }, {}],
    [[], {}],
    [["a,b"], ["a", "b"]],
  ])("of %j is not that of %j", (one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });
});

describe("a fault of a JSON value", () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  test.each([
    ["a NUL character", { a: [{ b: "x\0" }] }, ["a", 0, "b"]],
    ["half a surrogate pair", ["ok", "\ud800"], [1]],
    ["a key with half a pair", { "\udc00": 1 }, ["\udc00"]],
    ["a number beyond doubles", { n: Number.POSITIVE_INFINITY }, ["n"]],
    ["a __proto__ key", JSON.parse('{"a":{"__proto__":1}}'), ["a", "__proto__"]],
    ["a text itself", "\0", []],
  ])("is %s, found at its place", (_, value, path) => {
    expect(findJsonFault(value, 64)?.path).toEqual(path);
  });

  test("is nesting beyond the limit, and only beyond", () => {
    expect(findJsonFault(nested(3), 3)).toBeNull();
    expect(findJsonFault(nested(4), 3)?.message).toContain("deeper than 3");
  });

  test("names at most the beginning of a long path", () => {
    expect(findJsonFault(nested(100), 64)?.path.length).toBeLessThanOrEqual(8);
  });

  test("is in none of the values that JSON has", () => {
    const sound: unknown[] = [
      null,
      0,
      -1.5,
      "",
      "🎉",
      true,
      [],
      {},
      { a: [1, "b", { c: null }] },
      { constructor: 1, toString: 2 },
    ];
    expect(sound.map((value) => findJsonFault(value, 64))).toEqual(sound.map(() => null));
  });
});

test("text is sound unless it has a NUL or half a pair", () => {
  expect(textFault("🎉 \n\t")).toBeNull();
  expect(textFault("a\0")).toContain("NUL");
  expect(textFault("\udc00a")).toContain("surrogates");
});

test("a merge leaves its arguments alone", () => {
  const base = Object.freeze({ a: 1, b: 2 });
  expect(mergeTop(base, Object.freeze({ b: 3 }))).toEqual({ a: 1, b: 3 });
  expect(mergeTop(null, { b: 3 })).toEqual({ b: 3 });
});
