import type { JsonObject } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { EXPORT_FORMAT } from "../../core/schema/keeping/transfer.ts";
import type { ReadRecord } from "../reader.ts";
import { isRecord } from "../records.ts";

/** Records that are a file of their own: documents of all kinds, and what was entered of an entity. */
export type FiledRecord = Extract<ReadRecord, { record: "document" | "keystone" | "skill" | "entity" }>;

export interface Filed {
  readonly fields: JsonObject;
  readonly body: string;
}

const FENCE = /^```json\n([\s\S]*?)\n?```$/;

/** A record as front matter and a body: the text of a rule or skill, or else its data as JSON. */
export function writeFiled(record: FiledRecord): Filed {
  if (record.record === "entity") return { fields: marked(record), body: "" };
  const { data, ...fields } = record;
  const { content, ...others }: JsonObject = isJsonObject(data) ? data : {};
  if (typeof content === "string" && content !== "" && content === content.trim() && !FENCE.test(content))
    return { fields: { ...marked(fields), data: others }, body: content };
  return { fields: marked(fields), body: `\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\`` };
}

/** Front matter that says it is Cairn's; null means the same as nothing. */
const marked = (fields: object): JsonObject => ({
  cairn: EXPORT_FORMAT,
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)),
});

/** The record of such a file; or why it is none, and whether its text is to blame. */
export function readFiled(
  { cairn: _mark, ...fields }: JsonObject,
  body: string,
): ReadRecord | { readonly fault: string; readonly inBody: boolean } {
  const text = body.trim();
  if (!isRecord(fields)) return { fault: `Its front matter has an unknown record: ${fields.record}.`, inBody: false };
  if (fields.record === "entity")
    return text === "" ? fields : { fault: "An entity has no text: write a memory that names it.", inBody: true };
  const rest = Reflect.get(fields, "data") ?? null;
  if (isJsonObject(rest)) return withData(fields, { ...rest, content: text });
  const fence = FENCE.exec(text);
  const data = fence ? parsed(fence[1] ?? "") : null;
  if (data) return withData(fields, data);
  return { fault: "Its data is no JSON object in a fence of ```json.", inBody: true };
}

/** Unchecked on purpose: whoever stores it checks it against the schema. */
const withData = (fields: JsonObject, data: JsonObject): ReadRecord => ({ ...fields, data }) as object as ReadRecord;

function parsed(json: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
