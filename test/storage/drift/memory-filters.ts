import * as fc from "fast-check";
import type { MemoryFilter } from "../../../src/core/ports/memory-filter.ts";
import { MEMORY_SORTS } from "../../../src/core/schema/memory-query.ts";
import { memoryType, status, visibility, weight } from "./memory-rows.ts";
import { agent, fleet, limit, memoryIds, offset, readScope, tenant, time } from "./pools.ts";

const span = fc.record({ from: time, until: time }, { requiredKeys: [] });
const some = <T>(drawn: fc.Arbitrary<T>) => fc.uniqueArray(drawn, { maxLength: 2 });

/** Any part of what a filter may ask for, mostly little of it. */
const parts = fc.oneof(
  fc.constant({}),
  fc.record({ written_by: agent }),
  fc.record({ fleets: fc.record({ ids: some(fleet), orShared: fc.boolean() }) }),
  fc.record({ no_fleet: fc.boolean() }),
  fc.record({ memory_types: some(memoryType) }),
  fc.record({ exclude_memory_types: some(memoryType) }),
  fc.record({ statuses: some(status) }),
  fc.record({ visibility }),
  fc.record({ run_id: fc.constantFrom("r1", "r2") }),
  fc.record({ weight_min: weight, weight_max: weight }, { requiredKeys: [] }),
  fc.record({ created_after: time, created_before: time }, { requiredKeys: [] }),
  fc.record({ unexpired_at: time }),
  fc.record({ expired_by: time }),
  fc.record({ valid_at: time }),
  fc.record({ valid_at: time, valid_since: time }),
  fc.record({ happened: span }),
  fc.record({ include_deleted: fc.boolean() }),
  fc.record({ deleted: span }),
  fc.record({ ids: memoryIds }),
  fc.record({ exclude_ids: memoryIds }),
  fc.record({
    metadata: fc.constantFrom<Record<string, string>>(
      { kind: "a" },
      { kind: "true" },
      { n: "1" },
      { "a.b": "1.5" },
      { kind: "b", n: "1" },
      { deep: "a" },
    ),
  }),
);

/** A filter of one tenant, with or without a reader. */
export const filter: fc.Arbitrary<MemoryFilter> = fc
  .tuple(fc.oneof(tenant, readScope), parts, parts)
  .map(([whose, one, other]) => ({
    ...(typeof whose === "string" ? { tenant_id: whose } : { tenant_id: whose.tenant_id, read_scope: whose }),
    ...one,
    ...other,
  }));

export const memoryPage = fc.record({
  filter,
  sort: fc.constantFrom(...MEMORY_SORTS),
  order: fc.constantFrom("asc", "desc"),
  after: fc.constant(null),
  offset,
  limit,
});
