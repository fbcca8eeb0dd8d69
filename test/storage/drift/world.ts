import * as fc from "fast-check";
import type { Storage } from "../../../src/core/ports/storage.ts";
import type { FakeClock } from "../../support/clock.ts";

/** One of the stores that are told the same: what it answers is what the others answer, or they drifted apart. */
export interface World {
  readonly name: string;
  readonly storage: Storage;
  readonly clock: FakeClock;
  /** Jobs in hand, in the order in which they were claimed. */
  readonly claimed: number[];
}

/** Something that every store is told or asked, and how a failure shows it. */
export interface Step {
  readonly text: string;
  run(world: World): Promise<unknown>;
}

/** A kind of step and what is drawn for it. */
export const stepOf = <T>(
  name: string,
  drawn: fc.Arbitrary<T>,
  run: (world: World, drawn: T) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  // A clone is an object of the ordinary kind, as callers make them.
  drawn.map((fields) => ({
    text: `${name} ${JSON.stringify(fields)}`,
    run: (world) => run(world, structuredClone(fields)),
  }));

/** Time goes by for every store alike. */
export const pauses = stepOf("wait", fc.constantFrom(1, 1_000, 3_600_000, 86_400_000), async ({ clock }, ms) => {
  clock.advance(ms);
  return ms;
});
