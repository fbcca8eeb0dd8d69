import { getTableColumns } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { StoredLink, StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { Connections } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";

export type MemoryRow = typeof memories.$inferSelect;

/** Row to noun: leaves out the columns that only this engine needs. */
export function toStoredMemory(row: MemoryRow): StoredMemory {
  const { seq: _seq, author: _author, audience: _audience, ...rest } = row;
  const { client_request_id: _request, previous_seq: _previous, ...memory } = rest;
  return memory;
}

/** A row before it has its number. */
export type NewMemoryRow = StoredMemory & Pick<MemoryRow, "author" | "audience" | "client_request_id" | "previous_seq">;

const INSERTED = Object.keys(getTableColumns(memories)).filter((name) => name !== "seq");
const INSERT = `insert into memories (${INSERTED.join(", ")}) values (${INSERTED.map(() => "?").join(", ")})`;

/** Stores a row past drizzle, whose building of the statement costs more than the storing. Returns the row's number. */
export function insertRow(db: Connections, row: NewMemoryRow): number {
  const { metadata, system_metadata, entity_links } = row;
  const values: Readonly<Record<string, unknown>> = {
    ...row,
    metadata: metadata && JSON.stringify(metadata),
    system_metadata: system_metadata && JSON.stringify(system_metadata),
    entity_links: JSON.stringify(entity_links),
  };
  // Safe: the columns of JSON are texts by now, and all others hold texts, numbers and null.
  const bound = INSERTED.map((name) => values[name] as string | number | null);
  return Number(db.writeConnection.query(INSERT).run(...bound).lastInsertRowid);
}

const ENGINE_COLUMNS = ["seq", "author", "audience", "client_request_id", "previous_seq"];

/** The columns of a noun, for statements that read many rows past drizzle, whose mapping costs more than the reading. */
export const MEMORY_COLUMNS: string = Object.keys(getTableColumns(memories))
  .filter((name) => !ENGINE_COLUMNS.includes(name))
  .map((name) => `memories.${name}`)
  .join(", ");

type JsonColumn = "metadata" | "system_metadata" | "entity_links";
/** A noun as SQLite hands it over: JSON is still text. */
export type RawMemory = Omit<StoredMemory, JsonColumn> & Readonly<Record<JsonColumn, string | null>>;

/** The noun of a row. */
export const parseMemory = (raw: RawMemory): StoredMemory => ({
  ...raw,
  metadata: parseJson<JsonObject>(raw.metadata),
  system_metadata: parseJson<JsonObject>(raw.system_metadata),
  entity_links: parseLinks(raw.entity_links),
});

/** Safe: the text was written from a value of the type that `tables.ts` gives the column. */
export const parseJson = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/** What a row without links holds: not worth a parse. */
const NO_LINKS = "[]";
const NONE: readonly StoredLink[] = [];
/** The entity links of a row, from their JSON. */
export const parseLinks = (text: string | null): readonly StoredLink[] =>
  text === NO_LINKS ? NONE : (parseJson<StoredLink[]>(text) ?? NONE);

/** A vector as sqlite-vec stores it: float32, little-endian, as on every platform Cairn is built for. */
export const vectorBlob = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** The vector in a blob written by `vectorBlob`; copied, because a blob need not be aligned to four bytes. */
export const blobVector = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer);
