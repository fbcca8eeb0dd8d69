import { getTableColumns } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { StoredLink, StoredMemory } from "../../../core/ports/stored-memory.ts";
import { memories } from "../engine/tables.ts";

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
