import type { JsonObject } from "../core/kernel/json.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";

/** Fields that are read from the text where the caller leaves them open. */
export const INFERABLE = ["title", "memory_type", "weight", "status", "ts_valid_start", "ts_valid_end"] as const;
export type Inferable = (typeof INFERABLE)[number];

/** The fields of a row that were inferred, as it tells itself. */
export function inferredOf({ system_metadata }: Pick<StoredMemory, "system_metadata">): Inferable[] {
  const told = system_metadata?.inferred;
  return Array.isArray(told) ? INFERABLE.filter((field) => told.includes(field)) : [];
}

/** What a row tells of its inference once a caller has set some of its fields; null when that changes nothing. */
export function metadataAfterSetting(
  row: Pick<StoredMemory, "system_metadata">,
  set: readonly string[],
): JsonObject | null {
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
