import { afterEach, beforeEach, expect } from "bun:test";
import type { Clock } from "../../src/core/kernel/clock.ts";
import type { HitQuery, HitReply, QueryVector } from "../../src/core/ports/hits.ts";
import type { MemoryFilter, ReadScope } from "../../src/core/ports/memory-filter.ts";
import type { NewMemory } from "../../src/core/ports/memory-store.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import { aBatch, SPACE, TENANT } from "../support/builders.ts";
import type { FakeClock } from "../support/clock.ts";
import { fakeClock } from "../support/clock.ts";

/** The storage under test, a fresh one for each test. */
export interface Subject {
  readonly storage: Storage;
  readonly clock: FakeClock;
  /** Inserts entries that must all be new. */
  seed(...entries: readonly NewMemory[]): Promise<void>;
  list(filter?: Partial<MemoryFilter>): Promise<StoredMemory[]>;
  hits(query: Partial<HitQuery>): Promise<HitReply>;
}

export function subjectOf(open: (clock: Clock) => Storage): Subject {
  let storage: Storage | undefined;
  let clock = fakeClock();
  const current = (): Storage => storage ?? expect.unreachable("No storage is open.");
  beforeEach(() => {
    clock = fakeClock();
    storage = open(clock);
  });
  afterEach(async () => {
    await current().close();
  });
  return {
    get storage() {
      return current();
    },
    get clock() {
      return clock;
    },
    seed: async (...entries) => {
      const outcomes = await current().memories.insert(aBatch(entries));
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(entries.map(() => "created" as const));
    },
    list: (filter) =>
      current().memories.list({
        filter: { tenant_id: TENANT, ...filter },
        sort: "created_at",
        order: "asc",
        after: null,
        offset: 0,
        limit: 500,
      }),
    hits: (query) =>
      current().memories.hits({ filter: { tenant_id: TENANT }, vector: null, words: [], pool: 50, ...query }),
  };
}

/** A reader of everything shared. */
export const ANYBODY: ReadScope = { tenant_id: TENANT, agent_id: null, fleets: "all" };
/** An agent at home in one fleet. */
export const agentOf = (agent_id: string, fleet?: string): ReadScope => ({
  tenant_id: TENANT,
  agent_id,
  fleets: fleet === undefined ? [] : [fleet],
});

/** The vector of a question to the space of the tests. */
export const asked = (values: Float32Array): QueryVector => ({ embedder_id: SPACE.id, values });

export const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
export const hitIds = ({ hits }: HitReply): string[] => hits.map(({ memory }) => memory.id).sort();
