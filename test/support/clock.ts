import type { Clock } from "../../src/core/kernel/clock.ts";

export interface FakeClock extends Clock {
  advance(byMs: number): void;
}

/** A clock that stands still until the test moves it. */
export function fakeClock(start = "2026-03-01T12:00:00.000Z"): FakeClock {
  let now = Date.parse(start);
  return {
    now: () => now,
    advance: (byMs) => {
      now += byMs;
    },
  };
}
