import { AppError } from "../../../src/core/kernel/errors.ts";
import type { JsonObject } from "../../../src/core/kernel/json.ts";
import type { MemoryFilter } from "../../../src/core/ports/memory-filter.ts";
import type {
  Actor,
  InsertOutcome,
  MemoryChange,
  MemoryPatch,
  MemoryUpdate,
  MoveBatch,
  NewMemory,
  RestoreOutcome,
} from "../../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { LIVE_STATUSES, MemoryStatus } from "../../../src/core/schema/memory.ts";
import { meetAuthor } from "./accounts.ts";
import { keepText } from "./kept-texts.ts";
import { rowsOf } from "./memory-filter.ts";
import type { Oracle } from "./oracle.ts";
import type { State } from "./state.ts";
import { compare, note, nowOf } from "./state.ts";

type Writes = Pick<Oracle["memories"], "insert" | "update" | "move" | "remove" | "restore" | "erase" | "touchRecalls">;

/** Live rows that say the same to the same readers, oldest first. */
const twinsOf = (state: State, told: StoredMemory): StoredMemory[] =>
  rowsOf(state, { tenant_id: told.tenant_id }).filter((row) => isTwin(row, told) && isStanding(state, row));

const isTwin = (row: StoredMemory, told: StoredMemory): boolean =>
  row.content_hash === told.content_hash && row.agent_id === told.agent_id && row.visibility === told.visibility;

const isStanding = (state: State, { status, expires_at }: StoredMemory): boolean =>
  LIVE_STATUSES.includes(status) && (expires_at === null || expires_at > nowOf(state));

function put(state: State, memory: StoredMemory): void {
  for (const row of state.memories) if (row.memory.id === memory.id) row.memory = memory;
}

function twinOf(state: State, { memory, client_request_id }: NewMemory): InsertOutcome | null {
  const earlier = state.memories.find(
    (row) =>
      client_request_id !== null &&
      row.client_request_id === client_request_id &&
      row.memory.tenant_id === memory.tenant_id,
  );
  if (earlier) return { outcome: "duplicate_attempt", id: earlier.memory.id };
  const [twin] = twinsOf(state, memory);
  return twin ? { outcome: "duplicate_content", id: twin.id } : null;
}

const roomLeft = (state: State, tenant_id: string, limit: number): number =>
  Math.max(0, limit - rowsOf(state, { tenant_id }).length);

/** The rows that a deletion takes: oldest first, or in the order in which they were deleted or expired. */
function taken(state: State, filter: MemoryFilter, limit: number): StoredMemory[] {
  const { deleted, expired_by } = filter;
  const at = ({ deleted_at, expires_at }: StoredMemory): string => {
    if (deleted) return deleted_at ?? "";
    return expired_by === undefined ? "" : (expires_at ?? "");
  };
  return rowsOf(state, filter)
    .sort((a, b) => compare(at(a), at(b)))
    .slice(0, limit);
}

function remove(state: State, rows: readonly StoredMemory[], actor: Actor, deleted_at: string): void {
  for (const row of rows) {
    const entity_links = row.entity_links.filter(({ inferred }) => inferred !== true);
    put(state, { ...row, status: "deleted", deleted_at, entity_links });
  }
  for (const { tenant_id, id, status } of rows) {
    const [before, after] = [{ status }, { status: "deleted", deleted_at }];
    const event = { tenant_id, at: nowOf(state), action: "memory.delete", target_id: id, reason: null };
    note(state, actor, { ...event, before, after });
  }
}

/** Values of a change that the audit shows; texts stay out of it. */
const AUDITED = ["status", "memory_type", "weight", "visibility", "fleet_id", "content_hash", "supersedes_id"] as const;
const audited = (memory: StoredMemory, patch: MemoryPatch): JsonObject =>
  Object.fromEntries(AUDITED.filter((field) => field in patch).map((field) => [field, memory[field]]));

function restoreOne(state: State, row: StoredMemory, room: number, actor: Actor): RestoreOutcome {
  const told = state.audit.findLast(({ target_id, action }) => target_id === row.id && action === "memory.delete");
  const was = MemoryStatus.exclude(["deleted"]).safeParse(told?.before?.status).data;
  const { status, was_live } = state.policies.conflicts.statusBeforeDeletion({ status: was });
  const hasExpired = row.expires_at !== null && row.expires_at <= nowOf(state);
  const [twin] = was_live && !hasExpired ? twinsOf(state, row) : [];
  if (twin) return { outcome: "duplicate_content", existing_id: twin.id };
  if (room <= 0) return { outcome: "over_limit" };
  const memory = { ...row, status, deleted_at: null };
  put(state, memory);
  const { tenant_id, id, deleted_at } = row;
  const before = { status: "deleted", deleted_at };
  const event = { tenant_id, at: nowOf(state), action: "memory.restore", target_id: id, reason: null };
  note(state, actor, { ...event, before, after: { status } });
  return { outcome: "restored", memory };
}

/** What becomes of a row that is to be moved, and of what it said before: others read it now. */
function moveOne(state: State, before: StoredMemory, { placing, dry_run, actor }: MoveBatch, told: Set<StoredMemory>) {
  const { id } = before;
  const placed = placing(before);
  if (placed.outcome !== "moved") return { id, ...placed };
  const after = { ...before, ...placed.patch };
  const isOther = after.content_hash !== before.content_hash || after.visibility !== before.visibility;
  const same = isOther ? [...twinsOf(state, after), ...[...told].filter((one) => isTwin(one, after))] : [];
  const twin = same.find((one) => one.id !== id);
  if (twin) return { id, outcome: "duplicate" as const, existing_id: twin.id };
  if (isStanding(state, after)) told.add(after);
  if (dry_run) return { id, outcome: "moved" as const };
  put(state, after);
  noteChange(state, actor, { before, after }, { patch: placed.patch, action: "memory.move" });
  if (before.fleet_id !== null && before.fleet_id !== after.fleet_id)
    state.texts = state.texts.map((text) => (text.memory_id === id ? { ...text, visibility: "scope_agent" } : text));
  return { id, outcome: "moved" as const };
}

/** Notes the change of a row. */
function noteChange(
  state: State,
  actor: Actor,
  { before, after }: MemoryUpdate,
  { patch, action, reason }: Pick<MemoryChange, "patch" | "action" | "reason">,
): void {
  note(state, actor, {
    tenant_id: after.tenant_id,
    at: nowOf(state),
    action,
    target_id: after.id,
    before: audited(before, patch),
    after: { ...audited(after, patch), fields: Object.keys(patch).sort() },
    reason: reason ?? null,
  });
}

/** All that writes memories. */
export const writesOf = (state: State): Writes => ({
  insert: async ({ entries, actor, memories_limit }) => {
    const room = roomLeft(state, entries[0]?.memory.tenant_id ?? "", memories_limit);
    const created: StoredMemory[] = [];
    const outcomes = entries.map((entry): InsertOutcome => {
      const twin = twinOf(state, entry);
      if (twin) return twin;
      const { memory, client_request_id } = entry;
      if (created.length >= room) return { outcome: "over_limit" };
      meetAuthor(state, memory, memory.created_at);
      state.memories.push({ memory, client_request_id });
      created.push(memory);
      return { outcome: "created", memory };
    });
    for (const { tenant_id, id, created_at: at, status, content_hash } of created) {
      const event = { tenant_id, at, action: "memory.create", target_id: id, before: null, reason: null };
      note(state, actor, { ...event, after: { status, content_hash } });
    }
    return outcomes;
  },
  update: async (filter, actor, decide) => {
    const [before] = rowsOf(state, filter);
    if (!before) return null;
    const change = decide(before);
    const { patch, keeps } = change;
    const after = { ...before, ...patch };
    const isOther = after.content_hash !== before.content_hash || after.visibility !== before.visibility;
    if (isOther && twinsOf(state, after).some(({ id }) => id !== before.id))
      throw new AppError("DUPLICATE_MEMORY", "Another says the same.");
    if (keeps) keepText(state, before, keeps, actor);
    if (after.content !== before.content) state.tellings.delete(before.id);
    put(state, after);
    noteChange(state, actor, { before, after }, change);
    return { before, after };
  },
  move: async (batch) => {
    const told = new Set<StoredMemory>();
    return batch.filter.ids.flatMap((id) =>
      rowsOf(state, { ...batch.filter, ids: [id] }).map((row) => moveOne(state, row, batch, told)),
    );
  },
  remove: async (filter, actor, limit, { deleted_at = nowOf(state) } = {}) => {
    const rows = taken(state, filter, limit);
    remove(state, rows, actor, deleted_at);
    return rows.length;
  },
  restore: async ({ filter, limit, after, actor, memories_limit }) => {
    const numbered = state.memories.map(({ memory }, seq) => ({ memory, seq }));
    const wanted = new Set(rowsOf(state, filter));
    const rows = numbered
      .filter(({ memory, seq }) => wanted.has(memory) && (after === null || seq < after))
      .reverse()
      .slice(0, limit);
    let room = roomLeft(state, filter.tenant_id, memories_limit);
    const outcomes = rows.map(({ memory }) => {
      const outcome = restoreOne(state, memory, room, actor);
      if (outcome.outcome === "restored") room--;
      return outcome;
    });
    return { outcomes, next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) };
  },
  erase: async (filter, actor, limit) => {
    const rows = taken(state, filter, limit);
    const live = rows.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
    remove(state, rowsOf(state, { tenant_id: filter.tenant_id, ids: live }), actor, nowOf(state));
    const gone = new Set(rows.map(({ id }) => id));
    state.memories = state.memories.filter(({ memory }) => !gone.has(memory.id));
    state.texts = state.texts.filter(({ memory_id }) => !gone.has(memory_id));
    for (const id of gone) state.tellings.delete(id);
    state.audit = state.audit.map((entry) =>
      entry.tenant_id === filter.tenant_id && gone.has(entry.target_id)
        ? { ...entry, before: null, after: null, reason: null }
        : entry,
    );
    for (const { tenant_id, id } of rows) {
      const event = { tenant_id, at: nowOf(state), action: "memory.erase", target_id: id };
      note(state, actor, { ...event, before: null, after: null, reason: null });
    }
    return rows.length;
  },
  touchRecalls: async (tenant_id, ids, at) => {
    for (const row of rowsOf(state, { tenant_id, ids, include_deleted: true }))
      put(state, { ...row, recall_count: row.recall_count + 1, last_recalled_at: at });
  },
});
