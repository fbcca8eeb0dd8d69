import type { Database } from "bun:sqlite";
import type { IndexCodes } from "../../common/index-codes.ts";
import { codeOfRow } from "../../common/index-codes.ts";
import { SIDES, tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import { storedVectors } from "../vectors/vectors.ts";
import type { StoredColumns } from "./columns.ts";
import { indexedColumns } from "./columns.ts";
import type { Records } from "./records.ts";

/** What the index must know anew. */
const INDEXED = ["audience", "author", "memory_type", "status", "weight", "created_at", "expires_at", "deleted_at"];
/** What those must know beside it who keep words of rows, or rows themselves. */
const KEPT = [
  "title",
  "content",
  "run_id",
  "ts_valid_start",
  "ts_valid_end",
  "entity_links",
  "system_metadata",
  "previous_seq",
];

/**
 * Notes the number of each row that a transaction of this connection changes, whichever statement does; what is rolled back
 * is not noted.
 */
export function watchRows(writer: Database): void {
  const note = (number: string) => `begin insert or ignore into temp.changed_rows values (${number}); end`;
  // The row before it in a run has another one behind it now.
  const noteKept = (...numbers: string[]) =>
    `begin insert or ignore into temp.changed_kept select value from json_each(json_array(${numbers.join()})) where value is not null; end`;
  writer.exec(`
    create temp table if not exists changed_rows (seq integer primary key);
    create temp table if not exists changed_kept (seq integer primary key);
    create temp trigger if not exists row_inserted after insert on main.memories ${note("new.seq")};
    create temp trigger if not exists row_updated after update of ${INDEXED.join(", ")} on main.memories ${note("new.seq")};
    create temp trigger if not exists row_deleted after delete on main.memories ${note("old.seq")};
    create temp trigger if not exists kept_inserted after insert on main.memories
      when new.previous_seq is not null ${noteKept("new.previous_seq")};
    create temp trigger if not exists kept_updated after update of ${KEPT.join(", ")} on main.memories
      ${noteKept("new.seq", "old.previous_seq", "new.previous_seq")};
    create temp trigger if not exists kept_deleted after delete on main.memories
      when old.previous_seq is not null ${noteKept("old.previous_seq")};
    ${Object.values(SIDES)
      .map(
        ({ memory_vectors: of }) => `
    create temp trigger if not exists ${of}_inserted after insert on main.${of} ${note("new.seq")};
    create temp trigger if not exists ${of}_updated after update on main.${of} ${note("new.seq")};
    create temp trigger if not exists ${of}_deleted after delete on main.${of} ${note("old.seq")};`,
      )
      .join("")}
  `);
}

/** Numbers of rows, in order. */
export interface ChangedRows {
  /** Those whose records are to be written anew. */
  readonly indexed: readonly number[];
  /** Those of which nothing changed but what is kept elsewhere. */
  readonly kept: readonly number[];
}

/** The numbers noted since they were last taken. */
export function takeChangedRows(writer: Database): ChangedRows {
  const take = (table: string): number[] => {
    const noted = writer.query<{ seq: number }, []>(`select seq from temp.${table} order by seq`).all();
    if (noted.length > 0) writer.query(`delete from temp.${table}`).run();
    return noted.map(({ seq }) => seq);
  };
  return { indexed: take("changed_rows"), kept: take("changed_kept") };
}

interface IndexedRow extends StoredColumns {
  readonly vector: Uint8Array | null;
  readonly context: Uint8Array | null;
}

const rowOf = (
  space: EmbedderSpace,
): string => `select m.seq, m.audience, m.author, m.memory_type, m.status, m.weight, m.created_at, m.expires_at, m.deleted_at,
    v.vector, v.context
  from memories m left join ${tablesOf(space).memory_vectors} v on v.seq = m.seq and v.embedder_id = ? where m.seq = ?`;

/** Writes the records of rows as they are stored now. */
export function indexRows(
  { db, space, codes }: { db: Database; space: EmbedderSpace; codes: IndexCodes },
  records: Records,
  seqs: readonly number[],
): void {
  const find = db.query<IndexedRow, [string, number]>(rowOf(space));
  for (const seq of seqs) {
    const row = find.get(space.id, seq);
    if (row) records.put(indexedColumns(row), codeOf(row));
    else records.remove(seq);
  }

  function codeOf({ vector, context }: IndexedRow): Uint8Array | null {
    const code = vector && codeOfRow(space, storedVectors({ vector, context }));
    return code && codes.reduce(code);
  }
}
