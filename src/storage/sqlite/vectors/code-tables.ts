import type { Database, SQLQueryBindings } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import { MEMORY_TYPES } from "../../../core/schema/memory.ts";
import type { SideTables } from "../../common/sides.ts";
import type { Connections } from "../engine/connection.ts";

/**
 * How codes are stored: in virtual tables of sqlite-vec or, where that cannot be loaded, in plain ones of the same names and
 * columns. What searches in memory does not know which.
 */
export type CodeStore = "sqlite-vec" | "plain";

export const codeStoreOf = ({ extension }: Pick<Connections, "extension">): CodeStore =>
  extension === null ? "plain" : "sqlite-vec";

/** How a code is bound in a statement. */
export const codeValue = (db: Pick<Connections, "extension">): string => (db.extension === null ? "?" : "vec_bit(?)");

export type CodeTable = SideTables["memory_codes" | "document_codes"];
const OF_MEMORIES = ["author", "audience", "kind"] as const;
const OF_DOCUMENTS = ["collection"] as const;
const COLUMNS: Readonly<Record<CodeTable, readonly string[]>> = {
  memory_codes: OF_MEMORIES,
  document_codes: OF_DOCUMENTS,
  b_memory_codes: OF_MEMORIES,
  b_document_codes: OF_DOCUMENTS,
};
const TABLES = [
  "memory_codes",
  "document_codes",
  "b_memory_codes",
  "b_document_codes",
] as const satisfies readonly CodeTable[];

/** The statements that create a table of codes. A plain one has a view of its numbers, as sqlite-vec's tables have a table. */
export function createCodes(table: CodeTable, bits: number, store: CodeStore): string {
  const columns = COLUMNS[table].map((name) => `${name} integer`).join(", ");
  return store === "sqlite-vec"
    ? `create virtual table ${table} using vec0(space text partition key, seq integer primary key, ${columns}, code bit[${bits}]);`
    : `create table ${table} (space text not null, seq integer primary key, ${columns},
         code blob not null check (length(code) = ${bits / 8})) strict;
       create view ${table}_rowids as select seq as rowid from ${table};`;
}

/** A code as it is taken from one store into another. */
interface StoredCode {
  readonly space: string;
  readonly seq: number;
  readonly code: Uint8Array;
}

/** The partitions that repeat some codes of others, for sqlite-vec alone. */
const SAMPLES = "sample:";
/** The number of a memory's type. */
const KIND = `case memory_type ${MEMORY_TYPES.map((type, i) => `when '${type}' then ${i}`).join(" ")} else -1 end`;
/** What the other columns hold, from the rows themselves. */
const MEMORY = `select author, audience, ${KIND} as kind from memories where seq = ?`;
const DOCUMENT = `select c.id as collection from documents d
  join collections c on c.tenant_id = d.tenant_id and c.name = d.collection where d.seq = ?`;
const OWNERS: Readonly<Record<CodeTable, string>> = {
  memory_codes: MEMORY,
  document_codes: DOCUMENT,
  b_memory_codes: MEMORY,
  b_document_codes: DOCUMENT,
};

/**
 * Moves plain codes into sqlite-vec where that is to be used. Throws UNAVAILABLE where it cannot be loaded and the file has
 * its tables: without it they can be neither changed nor dropped.
 */
export function moveCodes(db: Database, store: CodeStore): void {
  for (const table of TABLES) {
    if (schemaOf(db, table) === undefined || isOfExtension(db, table) === (store === "sqlite-vec")) continue;
    if (store === "plain") throw needsExtension();
    db.transaction(() => toExtension(db, table))();
  }
}

/** The refusal of a file whose codes lie in tables of sqlite-vec, where that cannot be loaded. */
export const needsExtension = (): AppError =>
  new AppError(
    "UNAVAILABLE",
    "This data folder was made with sqlite-vec, which cannot be loaded here. Name a folder that is not mounted noexec with --cache, leave out --no-vector-extension, or open the folder where SQLite takes extensions.",
    { reason: "vector_extension" },
  );

function toExtension(db: Database, table: CodeTable): void {
  const bits = bitsOf(db, table);
  const codes = db.query<StoredCode, []>(`select space, seq, code from ${table}`).all();
  db.exec(`drop view ${table}_rowids; drop table ${table}`);
  db.exec(createCodes(table, bits, "sqlite-vec"));
  fill(db, table, codes);
}

/** How long the codes of a plain table are, as the table itself requires. */
const bitsOf = (db: Database, table: CodeTable): number =>
  8 * Number(/length\(code\) = (\d+)/.exec(schemaOf(db, table) ?? "")?.[1] ?? 0);

/** The codes of a table of sqlite-vec, read from what it consists of (sqlite-vec 0.1, its shadow tables). */
function* extensionCodes(db: Database, table: CodeTable): Generator<StoredCode> {
  const chunks = db.query<Chunk, []>(`select c.partition00 as space, c.size, c.validity, c.rowids, v.vectors
    from ${table}_chunks c join ${table}_vector_chunks00 v on v.rowid = c.chunk_id`);
  for (const { space, size, validity, rowids, vectors } of chunks.iterate()) {
    if (space.startsWith(SAMPLES)) continue;
    const bytes = vectors.length / size;
    for (const [place, seq] of new BigInt64Array(rowids.slice().buffer).entries()) {
      if (((validity[place >> 3] ?? 0) & (1 << (place & 7))) === 0) continue;
      yield { space, seq: Number(seq), code: vectors.subarray(place * bytes, (place + 1) * bytes) };
    }
  }
}

/** The codes of a table, however it stores them. */
export function storedCodes(db: Database, table: CodeTable): Iterable<StoredCode> {
  if (isOfExtension(db, table)) return extensionCodes(db, table);
  return db.query<StoredCode, []>(`select space, seq, code from ${table}`).iterate();
}

const schemaOf = (db: Database, table: CodeTable): string | undefined =>
  db.query<{ sql: string }, [string]>("select sql from sqlite_schema where name = ?").get(table)?.sql;

const isOfExtension = (db: Database, table: CodeTable): boolean => schemaOf(db, table)?.includes("using vec0") === true;

/** A piece: a bit for each place in use, the rows' numbers, and the codes side by side. */
interface Chunk {
  readonly space: string;
  readonly size: number;
  readonly validity: Uint8Array;
  readonly rowids: Uint8Array;
  readonly vectors: Uint8Array;
}

function fill(db: Database, table: CodeTable, codes: Iterable<StoredCode>): void {
  const names = COLUMNS[table];
  const put = db.query<unknown, SQLQueryBindings[]>(
    `insert into ${table} (space, seq, ${names.join(", ")}, code) values (?, ?, ${names.map(() => "?").join(", ")}, vec_bit(?))`,
  );
  const owners = db.query<Record<string, number | null>, [number]>(OWNERS[table]);
  for (const { space, seq, code } of codes) {
    const owner = owners.get(seq);
    if (owner) put.run(space, seq, ...names.map((name) => owner[name] ?? 0), code);
  }
}

/** A condition on the columns of a table of codes, with the one value that it binds. */
export interface CodeClause {
  readonly sql: string;
  readonly value: string | number;
}

/** The rows of a plain table whose codes differ least from one, nearest first; `where` narrows them down. */
export function nearestPlain(
  db: Connections,
  table: CodeTable,
  { code, wanted, where }: { code: Uint8Array; wanted: number; where: readonly CodeClause[] },
): number[] {
  const rows = db.readConnection.query<Pick<StoredCode, "seq" | "code">, SQLQueryBindings[]>(
    `select seq, code from ${table} where ${where.map(({ sql }) => sql).join(" and ")}`,
  );
  const near = Array.from(rows.iterate(...where.map(({ value }) => value)), (row) => ({
    seq: row.seq,
    distance: distanceBetween(row.code, code),
  }));
  return near
    .sort((a, b) => a.distance - b.distance || a.seq - b.seq)
    .slice(0, wanted)
    .map(({ seq }) => seq);
}

function distanceBetween(one: Uint8Array, other: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < one.length; i++) {
    for (let left = (one[i] ?? 0) ^ (other[i] ?? 0); left !== 0; left &= left - 1) bits++;
  }
  return bits;
}
