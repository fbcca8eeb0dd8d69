import type { MemoryStore } from "../../core/ports/memory-store.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Runner } from "../units/work.ts";
import { counters, countMemories, listFleets, listTenants, memoryStats, tenantsWithDeleted } from "./count.ts";
import { countAllPending, countPending, pendingIds, pendingMemories } from "./pending.ts";
import {
  findRow,
  getVector,
  idsOfMemories,
  lastOfRun,
  listMemories,
  pageOfMemories,
  rowOfRequest,
  severalMemories,
  severalWithin,
  vectorsOf,
} from "./read.ts";
import { toStoredMemory } from "./rows.ts";

type Written =
  | "insert"
  | "update"
  | "remove"
  | "restore"
  | "erase"
  | "fillVectors"
  | "touchRecalls"
  | "stored"
  | "hits";

/** The memory store. */
export const memoryStore = (
  { look, snapshot }: Runner,
  space: EmbedderSpace,
  written: Pick<MemoryStore, Written>,
): MemoryStore => ({
  ...written,
  get: (key, read_scope) =>
    look(function* (work) {
      const row = yield* findRow(work, key, read_scope);
      return row && toStoredMemory(row);
    }),
  ofRequest: (tenant_id, client_request_id) => look(() => rowOfRequest(tenant_id, client_request_id)),
  getVector: (key) => look((work) => getVector(work, space, key)),
  vectorsOf: (tenant_id, ids) => look((work) => vectorsOf(work, space, tenant_id, ids)),
  several: (read_scope, ids) => look((work) => severalMemories(work, read_scope, ids)),
  severalWithin: (read_scope, wanted) => snapshot((work) => severalWithin(work, read_scope, wanted)),
  list: (page) => look((work) => listMemories(work, page)),
  page: (page) => snapshot((work) => pageOfMemories(work, page)),
  ids: (filter, after, limit) => look((work) => idsOfMemories(work, filter, after, limit)),
  count: (filter) => look((work) => countMemories(work, filter)),
  stats: (filter) => snapshot((work) => memoryStats(work, filter)),
  tenantsWithDeleted: () => look(tenantsWithDeleted),
  lastOfRun: (draft) => look(() => lastOfRun(draft)),
  pending: (tenant_id, ids, embedder_id) => look((work) => pendingMemories(work, { tenant_id, ids, embedder_id })),
  pendingIds: (tenant_id, ids, embedder_id) => look((work) => pendingIds(work, { tenant_id, ids, embedder_id })),
  countPending: (filter, most) => look((work) => countPending(work, space, filter, most)),
  countAllPending: () => look((work) => countAllPending(work, space)),
  tenants: () => look(listTenants),
  fleets: (read_scope) => look((work) => listFleets(work, read_scope)),
  counters: () => look(counters),
});
