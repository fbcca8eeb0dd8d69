import { expect, test } from "bun:test";
import { createPace } from "../../../src/core/kernel/pace.ts";

test("a pace is unknown until a piece is done, then that of the pieces, the newest weighing most", () => {
  const pace = createPace();
  expect(pace.perSecond()).toBeNull();
  pace.done(10, 1_000);
  expect(pace.perSecond()).toBe(10);
  pace.done(10, 2_000);
  // Between both, nearer to what went before.
  expect(pace.perSecond()).toBeCloseTo(1_000 / 130);
});

test.each([
  [0, 1_000],
  [-1, 1_000],
  [10, 0],
  [10, -5],
])("a piece of %d rows in %d ms says nothing of it", (rows, ms) => {
  const pace = createPace();
  pace.done(rows, ms);
  expect(pace.perSecond()).toBeNull();
  pace.done(1, 100);
  pace.done(rows, ms);
  expect(pace.perSecond()).toBe(10);
});
