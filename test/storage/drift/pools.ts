import * as fc from "fast-check";
import type { ReadScope } from "../../../src/core/ports/memory-filter.ts";
import { aVector } from "../../support/builders.ts";

// Few of everything, so that ties, twins and overlaps are the rule; names that collations order differently.

export const TENANTS = ["default", "acme"] as const;
export const AGENTS = ["ada", "Bob", "ćyd"] as const;
export const FLEETS = ["red", "Blue", "äther"] as const;
/** Around the moment at which the clocks of the stores begin. */
export const TIMES = [
  "2026-03-01T11:00:00.000Z",
  "2026-03-01T12:00:00.000Z",
  "2026-03-01T12:00:01.000Z",
  "2026-03-02T12:00:00.000Z",
] as const;
export const NAMES = ["Rome", "rome", "Anna Keller", "Anna", "AK", "50% off_", "Ödön"] as const;
const ROWS = 24;

export const tenant = fc.constantFrom(...TENANTS);
export const agent = fc.constantFrom(...AGENTS);
export const fleet = fc.constantFrom(...FLEETS);
export const time = fc.constantFrom(...TIMES);
export const orNull = <T>(drawn: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(drawn, { nil: null });
export const limit = fc.constantFrom(100, 1, 2, 3);
export const offset = fc.constantFrom(0, 0, 1, 4);
export const bytes = fc.constantFrom(1_000_000, 1, 600);

/** Ids whose order is not that in which rows are written. */
export const rowId = (n: number): string =>
  `01920000-0000-7000-8000-${((n * 7919) % 10_007).toString(16).padStart(12, "0")}`;
export const memoryId = fc.integer({ min: 0, max: ROWS - 1 }).map(rowId);
export const memoryIds = fc.uniqueArray(memoryId, { minLength: 1, maxLength: 6 });
export const EVERY_ID = Array.from({ length: ROWS }, (_, n) => rowId(n));

export const readScope: fc.Arbitrary<ReadScope> = fc.record({
  tenant_id: tenant,
  agent_id: orNull(agent),
  fleets: fc.oneof(fc.constant("all" as const), fc.uniqueArray(fleet, { maxLength: 2 })),
});
/** A reader of all that is shared, and of what one agent keeps to itself. */
export const everything = (tenant_id: string, agent_id: string | null = null): ReadScope => ({
  tenant_id,
  agent_id,
  fleets: "all",
});

export const actor = fc.record({ agent_id: orNull(agent), auth_source: fc.constant("standalone") });

/** Directions whose distances to each other are all different. */
export const vectorAt = (degrees: number | null): Float32Array | null => (degrees === null ? null : aVector(degrees));
export const degrees = orNull(fc.constantFrom(0, 13, 31, 77));
