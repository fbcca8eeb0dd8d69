import { Database } from "bun:sqlite";
import { preview } from "../../../core/kernel/text.ts";
import { needsExtension } from "../vectors/code-tables.ts";
import { migrations } from "./all.ts";
import { migrate, userVersion } from "./migrate.ts";

/** A line of the table that names all others: a table, index, trigger or view, and the statement that made it. */
interface Part {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** More lines, and longer ones, than any Cairn made. */
const PARTS_MAX = 1_000;
const SQL_MAX = 100_000;
/** How many bits codes may have: those of a model with a dimension, and far more than any. */
const BITS_MAX = 100_000;

/**
 * What stands in a data file and in none that the steps of its shape make: tables, indexes, triggers, views, with all that
 * their statements say of columns and checks, named as people read them. Runs nothing of the file's own. `extension` gives
 * the path of sqlite-vec, for a file that uses it. Throws AppError UNAVAILABLE where that cannot be loaded.
 */
export function foreignParts(db: Database, extension: () => string | null): string[] {
  const found = partsOf(db);
  const id = db.query<{ application_id: number }, []>("pragma application_id").get()?.application_id ?? 0;
  const made = new Map(madeParts(db, found, extension).map((part) => [keyOf(part), part]));
  const foreign = found.filter((part) => !isSame(part, made.get(keyOf(part))) && !isStatistics(part));
  const known = new Set(found.map(keyOf));
  const missing = [...made.keys()].filter((key) => !known.has(key)).map((key) => `no ${key}`);
  return [...(id === 0 ? [] : [`application_id ${id}`]), ...foreign.map(keyOf), ...missing];
}

/** What `analyze` makes, of whatever program: numbers for the planner, and no code. */
const STATISTICS: Readonly<Record<string, string>> = {
  sqlite_stat1: "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
  sqlite_stat4: "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
};
const isStatistics = ({ type, name, sql }: Part): boolean =>
  type === "table" && sql !== null && STATISTICS[name] === sql;

/** How many foreign things are named, and with how many letters. */
const NAMED_MAX = 5;
const NAME_MAX = 100;

/** What is wrong with a file that has them. */
export function sayForeign(file: string, foreign: readonly string[]): string {
  const named = foreign.slice(0, NAMED_MAX).map((name) => preview(name, NAME_MAX));
  const rest = foreign.length > NAMED_MAX ? ` and ${foreign.length - NAMED_MAX} more` : "";
  return `${file} differs from what a Cairn of its shape makes, by ${named.join(", ")}${rest}: such things act on whatever is written later.`;
}

const partsOf = (db: Database): Part[] =>
  db
    .query<Part, []>(
      `select type, name, tbl_name, substr(sql, 1, ${SQL_MAX}) as sql from sqlite_schema limit ${PARTS_MAX}`,
    )
    .all();

const keyOf = ({ type, name, tbl_name }: Part): string =>
  name === tbl_name ? `${type} ${name}` : `${type} ${name} on ${tbl_name}`;

const isSame = (part: Part, made: Part | undefined): boolean => made !== undefined && made.sql === part.sql;

/** The same of an empty file of that shape. */
function madeParts(db: Database, found: readonly Part[], extension: () => string | null): Part[] {
  const codes = found.find(({ name }) => name === "document_codes")?.sql ?? "";
  const usesExtension = codes.includes("using vec0");
  const fresh = new Database(":memory:");
  try {
    if (usesExtension) {
      const path = extension();
      if (path === null) throw needsExtension();
      fresh.loadExtension(path);
    }
    const steps = migrations({ dimensions: bitsIn(codes) }, undefined, usesExtension ? "sqlite-vec" : "plain");
    migrate(fresh, steps.slice(0, userVersion(db)));
    return partsOf(fresh);
  } finally {
    fresh.close();
  }
}

/** How long the codes of documents are, as their table says. */
function bitsIn(sql: string): number {
  const [, bits, bytes] = /bit\[(\d{1,6})\]|length\(code\) = (\d{1,6})/.exec(sql) ?? [];
  const found = bits === undefined ? 8 * Number(bytes ?? 1) : Number(bits);
  return Math.min(Math.max(8, found - (found % 8)), BITS_MAX);
}
