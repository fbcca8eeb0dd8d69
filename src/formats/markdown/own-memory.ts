import { sha256 } from "../../core/kernel/hash.ts";
import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { ReadMemory } from "../records.ts";

type Field = Exclude<keyof ReadMemory, "record" | "content">;

/** The fields of a memory in the order in which a person reads them: a text, or any JSON. */
const FIELDS = {
  id: "text",
  title: "text",
  memory_type: "text",
  status: "text",
  weight: "json",
  agent_id: "text",
  fleet_id: "text",
  visibility: "text",
  created_at: "text",
  expires_at: "text",
  source_uri: "text",
  run_id: "text",
  tags: "json",
  subject_entity_id: "text",
  subject_name: "text",
  predicate: "text",
  object_value: "text",
  ts_valid_start: "text",
  ts_valid_end: "text",
  supersedes_id: "text",
  recall_count: "json",
  last_recalled_at: "text",
  checked_at: "text",
  former_status: "text",
  entity_links: "json",
  metadata: "json",
  system_metadata: "json",
} as const satisfies Record<Field, "text" | "json">;

/** Left out, these are read from the text; null says that there is none. */
const OPEN_TO_INFERENCE: ReadonlySet<string> = new Set(["title", "ts_valid_start", "ts_valid_end"]);
/** Tells whether a person has changed the text since. */
const DIGEST = "text_digest";
const DIGEST_LENGTH = 16;

const digestOf = (content: string): string => sha256(content).slice(0, DIGEST_LENGTH);

/** The front matter of a memory: its fields but the text, and those of `shared`, which the file says once. */
export function memoryFields(record: ReadMemory, shared: readonly Field[] = []): JsonObject {
  const folded = withTags(record);
  const fields: JsonObject = {};
  for (const name of Object.keys(FIELDS)) {
    // Safe: a record is JSON.
    const value = Reflect.get(folded, name) as JsonValue | undefined;
    if (value !== undefined && isTold(name, value)) fields[name] = value;
  }
  for (const name of shared) delete fields[name];
  return { ...fields, [DIGEST]: digestOf(record.content) };
}

const isTold = (name: string, value: JsonValue): boolean =>
  value === null ? OPEN_TO_INFERENCE.has(name) : !(name === "recall_count" && value === 0);

/** Tags stand by themselves in a file, where a person looks for them; stored they are part of the metadata. */
function withTags(record: ReadMemory): ReadMemory {
  const { tags, ...metadata }: JsonObject = isJsonObject(record.metadata) ? record.metadata : {};
  if (!isTexts(tags)) return record;
  const { metadata: _whole, ...others } = record;
  return { ...others, tags, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
}

const isTexts = (value: JsonValue | undefined): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** Keys of a file that are no fields of a memory. */
const MARKS: ReadonlySet<string> = new Set(["cairn", "record", DIGEST]);

/** A memory from its front matter and text; what the front matter has besides is kept in the metadata. */
export function memoryFromFields(fields: JsonObject, content: string): ReadMemory {
  const record: JsonObject = {};
  const others: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (isField(name)) record[name] = FIELDS[name] === "text" ? asText(value) : value;
    else if (!MARKS.has(name)) others[name] = value;
  }
  const digest = fields[DIGEST];
  // What a person has changed is to be compared with other memories again.
  if (typeof digest === "string" && digest !== digestOf(content)) delete record.checked_at;
  foldTags(record, others);
  // Unchecked on purpose: whoever stores it checks it against the schema, and tells what a person wrote wrongly.
  return { ...record, record: "memory", content } as ReadMemory;
}

const isField = (name: string): name is Field => Object.hasOwn(FIELDS, name);

/** A person writes `title: 2026` and means a text. */
const asText = (value: JsonValue): JsonValue =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;

function foldTags(record: JsonObject, others: JsonObject): void {
  const { tags, metadata = null } = record;
  const isFolded = isTexts(tags) && (metadata === null || isJsonObject(metadata));
  if (!isFolded && Object.keys(others).length === 0) return;
  if (metadata !== null && !isJsonObject(metadata)) return;
  record.metadata = { ...metadata, ...others, ...(isFolded ? { tags } : {}) };
  if (isFolded) delete record.tags;
}
