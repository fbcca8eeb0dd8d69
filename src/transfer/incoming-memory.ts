import { membersOverLimit, metadataFault } from "../access/body-limits.ts";
import { statedClaim } from "../conflicts/triple.ts";
import { contentHash } from "../core/kernel/hash.ts";
import { nameId } from "../core/kernel/ids.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { IncomingMemory } from "../core/ports/keeping/transfer.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { MemoryRecord } from "../core/schema/keeping/transfer.ts";
import { draftMemory } from "../memories/draft.ts";
import { nameKey } from "../text/names/name-key.ts";

/** What the records of one request share. */
export interface ImportScope {
  readonly tenant_id: string;
  /** For memories that name none. */
  readonly agent_id: string;
  readonly fleet_id: string | null;
}

/** Why a record cannot be taken. */
export interface Fault {
  readonly fault: string;
}

/** The id of the entity that a name stands for in this tenant; without a name, the id as it came. */
export const entityWithin = (tenant_id: string, id: string, name: string | null | undefined): string =>
  name ? nameId(["entity", tenant_id, nameKey(name)]) : id;

/**
 * The row that a memory becomes. What its source says of it stays, dates and author included; what it leaves open is read from
 * the text, as on the day when it was written.
 */
export function incomingMemory(ctx: Ctx, scope: ImportScope, record: MemoryRecord): IncomingMemory | Fault {
  const crowded = membersOverLimit(ctx.limits, record.metadata);
  if (crowded) return { fault: `metadata ${crowded}` };
  const { tenant_id } = scope;
  const fleet_id = record.fleet_id === undefined ? scope.fleet_id : record.fleet_id;
  const drafted = draftOf(ctx, { ...scope, fleet_id }, record);
  const subject = record.subject_entity_id ?? null;
  const memory: StoredMemory = {
    ...drafted,
    ...stated(record),
    id: record.id ?? idOf(drafted, record),
    content_hash: contentHash(tenant_id, fleet_id, record.content),
    subject_entity_id: subject && entityWithin(tenant_id, subject, record.subject_name),
    entity_links: (record.entity_links ?? []).map(({ entity_id, role, name }) => ({
      entity_id: entityWithin(tenant_id, entity_id, name),
      role,
    })),
  };
  const fault = metadataFault(ctx.limits, memory.metadata);
  if (fault) return { fault: `metadata ${fault}` };
  const { checked_at = null, former_status = null } = record;
  const claim = checked_at === null ? null : statedClaim(memory);
  return { kind: "memory", memory, beside_id: besideId(memory, record), checked_at, former_status, claim };
}

/** The id of a memory that brings none: the same each time, for the same text of the same author to the same readers. */
const idOf = (
  { tenant_id, fleet_id, agent_id, visibility }: StoredMemory,
  { created_at, content }: MemoryRecord,
): string => nameId(["import", tenant_id, fleet_id ?? "", agent_id, visibility, created_at ?? "", content]);

/** The same file may lie in two projects, word for word: an id that is made of its text tells them apart by the project. */
const besideId = ({ id, tenant_id, fleet_id }: StoredMemory, record: MemoryRecord): string | null =>
  record.fleet_id === undefined ? nameId(["beside", tenant_id, fleet_id ?? "", id]) : null;

/** The row as a write on its day would have made it. */
function draftOf(ctx: Ctx, { tenant_id, agent_id, fleet_id }: ImportScope, record: MemoryRecord): StoredMemory {
  const scope = {
    tenant_id,
    agent_id: record.agent_id ?? agent_id,
    fleet_id,
    visibility: record.visibility ?? ("scope_team" as const),
  };
  const { record: _record, ...item } = record;
  const drafted = draftMemory(ctx, scope, { ...item, reference_datetime: record.created_at }, []);
  return { ...drafted, created_at: record.created_at ?? drafted.created_at };
}

/** Fields that a source states are as it states them, null included; those it does not have are open. */
function stated(record: MemoryRecord): Partial<StoredMemory> {
  const { title, memory_type, weight, status, system_metadata, recall_count, last_recalled_at, supersedes_id } = record;
  const { ts_valid_start, ts_valid_end } = record;
  const nullable = { title, system_metadata, last_recalled_at, supersedes_id, ts_valid_start, ts_valid_end };
  return {
    ...Object.fromEntries(Object.entries(nullable).filter(([, value]) => value !== undefined)),
    ...(memory_type ? { memory_type } : {}),
    ...(weight == null ? {} : { weight }),
    ...(status ? { status } : {}),
    ...(recall_count == null ? {} : { recall_count }),
  };
}
