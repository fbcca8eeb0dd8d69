import { isRecord } from "../../../api/problem.ts";
import type { MemoryDetail, MemoryPatch, Visibility } from "../../../api/schemas.gen.ts";
import { KEPT_STATUSES, TYPES, VISIBILITIES } from "../../../kit/memory-words.ts";

/** The fields of a memory as a form holds them: all as text. */
export interface MemoryForm {
  readonly content: string;
  readonly title: string;
  readonly memory_type: string;
  readonly weight: string;
  readonly visibility: string;
  readonly status: string;
  readonly ts_valid_start: string;
  readonly ts_valid_end: string;
  readonly expires_at: string;
  readonly metadata: string;
}

/** What a form begins with. */
export function formOf(memory: MemoryDetail): MemoryForm {
  // The server itself notes in there that the embedding is to come.
  const { embedding_pending: _, ...metadata } = memory.metadata ?? {};
  return {
    content: memory.content,
    title: memory.title ?? "",
    memory_type: memory.memory_type,
    weight: String(memory.weight),
    visibility: memory.visibility,
    status: memory.status,
    ts_valid_start: localTime(memory.ts_valid_start),
    ts_valid_end: localTime(memory.ts_valid_end),
    expires_at: localTime(memory.expires_at),
    metadata: JSON.stringify(metadata, null, 2),
  };
}

/** The moment as an input of the type datetime-local has it: by the clock of who looks. */
function localTime(at: string | null): string {
  if (at === null) return "";
  const time = new Date(at);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** What such an input holds, as the server takes it; null where it is empty. */
const instant = (local: string): string | null => (local === "" ? null : new Date(local).toISOString());

/** The members that a form changed, as the server takes them. Takes only a form without faults. */
export function patchOf(before: MemoryForm, after: MemoryForm): MemoryPatch {
  const changed = <T>(name: keyof MemoryForm, value: (text: string) => T): { [key: string]: T } =>
    before[name] === after[name] ? {} : { [name]: value(after[name]) };
  const text = (written: string) => written;
  return {
    ...changed("content", text),
    ...changed("title", (written) => (written.trim() === "" ? null : written)),
    ...changed("memory_type", (word) => TYPES.find((one) => one === word)),
    ...changed("weight", Number),
    ...changed("visibility", visibilityOf),
    ...changed("status", (word) => KEPT_STATUSES.find((one) => one === word)),
    ...changed("ts_valid_start", instant),
    ...changed("ts_valid_end", instant),
    ...changed("expires_at", instant),
    ...changed("metadata", parseObject),
    ...(before.metadata === after.metadata ? {} : { metadata_mode: "replace" as const }),
  };
}

export const visibilityOf = (word: string): Visibility | undefined => VISIBILITIES.find(([one]) => one === word)?.[0];

/** The object in a text; null for none. */
function parseObject(text: string): Record<string, unknown> | null {
  const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
  return isRecord(value) ? { ...value } : null;
}

/** Why the metadata cannot be saved; null where they can. */
export function metadataFault(text: string): string | null {
  try {
    return parseObject(text) === null ? "It must be a JSON object: { ... }." : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
