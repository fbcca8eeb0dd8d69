import * as fc from "fast-check";
import type { Storage } from "../../../src/core/ports/storage.ts";
import type { FakeClock } from "../../support/clock.ts";
import type { Oracle } from "../oracle/oracle.ts";

/** One of the stores that are told the same: what it answers is what the others answer, or they drifted apart. */
export interface World<Store = Storage> {
  readonly name: string;
  readonly storage: Store;
  readonly clock: FakeClock;
  /** Jobs in hand, in the order in which they were claimed. */
  readonly claimed: number[];
}
/** A store that the plain one is, too: an engine's or the oracle's. */
export type PlainWorld = World<Oracle>;

/** Something that every store is told or asked, and how a failure shows it. */
export interface Step<Store = Storage> {
  readonly text: string;
  run(world: World<Store>): Promise<unknown>;
}
/** One that the oracle can answer. */
export type PlainStep = Step<Oracle>;

/** A kind of step and what is drawn for it. */
export const stepOf = <T>(
  name: string,
  drawn: fc.Arbitrary<T>,
  run: (world: World, drawn: T) => Promise<unknown>,
): fc.Arbitrary<Step> => anyStepOf<T, Storage>(name, drawn, run);

/** The same of what the oracle can answer. */
export const plainStepOf = <T>(
  name: string,
  drawn: fc.Arbitrary<T>,
  run: (world: PlainWorld, drawn: T) => Promise<unknown>,
): fc.Arbitrary<PlainStep> => anyStepOf<T, Oracle>(name, drawn, run);

const anyStepOf = <T, Store>(
  name: string,
  drawn: fc.Arbitrary<T>,
  run: (world: World<Store>, drawn: T) => Promise<unknown>,
): fc.Arbitrary<Step<Store>> =>
  // A clone is an object of the ordinary kind, as callers make them.
  drawn.map((fields) => ({
    text: `${name} ${JSON.stringify(fields)}`,
    run: (world) => run(world, structuredClone(fields)),
  }));

/** Time goes by for every store alike. */
export const pauses = plainStepOf("wait", fc.constantFrom(1, 1_000, 3_600_000, 86_400_000), async ({ clock }, ms) =>
  clock.advance(ms),
);
