import type { Database } from "bun:sqlite";
import type { Damaged } from "../../../core/schema/integrity.ts";
import { isDamage } from "../engine/faults.ts";

/** Tables that are made from others, and what is only kept for a while: losing them loses nothing. */
const DERIVED = new Set([
  "memory_words",
  "memory_vectors",
  "memory_codes",
  "b_memory_vectors",
  "b_memory_codes",
  "memory_claims",
  "memory_entities",
  "entity_audiences",
  "document_words",
  "document_members",
  "document_vectors",
  "document_codes",
  // Nothing reads it any more.
  "document_paraphrases",
  "b_document_vectors",
  "b_document_codes",
  "tenant_usage",
  "audience_rows",
  "waiting_links",
  "kept_replies",
]);

/** The virtual tables; what their modules keep lies in tables that are named after them. */
const VIRTUAL = [
  "memory_words",
  "memory_codes",
  "b_memory_codes",
  "document_words",
  "document_codes",
  "b_document_codes",
] as const;

/** The table that a table belongs to: the virtual one for those of its module, else itself. */
const ownerOf = (table: string): string => VIRTUAL.find((name) => table.startsWith(`${name}_`)) ?? table;

/** Whether a table is a virtual one, or belongs to one. */
export const isVirtual = (table: string): boolean => VIRTUAL.some((name) => name === ownerOf(table));

/** Whether a table can be rebuilt from others. */
const isDerived = (table: string): boolean => DERIVED.has(ownerOf(table));

interface Entry {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly rootpage: number | null;
}

/** All tables whose pages a check reads. sqlite-vec has nothing to say of itself, so only its tables are read. */
export function pagedTables(db: Database): string[] {
  const tables = db
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' and sql not like '%using vec0%'")
    .all();
  return ["sqlite_schema", ...tables.map(({ name }) => name)];
}

/** What of a table and its indexes cannot be read, or disagrees: nothing when its pages are sound. */
export function damageOf(db: Database, table: string): Damaged[] {
  const lines = pageFaults(db, table);
  if (lines.length === 0) return [];
  const entries = db
    .query<Entry, [string]>("select type, name, tbl_name, rootpage from sqlite_schema where tbl_name = ?")
    .all(table);
  const indexes = entries.filter(({ type }) => type === "index");
  const blamed = indexes.filter((index) => lines.some((line) => blames(line, index)) || !isReadable(db, table, index));
  const isTableBlamed =
    blamed.length === 0 ||
    !isReadable(db, table, null) ||
    lines.some((line) => entries.some((entry) => entry.type === "table" && blames(line, entry)));
  const detail = lines[0] ?? "";
  return [
    ...(isTableBlamed ? [damaged(table, null, detail)] : []),
    ...blamed.map(({ name }) => damaged(table, name, detail)),
  ];
}

const damaged = (table: string, index: string | null, detail: string): Damaged => ({
  table: ownerOf(table),
  index: ownerOf(table) === table ? index : null,
  derived: isDerived(table),
  detail,
});

/** SQLite's own account of the pages; FTS5 looks into its index as well. */
function pageFaults(db: Database, table: string): string[] {
  try {
    return db
      .query<{ integrity_check: string }, []>(`pragma integrity_check('${table}')`)
      .all()
      .map((row) => row.integrity_check)
      .filter((line) => line !== "ok");
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** SQLite names an index by its name, or any tree by its first page. */
const blames = (line: string, { name, rootpage }: Entry): boolean =>
  new RegExp(`\\b(?:index ${name}|Tree ${rootpage})\\b`).test(line);

/** Reads every page of one tree. */
function isReadable(db: Database, table: string, index: Entry | null): boolean {
  const by = index === null ? "not indexed" : `indexed by "${index.name}"`;
  try {
    // Not count(*), for which SQLite takes whichever tree is smallest. A partial index it refuses to take for all rows.
    db.query(`select total(rowid) from "${table}" ${by}`).get();
    return true;
  } catch (error) {
    return !isDamage(error);
  }
}
