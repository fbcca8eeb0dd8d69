import type { MemoryFilter, ReadScope, TimeSpan } from "../../../src/core/ports/memory-filter.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import type { State } from "./state.ts";

/** Whether a reader sees a row: the organisation's, its fleets' and its own. */
export function isSeen({ visibility, fleet_id, agent_id }: StoredMemory, reader: ReadScope): boolean {
  if (visibility === "scope_org") return true;
  if (visibility === "scope_agent") return agent_id === reader.agent_id;
  return reader.fleets === "all" || fleet_id === null || reader.fleets.includes(fleet_id);
}

const isWithin = (at: string, { from, until }: TimeSpan): boolean =>
  (from === undefined || at >= from) && (until === undefined || at <= until);

const isAmong = (value: string, values: readonly string[] | undefined): boolean => values?.includes(value) ?? true;

function isOfTime(row: StoredMemory, filter: MemoryFilter): boolean {
  const { created_after, created_before, unexpired_at, expired_by, happened = {} } = filter;
  const { created_at, expires_at } = row;
  return (
    isWithin(created_at, { from: created_after, until: created_before }) &&
    (unexpired_at === undefined || expires_at === null || expires_at > unexpired_at) &&
    (expired_by === undefined || (expires_at !== null && expires_at <= expired_by)) &&
    isWithin(row.ts_valid_start ?? created_at, happened)
  );
}

/** Rows called outdated by hand held until their end, or until that was noted. */
function heldAt(state: State, row: StoredMemory, at: string, since: string): boolean {
  if ((row.ts_valid_start ?? row.created_at) > at) return false;
  if (row.ts_valid_end !== null && row.ts_valid_end < since) return false;
  if (row.status !== "outdated" || row.ts_valid_end !== null) return true;
  return state.audit.some(
    (entry) =>
      entry.tenant_id === row.tenant_id &&
      entry.target_id === row.id &&
      entry.at > at &&
      entry.after?.status === "outdated",
  );
}

function isOfFleets({ fleet_id, visibility }: StoredMemory, fleets: MemoryFilter["fleets"]): boolean {
  if (!fleets) return true;
  if (fleet_id !== null && fleets.ids.includes(fleet_id)) return true;
  return fleets.orShared && (fleet_id === null || visibility === "scope_org");
}

const isDeletedAsAsked = ({ deleted_at }: StoredMemory, { deleted, include_deleted }: MemoryFilter): boolean =>
  deleted ? deleted_at !== null && isWithin(deleted_at, deleted) : include_deleted === true || deleted_at === null;

/** Members are compared as text; lists and objects equal no text that is asked for here. */
const hasMembers = ({ metadata }: StoredMemory, members: MemoryFilter["metadata"] = {}): boolean =>
  Object.entries(members).every(([name, text]) => {
    const value = metadata?.[name];
    return value !== undefined && value !== null && typeof value !== "object" && String(value) === text;
  });

/** Whether a row is one of a filter. */
export const isOf = (state: State, row: StoredMemory, filter: MemoryFilter): boolean =>
  row.tenant_id === filter.tenant_id &&
  isDeletedAsAsked(row, filter) &&
  (!filter.read_scope || isSeen(row, filter.read_scope)) &&
  (filter.written_by === undefined || row.agent_id === filter.written_by) &&
  isOfFleets(row, filter.fleets) &&
  (!filter.no_fleet || row.fleet_id === null) &&
  isAmong(row.id, filter.ids) &&
  !(filter.exclude_ids?.includes(row.id) ?? false) &&
  isAmong(row.memory_type, filter.memory_types) &&
  !(filter.exclude_memory_types?.includes(row.memory_type) ?? false) &&
  isAmong(row.status, filter.statuses) &&
  (filter.visibility === undefined || row.visibility === filter.visibility) &&
  (filter.run_id === undefined || row.run_id === filter.run_id) &&
  (filter.weight_min === undefined || row.weight >= filter.weight_min) &&
  (filter.weight_max === undefined || row.weight <= filter.weight_max) &&
  hasMembers(row, filter.metadata) &&
  isOfTime(row, filter) &&
  (filter.valid_at === undefined || heldAt(state, row, filter.valid_at, filter.valid_since ?? filter.valid_at));

/** The rows of a filter in the order in which they were written. */
export const rowsOf = (state: State, filter: MemoryFilter): StoredMemory[] =>
  state.memories.map(({ memory }) => memory).filter((row) => isOf(state, row, filter));
