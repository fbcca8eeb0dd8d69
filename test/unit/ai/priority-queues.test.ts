import { expect, test } from "bun:test";
import { createPriorityQueues } from "../../../src/ai/worker/priority-queues.ts";

const item = (name: string, tokens = 10, model = "m") => ({ name, tokens, model });
const names = (items: readonly { name: string }[]) => items.map(({ name }) => name);
const LIMITS = { question: 3, interactive: 3, background: 3 };

test("each queue is taken from by itself, in order of arrival", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  lanes.add("background", [item("b1"), item("b2")]);
  lanes.add("interactive", [item("i1")]);
  expect(names(lanes.take("background", 100))).toEqual(["b1", "b2"]);
  expect(names(lanes.take("interactive", 100))).toEqual(["i1"]);
});

test("a slice stays within its tokens, but always holds one item", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  lanes.add("background", [item("large", 500), item("a", 60), item("b", 60)]);
  expect(names(lanes.take("background", 100))).toEqual(["large"]);
  expect(names(lanes.take("background", 100))).toEqual(["a"]);
});

test("a slice is for one model", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  lanes.add("background", [item("a", 1, "x"), item("b", 1, "y"), item("c", 1, "x")]);
  expect(names(lanes.take("background", 100))).toEqual(["a", "c"]);
  expect(names(lanes.take("background", 100))).toEqual(["b"]);
});

test("what does not fit keeps its place before others of its model", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  lanes.add("background", [item("a", 60), item("large", 60), item("b", 1)]);
  expect(names(lanes.take("background", 100))).toEqual(["a"]);
  expect(names(lanes.take("background", 100))).toEqual(["large", "b"]);
});

test("a full lane takes all of a request or nothing", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  expect(lanes.add("background", [item("a"), item("b")])).toBe(true);
  expect(lanes.add("background", [item("c"), item("d")])).toBe(false);
  expect(lanes.add("interactive", [item("e")])).toBe(true);
  expect(names(lanes.remove(() => true))).toEqual(["e", "a", "b"]);
});

test("what is restored goes before all others", () => {
  const lanes = createPriorityQueues<ReturnType<typeof item>>(LIMITS);
  lanes.add("background", [item("a"), item("b")]);
  const [first] = lanes.take("background", 10);
  if (first) lanes.restore("background", [first]);
  expect(names(lanes.take("background", 100))).toEqual(["a", "b"]);
});
