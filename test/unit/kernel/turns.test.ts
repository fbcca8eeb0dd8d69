import { expect, test } from "bun:test";
import { mapInTurns } from "../../../src/kernel/turns.ts";

/** Holds the thread. */
function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** How often a timer had its turn until the work was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await work();
  clearInterval(timer);
  return turns;
}

test("requests have their turn while long work goes on, piece by piece", async () => {
  const pieces = Array.from({ length: 20 }, (_, i) => i);
  const work = async () => {
    const doubled = await mapInTurns(pieces, (piece) => {
      hold(3);
      return piece * 2;
    });
    expect(doubled).toEqual(pieces.map((piece) => piece * 2));
  };
  expect(await turnsDuring(work)).toBeGreaterThan(3);
});
