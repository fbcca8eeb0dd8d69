import { AppError } from "../core/kernel/errors.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import { countValues, jsonBytes } from "../core/kernel/json.ts";
import type { Ctx, Limits } from "../core/ports/context.ts";

/** Why what was sent has more members than a row may carry, or null: asked before anything copies them. */
export const membersOverLimit = ({ members_limit }: Limits, sent: JsonObject | null | undefined): string | null => {
  const members = Object.keys(sent ?? {}).length;
  return members > members_limit ? `has ${members} members; at most ${members_limit} are allowed` : null;
};

/** Why this is more metadata than a row may carry, or null. */
export const metadataFault = (limits: Limits, metadata: JsonObject | null): string | null =>
  metadata && sizeFault(limits, metadata, limits.metadata_bytes_limit);

/** Throws INVALID_ARGUMENTS for metadata of more members than a row may carry. */
export function requireMembersFit({ limits }: Ctx, metadata: JsonObject | null | undefined): void {
  refuse("metadata", membersOverLimit(limits, metadata));
}

/** Throws INVALID_ARGUMENTS for more metadata (or attributes) than a row may carry; `name` is the field of the body. */
export function requireMetadataFits({ limits }: Ctx, metadata: JsonObject | null, name = "metadata"): void {
  refuse(name, metadataFault(limits, metadata));
}

/** Throws INVALID_ARGUMENTS for more data than a document may carry. */
export function requireDataFits({ limits }: Ctx, data: JsonObject): void {
  refuse("data", sizeFault(limits, data, limits.document_bytes_limit));
}

/** Throws INVALID_ARGUMENTS for more to compare than a query may ask for. */
export function requireWhereFits({ limits }: Ctx, where: JsonObject | null | undefined): void {
  const max = limits.where_nodes_limit;
  const isTooMany = where != null && countValues(where, max) > max;
  refuse("where", isTooMany ? `holds more than ${max} JSON values` : null);
}

function sizeFault(limits: Limits, value: JsonObject, bytesMax: number): string | null {
  const crowded = membersOverLimit(limits, value);
  if (crowded) return crowded;
  const bytes = jsonBytes(value);
  return bytes > bytesMax ? `is ${bytes} bytes of JSON; at most ${bytesMax} are allowed` : null;
}

function refuse(name: string, fault: string | null): void {
  if (fault !== null) throw new AppError("INVALID_ARGUMENTS", `${name} ${fault}.`, { loc: ["body", name] });
}
