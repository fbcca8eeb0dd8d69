import { expect, test } from "bun:test";
import { createPriorityQueues } from "../../../src/ai/worker/priority-queues.ts";

const item = (name: string, tokens = 10, model = "m") => ({ name, tokens, model });
const names = (items: readonly { name: string }[]) => items.map(({ name }) => name);
const LIMITS = { interactive: 3, background: 3 };

test("interactive items go first, whatever came first", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  lanes.add("background", [item("b1"), item("b2")]);
  lanes.add("interactive", [item("i1")]);
  expect(names(lanes.take(100))).toEqual(["i1"]);
  expect(names(lanes.take(100))).toEqual(["b1", "b2"]);
});

test("a slice stays within its tokens, but always holds one item", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  lanes.add("background", [item("large", 500), item("a", 60), item("b", 60)]);
  expect(names(lanes.take(100))).toEqual(["large"]);
  expect(names(lanes.take(100))).toEqual(["a"]);
});

test("a slice is for one model", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  lanes.add("background", [item("a", 1, "x"), item("b", 1, "y"), item("c", 1, "x")]);
  expect(names(lanes.take(100))).toEqual(["a"]);
});

test("a full lane takes all of a request or nothing", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  expect(lanes.add("background", [item("a"), item("b")])).toBe(true);
  expect(lanes.add("background", [item("c"), item("d")])).toBe(false);
  expect(lanes.add("interactive", [item("e")])).toBe(true);
  expect(names(lanes.remove(() => true))).toEqual(["e", "a", "b"]);
});
