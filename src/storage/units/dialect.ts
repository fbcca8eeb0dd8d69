import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { ROW_BYTES } from "./page.ts";
import type { Unit } from "./unit.ts";

export type ColumnType = "text" | "int" | "real" | "boolean" | "texts" | "json";
/** Columns of records, by name. */
export type Columns = Readonly<Record<string, ColumnType>>;

/**
 * What the engines' SQL says differently. Tables that one engine keeps a tenant's part of by itself and the other reaches by
 * numbers alone, such as `memory_entities`, are called shared here: SQLite has no column of the tenant in them.
 */
export interface SqlDialect {
  /** Whether shared tables tell tenants apart. */
  readonly tellsTenants: boolean;
  /** Holds for rows `table` of a shared table that are of this tenant. */
  tenant(table: string, tenant_id: SQL | string): SQL;
  /**
   * The same for rows of other tables that are found by a number, an id or a name of their own: where nothing of the tenant's
   * is to be walked through. Never beside a column that is counted within a tenant: an index that begins with it is not used.
   */
  belongs(table: string, tenant_id: SQL | string): SQL;
  /** The first column of what is inserted into a shared table, with a comma behind it, and its value. */
  readonly tenantColumn: SQL;
  tenantValue(tenant_id: string): SQL;
  /** The columns that tell a row of a shared table from others of its tenant. */
  key(...columns: readonly string[]): SQL;
  /** Holds where a column has one of these values. */
  isIn(column: SQL, values: readonly string[] | readonly number[]): SQL;
  /** The place of a column's value among texts, from the first on; null where it is none of them. */
  placeIn(column: SQL, texts: readonly string[]): SQL;
  /** Records as rows of a table `as`. */
  records(given: readonly object[], as: string, columns: Columns): SQL;
  /**
   * The rows of a statement for each of some records, whose columns it names by `of`: by record, in the statement's own order.
   * `place` is the record's.
   */
  each<T extends object>(
    given: readonly object[],
    columns: Columns,
    statement: (item: Item) => SQL,
  ): Unit<(T & { readonly place: number })[]>;
  /** Stores records as rows of a table, in their order. */
  insert(table: string, given: readonly object[], columns: Columns): Unit<void>;
  /** A join whose right side is looked up for each row of the left one, in this order. */
  readonly nested: SQL;
  /** Behind a table's name: its rows are found by this index. */
  indexed(index: string): SQL;
  /** Holds where a text has a part. */
  contains(text: SQL, part: string): SQL;
  /** JSON as a column keeps it; null is no JSON. */
  json(value: object | null): SQL;
  /** A truth value as a column keeps it. */
  truth(value: boolean): SQL;
  /** The JSON that a text is. */
  asJson(text: SQL): SQL;
  /** When a memory happened, as an index has it. */
  readonly happenedAt: SQL;
  /** The elements of a JSON list as rows `as`, each with a column `value`. */
  elements(column: SQL, as: string): SQL;
  /** The same of texts. */
  texts(column: SQL, as: string): SQL;
  /** The values of a group as a JSON list, in their order. */
  listOf(value: SQL): SQL;
  /** The text that a JSON object has under a name, in the order of texts. */
  member(json: SQL, name: string): SQL;
  /** A JSON object without some of its members, whose names are constants. */
  without(json: SQL, names: readonly string[]): SQL;
  /** A text that names something, as an index has room for it. */
  indexedName(name: string): string;
  /** A vector as a column keeps it. */
  vector(values: Float32Array): SQL;
  /** Holds where a column has a silent vector. */
  isSilent(vector: SQL): SQL;
  /** What `vectorIn` reads of a column of vectors. */
  sent(vector: SQL): SQL;
  /** Bytes of a text or of JSON. */
  bytesOf(column: SQL): SQL;
  /** Where the entries of an index of rows are listed by number, and the column of the index that has it. */
  entriesOf(index: string): Entries;
  /** Numbers for new rows of a table, smallest first. */
  newNumbers(table: string, count: number): Unit<number[]>;
  /** The number of the first of some new entries of a tenant's audit log: its own, and no number comes back. */
  entryNumber(tenant_id: string, count: number): Unit<number>;
  /** Whether other processes may use the tables as well: rows then tell who has them in hand, and until when. */
  readonly hasOthers: boolean;
  /** What is set beside a kept reply, with a comma before it, so that the rows that it shows are looked up. */
  shown(ids: readonly string[]): SQL;
  /** Holds for kept replies that show any of these rows. */
  showsAny(ids: readonly string[]): SQL;
  /** Behind a selection of rows that are about to be changed: passes over those that another transaction changes. */
  readonly unlessLocked: SQL;
}

/** A table that lists numbers under `key`, and the `column` of the index where each of them is. */
export interface Entries {
  readonly table: string;
  readonly key: string;
  readonly column: string;
}

/** A record within a statement. */
export interface Item {
  of(column: string): SQL;
  /** Holds where `column` has one of the texts that the record has under a name. */
  isAmong(column: SQL, texts: string): SQL;
}

/** The bytes that a row takes in a reply, by its large columns. */
export const sizeOf = ({ bytesOf }: SqlDialect, table: string, columns: readonly string[]): SQL =>
  sql`(${int(ROW_BYTES)} + ${sql.join(
    columns.map((column) => sql`coalesce(${bytesOf(sql.raw(`${table}.${column}`))}, 0)`),
    sql` + `,
  )})`;

/** A whole number that a statement is written with. */
export const int = (value: number): SQL => sql.raw(String(Math.trunc(value)));

/** Holds where a column names this fleet; null stands for none. */
export const ofFleet = (column: SQL, fleet_id: string | null): SQL =>
  fleet_id === null ? sql`${column} is null` : sql`${column} = ${fleet_id}`;

/** What a JSON column holds: one engine gives its text, the other what it says. */
export const jsonIn = <T>(stored: unknown): T =>
  // Safe: the column was written from such a value, which is no text itself.
  (typeof stored === "string" ? JSON.parse(stored) : (stored ?? null)) as T;
