import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { sha256 } from "../../../core/kernel/hash.ts";
import type { Columns, ColumnType, Item, SqlDialect } from "../../units/dialect.ts";
import { row, rows, run } from "../../units/unit.ts";
import { intArray, jsonValue, recordsValue, sentVector, textArray, vectorValue } from "../engine/values.ts";
import { happenedAt } from "../migrations/happened.ts";

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: "text",
  int: "bigint",
  real: "double precision",
  boolean: "boolean",
  texts: "json",
  json: "json",
};

/** An entry of an index has room for a name of so many characters; longer ones are indexed by hash. */
const NAME_MAX = 200;

const isOf = (table: string, tenant_id: SQL | string): SQL => sql`${sql.raw(`${table}.tenant_id`)} = ${tenant_id}`;

/** What Postgres says in its own way. */
export const postgresDialect: SqlDialect = {
  tellsTenants: true,
  tenant: isOf,
  belongs: isOf,
  tenantColumn: sql.raw("tenant_id, "),
  tenantValue: (tenant_id) => sql`${tenant_id}, `,
  key: (...columns) => sql.raw(`(tenant_id, ${columns.join(", ")})`),
  isIn: (column, values) => (values.length === 0 ? sql.raw("false") : sql`${column} = any(${listOf(values)})`),
  placeIn: (column, texts) => sql`array_position(${textArray(texts)}, ${column})`,
  records: (given, as, columns) => recordset(given, as, columns),
  each: function* <T extends object>(given: readonly object[], columns: Columns, statement: (item: Item) => SQL) {
    if (given.length === 0) return [];
    const placed = given.map((record, place) => ({ ...record, place }));
    // The numbers keep the order that the statement has for each of them.
    return yield* rows<T & { readonly place: number }>(sql`
      select found.*, item.place from ${recordset(placed, "item", { ...columns, place: "int" })}
      cross join lateral (select one.*, row_number() over () as nth from (${statement(ITEM)}) one) found
      order by item.place, found.nth`);
  },
  insert: function* (table, given, columns) {
    const names = Object.keys(columns).join(", ");
    if (given.length > 0)
      yield* run(
        sql`insert into ${sql.raw(`${table} (${names}) select ${names}`)} from ${recordset(given, "g", columns)}`,
      );
  },
  nested: sql.raw("join"),
  indexed: () => sql.raw(""),
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  json: jsonValue,
  truth: (value) => sql`${value}`,
  asJson: (text) => sql`${text}::json`,
  happenedAt: sql.raw(happenedAt("memories.")),
  elements: (column, as) => sql`json_array_elements(${column}) ${sql.raw(as)}`,
  texts: (column, as) => sql`json_array_elements_text(${column}) ${sql.raw(`${as} (value)`)}`,
  listOf: (value) => sql`json_agg(${value} order by ${value})`,
  member: (json, name) => sql`(${json} ->> ${name}::text) collate "C"`,
  without: (json, names) => sql`(select coalesce(json_object_agg(kept.key, kept.value), '{}'::json)
    from json_each(${json}) kept where kept.key <> all(${textArray(names)}))`,
  indexedName: (name) => (name.length <= NAME_MAX ? name : sha256(name)),
  vector: vectorValue,
  isSilent: (vector) => sql`vector_norm(${vector}) = 0`,
  sent: sentVector,
  bytesOf: (column) => sql`octet_length(${column}::text)`,
  entriesOf: (table) => ({ table, key: "seq", column: "seq" }),
  newNumbers: function* (table, count) {
    const found = yield* rows<{ seq: number }>(
      sql`select nextval(pg_get_serial_sequence(${table}, 'seq')) as seq from generate_series(1, ${count}::int)`,
    );
    return found.map(({ seq }) => seq).sort((a, b) => a - b);
  },
  // Counted where the tenant's memories are.
  entryNumber: function* (tenant_id, count) {
    const counted = yield* row<{ last: number }>(sql`
      insert into tenant_usage (tenant_id, memories_stored, audit_entries) values (${tenant_id}, 0, ${count})
      on conflict (tenant_id) do update set audit_entries = tenant_usage.audit_entries + excluded.audit_entries
      returning audit_entries as last`);
    return (counted?.last ?? count) - count + 1;
  },
  hasOthers: true,
  shown: (ids) => sql`, shown_ids = ${textArray(ids)}`,
  showsAny: (ids) => sql`shown_ids && ${textArray(ids)}`,
  unlessLocked: sql.raw("for update skip locked"),
};

const ITEM: Item = {
  of: (column) => sql.raw(`item.${column}`),
  isAmong: (column, texts) => sql`${column} = any(array(select json_array_elements_text(${sql.raw(`item.${texts}`)})))`,
};

const recordset = (given: readonly object[], as: string, columns: Columns): SQL => {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${TYPES[type]}`);
  return sql`json_to_recordset(${recordsValue(given)}) as ${sql.raw(`${as} (${typed.join(", ")})`)}`;
};

const isNumbers = (values: readonly (string | number)[]): values is readonly number[] => typeof values[0] === "number";

function listOf(values: readonly string[] | readonly number[]): SQL {
  // Safe: a list holds values of one kind.
  return isNumbers(values) ? intArray(values) : textArray(values as readonly string[]);
}
