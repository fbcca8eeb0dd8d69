import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { StoredLink, StoredMemory } from "../../core/ports/stored-memory.ts";
import type { ColumnType } from "../units/dialect.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { TenantWork, Work } from "../units/work.ts";

/** What storage keeps of a memory for itself. */
interface OwnColumns {
  readonly seq: number;
  /** Its author's and its readers' numbers. */
  readonly author: number;
  readonly audience: number;
  readonly client_request_id: string | null;
  /** The row written before this one in the same run for the same readers. */
  readonly previous_seq: number | null;
}

export type MemoryRow = StoredMemory & OwnColumns;

const NOUN = {
  id: "text",
  tenant_id: "text",
  fleet_id: "text",
  agent_id: "text",
  memory_type: "text",
  title: "text",
  content: "text",
  weight: "real",
  source_uri: "text",
  run_id: "text",
  metadata: "json",
  system_metadata: "json",
  entity_links: "json",
  content_hash: "text",
  created_at: "text",
  expires_at: "text",
  deleted_at: "text",
  subject_entity_id: "text",
  predicate: "text",
  object_value: "text",
  ts_valid_start: "text",
  ts_valid_end: "text",
  status: "text",
  visibility: "text",
  recall_count: "int",
  last_recalled_at: "text",
  supersedes_id: "text",
  embedded_by: "text",
} as const satisfies Record<keyof StoredMemory, ColumnType>;
const OWN = {
  seq: "int",
  author: "int",
  audience: "int",
  client_request_id: "text",
  previous_seq: "int",
} as const satisfies Record<keyof OwnColumns, ColumnType>;
const ROW = { ...NOUN, ...OWN };

const isJson = (name: keyof MemoryRow): name is JsonColumn => ROW[name] === "json";
// Safe: an object of constants has no other keys.
const ROW_NAMES = Object.keys(ROW) as (keyof MemoryRow)[];

const selected = (columns: object): SQL =>
  sql.raw(
    Object.keys(columns)
      .map((name) => `memories.${name}`)
      .join(", "),
  );
/** The columns of a noun, and those of a row, as a statement over `memories` selects them. */
export const MEMORY_COLUMNS = selected(NOUN);
export const ROW_COLUMNS = selected(ROW);

/** A noun as a statement gives it: its JSON may still be text. */
export type ReadMemory<T extends StoredMemory = StoredMemory> = Omit<T, JsonColumn> &
  Readonly<Record<JsonColumn, unknown>>;
type JsonColumn = "metadata" | "system_metadata" | "entity_links";

/** What a row without links holds where JSON is text: not worth a parse. */
const NO_LINKS = "[]";
const NONE: readonly StoredLink[] = [];

/** The noun, or the row, that a statement gave; what it selected beside it stays. */
export const toMemory = <T extends ReadMemory>(read: T) => ({
  ...read,
  metadata: jsonIn<JsonObject | null>(read.metadata),
  system_metadata: jsonIn<JsonObject | null>(read.system_metadata),
  entity_links: read.entity_links === NO_LINKS ? NONE : (jsonIn<StoredLink[] | null>(read.entity_links) ?? NONE),
});

/** The nouns of a statement that selects `MEMORY_COLUMNS`. */
export function* memoriesOf(query: SQL): Unit<StoredMemory[]> {
  return (yield* rows<ReadMemory>(query)).map(toMemory);
}

/** The rows of a statement that selects `ROW_COLUMNS`. */
export function* rowsOf(query: SQL): Unit<MemoryRow[]> {
  return (yield* rows<ReadMemory<MemoryRow>>(query)).map(toMemory);
}

/** Row to noun: leaves out what is storage's own. */
export function toStoredMemory(row: MemoryRow): StoredMemory {
  const { seq: _seq, author: _author, audience: _audience, ...rest } = row;
  const { client_request_id: _request, previous_seq: _previous, ...memory } = rest;
  return memory;
}

/** Writes what of a row is another than before, inside the caller's transaction. */
export function* updateRow({ dialect, tenant_id }: TenantWork, before: MemoryRow, after: MemoryRow): Unit<void> {
  const changes = ROW_NAMES.filter((name) => after[name] !== before[name]).map((name) => {
    const value = isJson(name) ? dialect.json(after[name]) : after[name];
    return sql`${sql.raw(name)} = ${value}`;
  });
  if (changes.length > 0)
    yield* run(sql`update memories set ${sql.join(changes, sql`, `)}
      where ${dialect.belongs("memories", tenant_id)} and seq = ${before.seq}`);
}

/** Stores rows under the numbers that they have. */
export const insertRows = ({ dialect }: Work, given: readonly MemoryRow[]): Unit<void> =>
  dialect.insert("memories", given, ROW);
