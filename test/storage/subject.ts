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

export function subjectOf(open: (clock: Clock) => Promise<Storage>): Subject {
  let storage: Storage | undefined;
  let clock = fakeClock();
  const current = (): Storage => storage ?? expect.unreachable("No storage is open.");
  beforeEach(async () => {
    clock = fakeClock();
    storage = await open(clock);
  });
  afterEach(async () => {
    // Whatever a test did, the index in memory followed. A file is checked on a thread of its own, which takes longer.
    if (current().ephemeral) {
      const { checks } = await current().indexes.inspect(null, () => {});
      expect(checks.find(({ name }) => name === "vector index in memory")).toMatchObject({ ok: true });
      expect(current().searchIndex()).toMatchObject({ state: "ready" });
    }
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
      // A batch is of one tenant.
      for (const own of Map.groupBy(entries, ({ memory }) => memory.tenant_id).values()) {
        const outcomes = await current().memories.insert(aBatch(own));
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(own.map(() => "created" as const));
      }
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
    hits: async (query) => {
      const whole: HitQuery = { filter: { tenant_id: TENANT }, vector: null, words: [], pool: 50, ...query };
      const reply = await current().memories.hits(whole);
      // What is remembered of rows is what a search finds that reads all of them.
      const read = await current().memories.hits({ ...whole, filter: { exclude_ids: [], ...whole.filter } });
      expect(reply.hits).toEqual(read.hits);
      return reply;
    },
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
