import { expect, test } from "bun:test";
import { averageLinkage } from "../../../src/forge/linkage.ts";
import { hold, turnsDuring } from "../../support/event-loop.ts";

/** Things on a line: the nearer, the more alike. */
const onALine = (places: readonly number[]) => (a: number, b: number) =>
  10 - Math.abs((places[a] ?? 0) - (places[b] ?? 0));
const rules = { join: 5, slack: 3 };

test("what is alike comes together, and what is not stays alone", async () => {
  expect(await averageLinkage(5, onALine([0, 1, 20, 21, 50]), rules)).toEqual([[0, 1], [2, 3], [4]]);
  expect(await averageLinkage(0, onALine([]), rules)).toEqual([]);
});

test("a chain of neighbours is no group", async () => {
  const chain = await averageLinkage(8, onALine([0, 3, 6, 9, 12, 15, 18, 21]), rules);
  expect(chain.length).toBeGreaterThan(2);
});

test("a group that is close within does not take in what is far by its own measure", async () => {
  const places = [0, 0.1, 0.2, 4];
  expect(await averageLinkage(4, onALine(places), { join: 5, slack: 10 })).toEqual([[0, 1, 2, 3]]);
  expect(await averageLinkage(4, onALine(places), { join: 5, slack: 2 })).toEqual([[0, 1, 2], [3]]);
});

test("pairs that must stay apart never share a group, not even through a third", async () => {
  const groups = await averageLinkage(3, onALine([0, 1, 2]), { ...rules, apart: (a, b) => a + b === 2 });
  expect(groups.some((group) => group.includes(0) && group.includes(2))).toBe(false);
});

test("others have their turn while much is compared", async () => {
  const slowly = (a: number, b: number) => {
    hold(2);
    return onALine([0, 20, 40, 60, 80, 100, 120, 140])(a, b);
  };
  // The first five of eight are compared with three others or more: 6 ms each.
  expect(await turnsDuring(() => averageLinkage(8, slowly, rules))).toBeGreaterThanOrEqual(5);
});
