import { expect, test } from "bun:test";
import { createLru } from "../../../src/core/kernel/lru.ts";

test("the entry unused for longest is forgotten first", () => {
  const lru = createLru<string, number>(2);
  lru.set("a", 1);
  lru.set("b", 2);
  lru.get("a");
  lru.set("c", 3);
  expect([lru.get("a"), lru.get("b"), lru.get("c")]).toEqual([1, undefined, 3]);
});

test("it never holds more than its bound", () => {
  const lru = createLru<number, number>(5);
  for (let key = 0; key < 100; key++) lru.set(key % 17, key);
  expect(lru.size).toBe(5);
});

test("a bound of zero remembers nothing", () => {
  const lru = createLru<string, number>(0);
  lru.set("a", 1);
  expect(lru.get("a")).toBeUndefined();
});
