import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Columns, ColumnType, Item, SqlDialect } from "../../units/dialect.ts";
import { row, rows, run } from "../../units/unit.ts";
import { happenedAt } from "../migrations/after-0.1.0/happened.ts";
import { vectorBlob } from "../vectors/blob.ts";

const NONE = sql.raw("");
const TRUE = sql.raw("true");
const FALSE = sql.raw("false");

/** What SQLite says in its own way. Lists and records are bound as JSON. */
export const sqliteDialect: SqlDialect = {
  tellsTenants: false,
  tenant: () => TRUE,
  // With a sign before it, no index of the tenant is taken for the way there.
  belongs: (table, tenant_id) => sql`${sql.raw(`+${table}.tenant_id`)} = ${tenant_id}`,
  tenantColumn: NONE,
  tenantValue: () => NONE,
  key: (...columns) => sql.raw(`(${columns.join(", ")})`),
  isIn: (column, values) =>
    values.length === 0 ? FALSE : sql`${column} in (select value from json_each(${JSON.stringify(values)}))`,
  placeIn: (column, texts) => sql`(select min(key) from json_each(${JSON.stringify(texts)}) where value = ${column})`,
  records: (given, as, columns) =>
    sql`(select ${fields(columns)} from json_each(${JSON.stringify(given)})) ${sql.raw(as)}`,
  each: function* <T extends object>(given: readonly object[], columns: Columns, statement: (item: Item) => SQL) {
    const query = statement(BOUND);
    const found: (T & { readonly place: number })[] = [];
    for (const [place, record] of given.entries()) {
      for (const one of yield* rows<T>(query, boundOf(record, columns))) found.push({ ...one, place });
    }
    return found;
  },
  insert: function* (table, given, columns) {
    const query = insertion(table, columns);
    for (const record of given) yield* run(query, boundOf(record, columns));
  },
  nested: sql.raw("cross join"),
  indexed: (index) => sql.raw(`indexed by ${index}`),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  json: (value) => sql`${value === null ? null : JSON.stringify(value)}`,
  truth: (value) => sql`${Number(value)}`,
  asJson: (text) => text,
  // Keys are compared, never parsed as paths.
  member: (json, name) => sql`(select case member.type when 'true' then 'true' when 'false' then 'false'
    else cast(member.value as text) end from json_each(${json}) member where member.key = ${name})`,
  happenedAt: sql.raw(happenedAt("memories.")),
  elements: (column, as) => sql`json_each(${column}) ${sql.raw(as)}`,
  texts: (column, as) => sql`json_each(${column}) ${sql.raw(as)}`,
  listOf: (value) => sql`json_group_array(${value} order by ${value})`,
  without: (json, names) =>
    sql`json_remove(${json}, ${sql.join(
      names.map((name) => sql`${`$."${name}"`}`),
      sql`, `,
    )})`,
  indexedName: (name) => name,
  vector: (values) => sql`${vectorBlob(values)}`,
  isSilent: (vector) => sql`${vector} = zeroblob(length(${vector}))`,
  sent: (vector) => vector,
  bytesOf: (column) => sql`octet_length(${column})`,
  // Of virtual tables, what their modules keep lists the numbers.
  entriesOf: (index) => {
    if (index.endsWith("_words")) return { table: `${index}_docsize`, key: "id", column: "rowid" };
    if (index.endsWith("_codes")) return { table: `${index}_rowids`, key: "rowid", column: "seq" };
    return { table: index, key: "seq", column: "seq" };
  },
  newNumbers: function* (table, count) {
    const [last] = yield* rows<{ seq: number }>(sql.raw(`select coalesce(max(seq), 0) as seq from ${table}`));
    return Array.from({ length: count }, (_, i) => (last?.seq ?? 0) + i + 1);
  },
  entryNumber: function* (tenant_id) {
    const last = yield* row<{ number: number | null }>(
      sql`select max(number) as number from audit_log where tenant_id = ${tenant_id}`,
    );
    return (last?.number ?? 0) + 1;
  },
  hasOthers: false,
  shown: () => NONE,
  showsAny: (ids) =>
    sql`rowid in (${sql.join(
      ["$.id", "$.newer.id", "$.older.id"].map((at) => shownAt(at, ids)),
      sql` union all `,
    )})`,
  unlessLocked: NONE,
};

/** Each place of a reply where it may show a row is looked up by itself. */
const shownAt = (at: string, ids: readonly string[]): SQL => sql`select rowid from kept_replies
  where body is not null and ${sqliteDialect.isIn(sql.raw(`case when json_valid(body) then body ->> '${at}' end`), ids)}`;

const BOUND: Item = {
  of: (column) => sql`${sql.placeholder(column)}`,
  isAmong: (column, texts) => sql`${column} in (select value from json_each(${sql.placeholder(texts)}))`,
};

const boundOf = (record: object, columns: Columns): Record<string, unknown> => {
  // Safe: only the columns' names are read of it.
  const given = record as Readonly<Record<string, unknown>>;
  const bound: Record<string, unknown> = {};
  for (const name in columns) bound[name] = boundAs(columns[name], given[name]);
  return bound;
};

function boundAs(type: ColumnType | undefined, value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  return value != null && (type === "texts" || type === "json") ? JSON.stringify(value) : value;
}

/** Written once for all records of one kind: to bind them as JSON would take several times as long. */
const insertions = new WeakMap<Columns, Map<string, SQL>>();

function insertion(table: string, columns: Columns): SQL {
  const ofTables = insertions.get(columns) ?? new Map<string, SQL>();
  insertions.set(columns, ofTables);
  const known = ofTables.get(table) ?? insertionOf(table, Object.keys(columns));
  ofTables.set(table, known);
  return known;
}

const insertionOf = (table: string, names: readonly string[]): SQL =>
  sql`insert into ${sql.raw(`${table} (${names.join(", ")})`)} values (${sql.join(
    names.map((name) => sql`${sql.placeholder(name)}`),
    sql`, `,
  )})`;

const fields = (columns: Columns): SQL =>
  sql.raw(
    Object.keys(columns)
      .map((name) => `value ->> '$.${name}' as ${name}`)
      .join(", "),
  );
