import { afterEach, expect, test } from "bun:test";
import { onIdle } from "../../../src/core/kernel/idle.ts";

const LOOK_MS = 5;
let end = () => {};
afterEach(() => end());

/** Looks often at a process whose work is made up; resolves after so many looks. */
function watched(workOfLook: (look: number) => number) {
  let looks = 0;
  let worked = 0;
  const rests: number[] = [];
  const enough = new Map<number, () => void>();
  end = onIdle(() => rests.push(looks), {
    lookMs: LOOK_MS,
    worked: () => {
      worked += workOfLook(looks);
      enough.get(looks)?.();
      looks++;
      return worked;
    },
  });
  const after = (count: number) =>
    new Promise<void>((resolve) => {
      // Keeps the loop alive, which a quiet process does not need.
      const alive = setInterval(() => {}, 1_000);
      enough.set(count, () => {
        clearInterval(alive);
        resolve();
      });
    });
  return { rests, after };
}

test("rest is called for in the quiet after work, twice, and never again before more work", async () => {
  const { rests, after } = watched((look) => (look < 4 || look === 10 ? LOOK_MS : 0));
  await after(20);
  expect(rests).toEqual([5, 6, 12, 13]);
});

test("no rest while there is work", async () => {
  const { rests, after } = watched(() => LOOK_MS);
  await after(10);
  expect(rests).toEqual([]);
});
