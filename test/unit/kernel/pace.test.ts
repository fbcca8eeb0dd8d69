import { expect, test } from "bun:test";
import { createPace } from "../../../src/core/kernel/pace.ts";

/** A pace by a clock of its own. */
function aPace() {
  let now = 0;
  const pace = createPace(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const done = (rows: number, ms: number) => {
    const end = pace.begin();
    pass(ms);
    end(rows);
  };
  return { ...pace, pass, done };
}

test("a pace is unknown until a piece is done, then that of the pieces, the newest weighing most", () => {
  const pace = aPace();
  expect(pace.perSecond()).toBeNull();
  pace.done(10, 1_000);
  expect(pace.perSecond()).toBe(10);
  pace.done(10, 2_000);
  // Between both, nearer to what went before.
  expect(pace.perSecond()).toBeCloseTo(1_000 / 130);
});

test("pieces that are worked on side by side go as fast as both together", () => {
  const pace = aPace();
  const [one, other] = [pace.begin(), pace.begin()];
  pace.pass(500);
  one(5);
  const third = pace.begin();
  pace.pass(500);
  other(5);
  pace.pass(500);
  third(5);
  expect(pace.perSecond()).toBe(10);
});

test.each([
  [0, 1_000],
  [-1, 1_000],
  [10, 0],
  [10, -5],
])("a piece of %d rows in %d ms says nothing of it", (rows, ms) => {
  const pace = aPace();
  pace.done(rows, ms);
  expect(pace.perSecond()).toBeNull();
  pace.pass(5);
  pace.done(1, 100);
  pace.done(rows, ms);
  expect(pace.perSecond()).toBe(10);
});
