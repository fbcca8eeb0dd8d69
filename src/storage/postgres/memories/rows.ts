import { getTableColumns, sql } from "drizzle-orm";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { memories } from "../engine/tables.ts";
import { recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

export type MemoryRow = typeof memories.$inferSelect;

/** Row to noun: leaves out the columns that only this engine needs. */
export function toStoredMemory(row: MemoryRow): StoredMemory {
  const { seq: _seq, author: _author, audience: _audience, ...rest } = row;
  const { client_request_id: _request, previous_seq: _previous, ...memory } = rest;
  return memory;
}

const ENGINE_COLUMNS = ["seq", "author", "audience", "client_request_id", "previous_seq"];

/** The columns of a noun, its address first, for statements that are written out; drivers give JSON as it was. */
export const MEMORY_COLUMNS = sql.raw(
  ["id", ...Object.keys(getTableColumns(memories)).filter((name) => name !== "id")]
    .filter((name) => !ENGINE_COLUMNS.includes(name))
    .map((name) => `memories.${name}`)
    .join(", "),
);

const COLUMNS = Object.entries(getTableColumns(memories)).map(([name, column]) => ({
  name,
  type: column.getSQLType(),
}));
const NAMES = sql.raw(COLUMNS.map(({ name }) => name).join(", "));
/** What is not JSON is read as it is; of JSON, null means none. */
const READ = sql.raw(
  COLUMNS.map(({ name, type }) => (type === "json" ? `nullif(m.${name}::text, 'null')::json` : `m.${name}`)).join(", "),
);
const TYPES = sql.raw(COLUMNS.map(({ name, type }) => `${name} ${type}`).join(", "));

/** Numbers for rows that are to be stored, in order. */
export async function newNumbers(work: TenantWork, count: number): Promise<number[]> {
  const rows = await work.rows<{ seq: number }>(
    sql`select nextval(pg_get_serial_sequence('memories', 'seq')) as seq from generate_series(1, ${count}::int)`,
  );
  return rows.map(({ seq }) => seq).sort((a, b) => a - b);
}

/** Stores rows under the numbers that they have. */
export const insertRows = (work: TenantWork, rows: readonly MemoryRow[]): Promise<number> =>
  work.run(
    sql`insert into memories (${NAMES}) select ${READ} from json_to_recordset(${recordsValue(rows)}) as m (${TYPES})`,
  );
