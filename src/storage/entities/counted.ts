import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type { CountedEntity } from "../../core/ports/entity-store.ts";
import type { MemoryKey } from "../../core/ports/stored-memory.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { jsonIn, sizeOf } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { EntryRow } from "./entries.ts";
import type { Reader } from "./seen-by.ts";
import { entered, isAmong, isSeen, nameSeen, OF_ENTITY, typeSeen } from "./seen-by.ts";

/** An entity with what its page counts: rows that name it, and since when. */
export interface CountedRow extends Omit<CountedEntity, "attributes" | "created_at" | "updated_at"> {
  readonly seq: number;
  readonly named_at: string;
  readonly since: string | null;
  /** What was entered by hand, where the reader sees that. */
  readonly attributes: EntryRow["attributes"];
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** The same before what was entered is read: by which entry, and how large it is. */
export interface SizedRow extends Omit<CountedRow, "attributes"> {
  readonly entry_seq: number | null;
  readonly size: number;
}

/** What a reader is told of an entity, bar counts and what was entered of it. */
export const named = (reader: Reader): SQL => sql`e.seq, e.id, e.tenant_id, ${typeSeen(reader)} as entity_type,
  ${nameSeen(reader)} as canonical_name, e.created_at as named_at, t.fleet_id, t.created_at, t.updated_at`;

/** The entry that the reader is told. */
export const entry = (reader: Reader): SQL =>
  sql`left join entity_entries t on ${reader.dialect.tenant("t", OF_ENTITY)} and t.seq = ${entered("seq", reader)}`;

/** Bytes of an entity on a page. */
export const entrySize = (dialect: SqlDialect): SQL => sizeOf(dialect, "t", ["attributes"]);

/** Of how many rows of the reader an entity `e` is the subject, and since when. */
const ofReader = (what: "sum(a.links)" | "min(a.since)", reader: Reader): SQL => sql`(
  select ${sql.raw(what)} from entity_audiences a
  where ${reader.dialect.tenant("a", OF_ENTITY)} and a.entity_seq = e.seq and ${isAmong("a", reader)})`;

/** How many rows of the reader name an entity `e`, and since when. */
export const counts = (reader: Reader): SQL => sql`
  coalesce(cast(${ofReader("sum(a.links)", reader)} as bigint), 0) as memory_count,
  ${ofReader("min(a.since)", reader)} as since`;

/** Reads the attributes in the entries of some rows of a tenant; they are looked up by the entry. */
export function* attributesIn(
  dialect: SqlDialect,
  tenant_id: string,
  found: readonly Pick<SizedRow, "entry_seq">[],
): Unit<(entry_seq: number | null) => EntryRow["attributes"]> {
  const seqs = found.flatMap(({ entry_seq }) => entry_seq ?? []);
  const entries =
    seqs.length === 0
      ? []
      : yield* rows<Pick<EntryRow, "seq" | "attributes">>(sql`select h.seq, h.attributes from entity_entries h
          where ${dialect.tenant("h", tenant_id)} and ${dialect.isIn(sql`h.seq`, seqs)}`);
  const known = new Map(entries.map(({ seq, attributes }) => [seq, jsonIn<EntryRow["attributes"]>(attributes)]));
  return (entry_seq) => (entry_seq === null ? null : known.get(entry_seq)) ?? null;
}

/** A reader learns no earlier time than that of the rows it sees, and nothing that was entered for another fleet. */
export function toCounted({ seq: _seq, since, named_at, ...counted }: CountedRow): CountedEntity {
  const created_at = counted.created_at ?? since ?? named_at;
  return { ...counted, created_at, updated_at: counted.updated_at ?? created_at };
}

/** An entity of this id, unless the reader does not see it. */
export const seenEntity = (reader: Reader, { tenant_id, id }: MemoryKey): Unit<EntityRow | null> =>
  row<EntityRow>(
    sql`select e.* from entities e where e.tenant_id = ${tenant_id} and e.id = ${id} and ${isSeen(reader)}`,
  );

/** Entities of a tenant, and the bytes that their attributes may take. */
export interface Wanted {
  readonly tenant_id: string;
  readonly seqs: readonly number[];
  readonly bytes: number;
}

/** Entities by number, with their counts; attributes are read while they fit into so many bytes, in the order of the numbers. */
export function* countedEntities(reader: Reader, { tenant_id, seqs, bytes }: Wanted): Unit<Map<number, CountedEntity>> {
  const { dialect } = reader;
  const found = yield* rows<SizedRow>(sql`
    select ${named(reader)}, t.seq as entry_seq, ${entrySize(dialect)} as size, ${counts(reader)}
    from ${dialect.records(
      seqs.map((seq, place) => ({ seq, place })),
      "n",
      { seq: "int", place: "int" },
    )}
    ${dialect.nested} entities e on e.tenant_id = ${tenant_id} and e.seq = n.seq ${entry(reader)}
    where ${isSeen(reader)} order by n.place`);
  const fits = thatFit(found, bytes);
  const shown = found.map((one) => ({ ...one, entry_seq: fits.has(one) ? one.entry_seq : null }));
  const known = yield* attributesIn(dialect, tenant_id, shown);
  return new Map(
    shown.map(({ entry_seq, size: _size, ...one }) => [one.seq, toCounted({ ...one, attributes: known(entry_seq) })]),
  );
}

/** Those of some rows, in their order, that fit into so many bytes. */
export function thatFit<T extends { readonly size: number }>(found: readonly T[], bytes: number): Set<T> {
  let room = bytes;
  return new Set(
    found.filter(({ size }) => {
      if (size > room) return false;
      room -= size;
      return true;
    }),
  );
}
