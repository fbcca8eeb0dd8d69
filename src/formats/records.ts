import { AppError } from "../core/kernel/errors.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import { EXPORT_FORMAT } from "../core/schema/keeping/transfer.ts";
import type { ReadRecord } from "./reader.ts";

/** A record of a memory as a source has it. */
export type ReadMemory = Extract<ReadRecord, { record: "memory" }>;

/** Kinds of records, in the order in which they are imported. */
export const RECORD_KINDS = [
  "settings",
  "projects",
  "agent",
  "entity",
  "relation",
  "keystone",
  "document",
  "skill",
  "memory",
  "finding",
] as const satisfies readonly ReadRecord["record"][];

const KINDS: ReadonlySet<unknown> = new Set(RECORD_KINDS);

/** Whether an object says of which kind it is. What else it holds is checked where it is stored, against the schema. */
export const isRecord = (value: JsonObject): value is JsonObject & ReadRecord => KINDS.has(value.record);

/** Throws AppError BAD_REQUEST for an export of a format that this release does not know. */
export function requireKnownFormat(format: unknown, file: string): void {
  if (typeof format !== "number" || format <= EXPORT_FORMAT) return;
  throw new AppError(
    "BAD_REQUEST",
    `${file} is an export of format ${format}; this Cairn reads up to ${EXPORT_FORMAT}. Upgrade it, then import again.`,
  );
}
