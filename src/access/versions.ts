import { AppError } from "../core/kernel/errors.ts";
import { sha256 } from "../core/kernel/hash.ts";
import { canonicalJson } from "../core/kernel/json.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { Precondition } from "../core/schema/common.ts";

/** What callers can change of a memory, links apart. */
const CHANGEABLE = [
  "content_hash",
  "deleted_at",
  "expires_at",
  "memory_type",
  "metadata",
  "object_value",
  "predicate",
  "source_uri",
  "status",
  "subject_entity_id",
  "title",
  "ts_valid_end",
  "ts_valid_start",
  "visibility",
  "weight",
] as const satisfies (keyof StoredMemory)[];

/** Long enough that two states of one row never share it, short enough for an agent to repeat. */
const VERSION_LENGTH = 12;

/** The same for the same state, on every engine: nothing is stored for it. */
const versionOf = (state: unknown): string => sha256(canonicalJson(state)).slice(0, VERSION_LENGTH);

/** Names the state of a memory. What Cairn counts, or infers from the text, is no part of it. */
export function memoryVersion(memory: StoredMemory): string {
  const links = memory.entity_links.filter(({ inferred }) => inferred !== true);
  return versionOf([CHANGEABLE.map((field) => memory[field]), links]);
}

/** Names the state of a document. */
export const documentVersion = ({ fleet_id, data }: StoredDocument): string => versionOf([fleet_id, data]);

/**
 * Throws PRECONDITION_FAILED, with the row as it is, where a caller names versions and none is the row's. To be asked inside the
 * transaction that changes it, so that of two who read the same version one fails.
 */
export function requireVersion(if_match: Precondition | undefined, current: { readonly version: string } | null): void {
  if (if_match === undefined) return;
  if (current !== null && (if_match === "*" || if_match.includes(current.version))) return;
  const message =
    current === null
      ? "There is no row that If-Match could name. Nothing was changed."
      : `It was changed since: its version is ${current.version} by now. Nothing was changed.`;
  throw new AppError("PRECONDITION_FAILED", message, { current });
}
