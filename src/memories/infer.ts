import type { JsonObject } from "../core/kernel/json.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { enrich } from "./enrichment/enrich.ts";

/** Fields that are read from the text where the caller leaves them open. */
export const INFERABLE = ["title", "memory_type", "weight", "status", "ts_valid_start", "ts_valid_end"] as const;
export type Inferable = (typeof INFERABLE)[number];

/** The fields a caller has set; one that is absent is open, null is a choice. */
export type GivenFields = { readonly [Field in Inferable]?: StoredMemory[Field] | undefined };

export interface Inference {
  readonly fields: Pick<StoredMemory, Inferable>;
  /** What the row tells of its inference: which fields are inferred, its subjects, and what it must not leak. */
  readonly told: JsonObject;
}

/** Fills the open fields of a row from its text. `reference` is the moment of writing, in epoch milliseconds. Pure. */
export function inferOpen(content: string, given: GivenFields, reference: number): Inference {
  const { tags, pii_types, ...found } = enrich(content, { reference, memory_type: given.memory_type });
  const fields = inOrder(
    {
      title: given.title === undefined ? found.title : given.title,
      memory_type: given.memory_type ?? found.memory_type,
      weight: given.weight ?? found.weight,
      status: given.status ?? found.status,
      ts_valid_start: given.ts_valid_start === undefined ? found.ts_valid_start : given.ts_valid_start,
      ts_valid_end: given.ts_valid_end === undefined ? found.ts_valid_end : given.ts_valid_end,
    },
    given,
  );
  const inferred = INFERABLE.filter((field) => given[field] === undefined && fields[field] !== null);
  return {
    fields,
    told: {
      contains_pii: pii_types.length > 0,
      ...(pii_types.length > 0 ? { pii_types: [...pii_types] } : {}),
      ...(tags.length > 0 ? { tags: [...tags] } : {}),
      ...(inferred.length > 0 ? { inferred } : {}),
    },
  };
}

/** An inferred end of validity that contradicts the caller's other end is dropped. */
function inOrder(fields: Inference["fields"], given: GivenFields): Inference["fields"] {
  const { ts_valid_start: start, ts_valid_end: end } = fields;
  if (start === null || end === null || start < end) return fields;
  if (given.ts_valid_end === undefined) return { ...fields, ts_valid_end: null };
  return given.ts_valid_start === undefined ? { ...fields, ts_valid_start: null } : fields;
}

/** The fields of a row that were inferred, as it tells itself. */
export function inferredOf({ system_metadata }: Pick<StoredMemory, "system_metadata">): Inferable[] {
  const told = system_metadata?.inferred;
  return Array.isArray(told) ? INFERABLE.filter((field) => told.includes(field)) : [];
}

/** What a row tells of its inference once a caller has set some of its fields; null when that changes nothing. */
export function toldAfter(row: Pick<StoredMemory, "system_metadata">, set: readonly string[]): JsonObject | null {
  const before = inferredOf(row);
  const inferred = before.filter((field) => !set.includes(field));
  if (inferred.length === before.length) return null;
  const { inferred: _before, ...others } = row.system_metadata ?? {};
  return { ...others, ...(inferred.length > 0 ? { inferred } : {}) };
}

/** Everything a row tells of itself but what was inferred. */
export function withoutInference({ system_metadata }: Pick<StoredMemory, "system_metadata">): JsonObject {
  const {
    inferred: _inferred,
    tags: _tags,
    contains_pii: _contains,
    pii_types: _types,
    ...others
  } = system_metadata ?? {};
  return others;
}
