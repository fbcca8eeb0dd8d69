import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { CountedEntity } from "../../../core/ports/entity-store.ts";
import type { MemoryKey } from "../../../core/ports/stored-memory.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import { sizeText } from "../engine/page-size.ts";
import { intArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { EntryRow } from "./entries.ts";
import type { Reader } from "./seen-by.ts";
import { entered, isAmong, isSeen, nameSeen, typeSeen } from "./seen-by.ts";

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
  sql`left join entity_entries t on t.tenant_id = e.tenant_id and t.seq = ${entered("seq", reader)}`;

/** Bytes of an entity on a page. */
export const ENTRY_SIZE = sizeText("t", ["attributes"]);

/** Reads the attributes in the entries of some rows of a tenant; they are looked up by the entry. */
export async function attributesIn(work: Work, tenant_id: string, rows: readonly Pick<SizedRow, "entry_seq">[]) {
  const seqs = rows.flatMap(({ entry_seq }) => entry_seq ?? []);
  const entries =
    seqs.length === 0
      ? []
      : await work.rows<Pick<EntryRow, "seq" | "attributes">>(sql`select seq, attributes from entity_entries
          where tenant_id = ${tenant_id} and seq = any(${intArray(seqs)})`);
  const known = new Map(entries.map(({ seq, attributes }) => [seq, attributes]));
  return (entry_seq: number | null): EntryRow["attributes"] =>
    (entry_seq === null ? null : known.get(entry_seq)) ?? null;
}

/** A reader learns no earlier time than that of the rows it sees, and nothing that was entered for another fleet. */
export function toCounted({ seq: _seq, since, named_at, ...row }: CountedRow): CountedEntity {
  const created_at = row.created_at ?? since ?? named_at;
  return { ...row, created_at, updated_at: row.updated_at ?? created_at };
}

/** An entity of this id, unless the reader does not see it. */
export const seenEntity = (work: Work, reader: Reader, { tenant_id, id }: MemoryKey): Promise<EntityRow | null> =>
  work.row<EntityRow>(
    sql`select e.* from entities e where e.tenant_id = ${tenant_id} and e.id = ${id} and ${isSeen(reader)}`,
  );

/** How many rows of the reader name an entity `e`, as `n`, and since when. */
export const counts = ({ audiences }: Reader): SQL => sql`cross join lateral (
  select coalesce(sum(a.links), 0)::bigint as n, min(a.since) as since from entity_audiences a
  where a.tenant_id = e.tenant_id and a.entity_seq = e.seq and ${isAmong("a", audiences)}) c`;

/** Entities of a tenant, and the bytes that their attributes may take. */
export interface Wanted {
  readonly tenant_id: string;
  readonly seqs: readonly number[];
  readonly bytes: number;
}

/** Entities by number, with their counts; attributes are read while they fit into so many bytes, in the order of the numbers. */
export async function countedEntities(
  work: Work,
  reader: Reader,
  { tenant_id, seqs, bytes }: Wanted,
): Promise<Map<number, CountedEntity>> {
  const rows = await work.rows<SizedRow>(sql`
    select ${named(reader)}, t.seq as entry_seq, ${ENTRY_SIZE} as size, c.n as memory_count, c.since
    from unnest(${intArray(seqs)}) with ordinality as n (seq, place)
    join entities e on e.tenant_id = ${tenant_id} and e.seq = n.seq
    ${counts(reader)} ${entry(reader)}
    where ${isSeen(reader)} order by n.place`);
  let room = bytes;
  const shown = rows.map(({ size, entry_seq, ...row }) => {
    const fits = size <= room;
    if (fits) room -= size;
    return { ...row, entry_seq: fits ? entry_seq : null };
  });
  const known = await attributesIn(work, tenant_id, shown);
  return new Map(shown.map(({ entry_seq, ...row }) => [row.seq, toCounted({ ...row, attributes: known(entry_seq) })]));
}
