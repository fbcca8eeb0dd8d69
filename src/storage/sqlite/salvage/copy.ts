import type { Database } from "bun:sqlite";
import type { LostRows } from "../../../core/schema/integrity.ts";
import { isVirtual } from "../integrity/pages.ts";
import type { LostRow, Row } from "./read-rows.ts";
import { readFromEnds, readRows } from "./read-rows.ts";

/** What is rebuilt from rows, by the database itself or by a rebuild. */
const MADE_ANEW: readonly string[] = ["tenant_usage", "audience_rows", "entity_audiences", "waiting_links"];
/** Lost rows whose ids are told. */
const IDS_TOLD = 100;

/** Copies what can be read of every table of a damaged file into an empty one of the same shape; tells what cannot. */
export function copyTables(from: Database, to: Database): LostRows[] {
  const tables = to
    .query<{ name: string; wr: number }, []>(
      "select name, wr from pragma_table_list where schema = 'main' and type = 'table'",
    )
    .all()
    .filter(({ name }) => !name.startsWith("sqlite_") && !isVirtual(name) && !MADE_ANEW.includes(name));
  return tables.flatMap(({ name, wr }) => {
    to.exec(`delete from ${name}`);
    const lost = wr === 1 ? copyFromEnds(from, to, name) : copyRows(from, to, name);
    return lost ? [lost] : [];
  });
}

function copyRows(from: Database, to: Database, table: string): LostRows | null {
  const put = inserter(to, table);
  const refused: LostRow[] = [];
  const lost = readRows(from, table, (rows) => {
    for (const row of rows)
      if (!put(row)) refused.push({ number: numberOf(row), id: typeof row.id === "string" ? row.id : null });
  });
  const all = [...lost, ...refused];
  const ids = all.flatMap(({ id }) => (id === null ? [] : [id]));
  return all.length === 0 ? null : { table, rows: all.length, ids: ids.slice(0, IDS_TOLD) };
}

/** How many rows such a table had, nobody can tell; what it holds is read from the memories again. */
function copyFromEnds(from: Database, to: Database, table: string): LostRows | null {
  const put = inserter(to, table);
  return readFromEnds(from, table, put) ? null : { table, rows: null, ids: [] };
}

const numberOf = ({ seq, id }: Row): number => (typeof seq === "number" ? seq : Number(id));

/**
 * Puts a row as it was. False for one that damage made a row of no use: of wrong types, without what every row has, of a
 * name that another has, or no JSON where that must be.
 */
function inserter(to: Database, table: string): (row: Row) => boolean {
  const columns = to.query<{ name: string }, []>(`select name from pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => name);
  const insert = to.query(
    `insert or ignore into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
  );
  return (row) => {
    const isLegible = names.every((name) => !JSON_COLUMNS.has(`${table}.${name}`) || isJson(row[name]));
    if (!isLegible) return false;
    try {
      // What is ignored breaks a rule of the table just as well.
      return insert.run(...names.map((name) => row[name] ?? null)).changes > 0;
    } catch (error) {
      if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CONSTRAINT")) return false;
      throw error;
    }
  };
}

const JSON_COLUMNS = new Set([
  "memories.metadata",
  "memories.system_metadata",
  "memories.entity_links",
  "documents.data",
  "jobs.payload",
  "audit_log.before",
  "audit_log.after",
  "entity_entries.attributes",
  "org_settings.tree",
  "project_registries.tree",
  "forge_runs.clusters",
]);

function isJson(value: Row[string] | undefined): boolean {
  if (typeof value !== "string") return value == null;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
