import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { isSeen, rowsOf } from "./memory-filter.ts";
import type { Oracle } from "./oracle.ts";
import type { State } from "./state.ts";
import { compare } from "./state.ts";

type Reads = Omit<Oracle["memories"], "insert" | "update" | "remove" | "restore" | "move" | "erase" | "touchRecalls">;

const tally = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, { length }]) => [value, length]));

/** Whose rows follow each other in a run: those with the same readers. */
const readersOf = ({ visibility, fleet_id, agent_id }: StoredMemory): string => {
  if (visibility === "scope_org") return visibility;
  return visibility === "scope_team" ? `${visibility} ${fleet_id ?? ""}` : `${visibility} ${agent_id}`;
};

/** All that reads memories. */
export function readsOf(state: State): Reads {
  const rows = (tenant_id: string): StoredMemory[] => rowsOf(state, { tenant_id });
  const everyone = (): StoredMemory[] =>
    state.memories.map(({ memory }) => memory).filter(({ deleted_at }) => deleted_at === null);
  return {
    get: async ({ tenant_id, id }, read_scope) => rowsOf(state, { tenant_id, read_scope, ids: [id] })[0] ?? null,
    ofRequest: async (tenant_id, name) =>
      state.memories.find((row) => row.memory.tenant_id === tenant_id && row.client_request_id === name)?.memory ??
      null,
    several: async (read_scope, ids) => {
      const seen = rowsOf(state, { tenant_id: read_scope.tenant_id, read_scope });
      return ids.flatMap((id) => seen.find((row) => row.id === id) ?? []);
    },
    list: async ({ filter, sort, order, after, offset, limit }) => {
      const keyed = (row: StoredMemory) => row[sort] ?? "";
      const found = rowsOf(state, filter)
        .filter((row) => !after || (compare(row.created_at, after.created_at) || compare(row.id, after.id)) < 0)
        .sort((a, b) => compare(keyed(a), keyed(b)) || compare(a.id, b.id));
      const from = after ? 0 : offset;
      return (order === "asc" ? found : found.reverse()).slice(from, from + limit);
    },
    ids: async (filter, after, limit) =>
      rowsOf(state, filter)
        .map(({ id }) => id)
        .filter((id) => id > after)
        .sort()
        .slice(0, limit),
    count: async (filter) => rowsOf(state, filter).length,
    stats: async (filter) => {
      const found = rowsOf(state, { ...filter, include_deleted: false });
      const all = rowsOf(state, { ...filter, include_deleted: true }).length;
      return {
        total: found.length,
        by_type: tally(found.map(({ memory_type }) => memory_type)),
        by_agent: tally(found.map(({ agent_id }) => agent_id)),
        by_status: tally(found.map(({ status }) => status)),
        by_tenant: found.length > 0 ? { [filter.tenant_id]: found.length } : {},
        deleted: all - found.length,
        total_including_deleted: all,
      };
    },
    stored: async (tenant_id, reader) => rows(tenant_id).filter((row) => !reader || isSeen(row, reader)).length,
    fleets: async (reader) => {
      const shared = rowsOf(state, { tenant_id: reader.tenant_id, read_scope: reader }).filter(
        ({ fleet_id, visibility }) => fleet_id !== null && visibility !== "scope_agent",
      );
      return [...Map.groupBy(shared, ({ fleet_id }) => fleet_id ?? "")]
        .map(([fleet_id, own]) => ({
          fleet_id,
          memory_count: own.length,
          agent_count: new Set(own.map(({ agent_id }) => agent_id)).size,
        }))
        .sort((a, b) => b.memory_count - a.memory_count || compare(a.fleet_id, b.fleet_id));
    },
    lastOfRun: async (draft) => {
      if (draft.run_id === null) return null;
      const run = rowsOf(state, { tenant_id: draft.tenant_id, run_id: draft.run_id });
      const last = run.findLast((row) => readersOf(row) === readersOf(draft));
      return last ? { content: last.content, content_hash: last.content_hash } : null;
    },
    pendingIds: async (tenant_id, ids, embedder_id) =>
      rowsOf(state, { tenant_id, ids })
        .filter(({ embedded_by }) => embedded_by !== embedder_id)
        .map(({ id }) => id),
    countPending: async (filter, most) =>
      Math.min(
        most,
        rowsOf(state, { ...filter, include_deleted: false }).filter(({ embedded_by }) => embedded_by === null).length,
      ),
    tenants: async () => [...new Set(everyone().map(({ tenant_id }) => tenant_id))].sort(),
    tenantsWithDeleted: async () =>
      [...new Set(state.memories.flatMap(({ memory }) => (memory.deleted_at === null ? [] : memory.tenant_id)))].sort(),
    counters: async () => ({
      tenant_count: new Set(everyone().map(({ tenant_id }) => tenant_id)).size,
      memory_count: everyone().length,
      agent_count: new Set(everyone().map(({ tenant_id, agent_id }) => `${tenant_id} ${agent_id}`)).size,
    }),
  };
}
