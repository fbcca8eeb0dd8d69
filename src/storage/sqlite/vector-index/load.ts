import type { Database } from "bun:sqlite";
import { MEMORY_STATUSES, MEMORY_TYPES } from "../../../core/schema/memory.ts";
import { CODE_BYTES, indexCodes } from "../../common/index-codes.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import { storedCodes } from "../vectors/code-tables.ts";
import { codeSpace } from "../vectors/vectors.ts";
import { NEVER } from "./layout.ts";
import type { Records } from "./records.ts";

/** Rows read at a time. */
const ROWS_PER_READ = 10_000;

/** A moment in seconds, as SQL: as `columns.ts` cuts it. */
const secondsOf = (column: string): string => `min(max(unixepoch(${column}), 0), ${NEVER - 1})`;

/** Each name's place in a list, as SQL. */
const ordinalOf = (column: string, names: readonly string[]): string =>
  `case ${column} ${names.map((name, i) => `when '${name}' then ${i}`).join(" ")} else 0 end`;

const ROWS = `select seq, audience, author, ${secondsOf("created_at")}, coalesce(${secondsOf("expires_at")}, ${NEVER}),
    ${ordinalOf("memory_type", MEMORY_TYPES)}, ${ordinalOf("status", MEMORY_STATUSES)}, cast(weight * 255 as integer),
    deleted_at is null
  from memories where seq > ? order by seq limit ${ROWS_PER_READ}`;

/** Reads every row of a data file into empty records, with the codes that its vector table holds. */
export function loadRecords(db: Database, space: EmbedderSpace, records: Records): void {
  db.transaction(() => {
    loadColumns(db, records);
    loadCodes(db, space, records);
  })();
}

type Row = [number, number, number, number, number, number, number, number, number];

function loadColumns(db: Database, records: Records): void {
  const read = db.query<unknown, [number]>(ROWS);
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    // Safe: the statement names nine columns of numbers.
    const rows = read.values(after) as Row[];
    for (const [seq, audience, author, created, expires, type, status, weight, live] of rows) {
      const columns = { seq, audience, author, created, expires, type, status, weight, is_live: live === 1 };
      records.put(columns, null);
      after = seq;
    }
    if (rows.length < ROWS_PER_READ) return;
  }
}

/** The codes of all rows, read in the pieces that sqlite-vec keeps them in: through its table each would be looked up alone. */
function loadCodes(db: Database, space: EmbedderSpace, records: Records): void {
  const { reduce } = indexCodes(space);
  const kept = new Uint8Array(CODE_BYTES);
  const prefix = codeSpace("", space.id);
  for (const { space: partition, seq, code } of storedCodes(db, tablesOf(space).memory_codes)) {
    if (partition.startsWith(prefix)) records.putCode(seq, reduce(code, kept));
  }
}
