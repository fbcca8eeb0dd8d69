import { z } from "zod";
import type { JsonObject } from "../../../core/kernel/json.ts";
import { Visibility } from "../../../core/schema/access.ts";
import { JsonRecord, Uuid } from "../../../core/schema/common.ts";
import { EntityType } from "../../../core/schema/entity.ts";
import { MemoryStatus, MemoryType } from "../../../core/schema/memory.ts";
import type { ReadRecord } from "../../reader.ts";
import { shapeFault } from "../shared/files.ts";
import { timestampOf } from "../shared/times.ts";

/** What a row becomes: a record, why it is none, or null for what is not taken over. */
export type Became = ReadRecord | string | null;

const text = z.string().nullish().catch(null);
const time = z.union([z.string(), z.number()]).nullish().catch(null).transform(timestampOf);
const json = JsonRecord.nullish().catch(null);

const MemoryRow = z.object({
  id: Uuid,
  tenant_id: text,
  content: z.string(),
  title: text,
  memory_type: MemoryType.nullish().catch(null),
  weight: z.number().nullish().catch(null),
  agent_id: text,
  fleet_id: text,
  visibility: Visibility.nullish().catch(null),
  source_uri: text,
  run_id: text,
  metadata: json,
  system_metadata: json,
  subject_entity_id: Uuid.nullish().catch(null),
  predicate: text,
  object_value: text,
  status: MemoryStatus.nullish().catch(null),
  recall_count: z.number().nullish().catch(null),
  supersedes_id: Uuid.nullish().catch(null),
  created_at: time,
  expires_at: time,
  ts_valid_start: time,
  ts_valid_end: time,
  last_recalled_at: time,
});

/** What is known of an entity that others refer to. */
export interface KnownEntity {
  readonly name: string;
  readonly created_at: string;
}
/** Entities by their ids there: here an id is made of tenant and name. */
export type KnownEntities = ReadonlyMap<string, KnownEntity>;

/** A memory with its id, so that what refers to it still does. */
export function memoryOf(row: unknown, entities: KnownEntities): Became {
  const { data, error } = MemoryRow.safeParse(row);
  if (error) return shapeFault(error);
  const { tenant_id, metadata, status, ...rest } = data;
  if (status === "deleted") return null;
  const imported_from = { format: "caura", id: data.id, ...(tenant_id ? { tenant_id } : {}) };
  const subject_name = entities.get(data.subject_entity_id ?? "")?.name ?? null;
  return { record: "memory", ...rest, subject_name, status, metadata: { ...callersOwn(metadata), imported_from } };
}

/** Metadata without the copy of what the server keeps of its own. */
function callersOwn(metadata: JsonObject | null | undefined): JsonObject {
  const { _system, ...own } = metadata ?? {};
  return own;
}

const AgentRow = z.object({
  agent_id: z.string(),
  display_name: text,
  fleet_id: text,
  trust_level: z.int().nullish().catch(null),
  created_at: time,
});

export function agentOf(row: unknown): Became {
  const { data, error } = AgentRow.safeParse(row);
  return error ? shapeFault(error) : { record: "agent", ...data };
}

const EntityRow = z.object({
  id: Uuid,
  fleet_id: text,
  entity_type: EntityType.catch("unknown"),
  canonical_name: z.string(),
  attributes: json,
  created_at: time,
  updated_at: time,
});

/** An entity; with attributes as if entered by hand, for no text would bring them back. */
export function entityOf(row: unknown): Became {
  const { data, error } = EntityRow.safeParse(row);
  if (error) return shapeFault(error);
  const { id, fleet_id = null, entity_type, canonical_name, attributes = null, created_at, updated_at } = data;
  const isEntered = created_at !== null && Object.keys(attributes ?? {}).length > 0;
  const entry = { fleet_id, entity_type, canonical_name, attributes, aliases: [] };
  const entries = isEntered ? [{ ...entry, created_at, updated_at: updated_at ?? created_at }] : [];
  return { record: "entity", id, entity_type, canonical_name, created_at, entries };
}

const RelationRow = z.object({
  id: Uuid.nullish(),
  inferred: z.boolean().nullish(),
  from_entity_id: Uuid,
  relation_type: z.string(),
  to_entity_id: Uuid,
  weight: z.number().nullish().catch(null),
  evidence_memory_id: Uuid.nullish().catch(null),
  fleet_id: text,
  created_at: time,
  updated_at: time,
});

/** A relation that somebody entered; where the server does not say when, it is from when both its ends are known. */
export function relationOf(row: unknown, entities: KnownEntities): Became {
  const { data, error } = RelationRow.safeParse(row);
  if (error) return shapeFault(error);
  const { id, inferred, weight, created_at, updated_at, ...rest } = data;
  if (!id || inferred) return null;
  const [from, to] = [entities.get(rest.from_entity_id), entities.get(rest.to_entity_id)];
  const known = [from, to].map((entity) => entity?.created_at ?? "");
  const at = known.reduce((latest, one) => (one > latest ? one : latest), "") || EPOCH;
  const times = { created_at: created_at ?? at, updated_at: updated_at ?? created_at ?? at };
  const names = { from_name: from?.name ?? null, to_name: to?.name ?? null };
  return { record: "relation", id, ...rest, ...names, weight: weight ?? 1, ...times };
}

const EPOCH = "1970-01-01T00:00:00.000Z";

const DocumentRow = z.object({
  fleet_id: text,
  collection: z.string(),
  doc_id: z.string(),
  data: JsonRecord,
  created_at: time,
  updated_at: time,
});

export function documentOf(record: "document" | "keystone" | "skill", row: unknown): Became {
  const { data, error } = DocumentRow.safeParse(row);
  return error ? shapeFault(error) : { record, ...data };
}
