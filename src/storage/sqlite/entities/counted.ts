import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { CountedEntity } from "../../../core/ports/entity-store.ts";
import type { MemoryKey } from "../../../core/ports/stored-memory.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import type { Connections } from "../engine/connection.ts";
import { sizeText } from "../engine/page-size.ts";
import { attributesOf } from "./entries.ts";
import type { Reader } from "./seen-by.ts";
import { entered, IS_SEEN, NAME_SEEN, seenBy, TYPE_SEEN } from "./seen-by.ts";

/** An entity with what its page counts: rows that name it, and since when. */
export interface CountedRow extends Omit<CountedEntity, "attributes" | "created_at" | "updated_at"> {
  readonly seq: number;
  readonly named_at: string;
  readonly since: string | null;
  /** What was entered by hand, where the reader sees that. */
  readonly attributes: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** The same before what was entered is read: by which entry, and how large it is. */
export interface SizedRow extends Omit<CountedRow, "attributes"> {
  readonly entry_seq: number | null;
  readonly size: number;
}

/** How often each of some entities of the tenant is named by rows of the reader, and since when. */
export const countsOf = (which: string): string => `select a.entity_seq, sum(a.links) as n, min(a.since) as since
  from entities own cross join entity_audiences a on a.entity_seq = own.seq
  where own.tenant_id = ?3 and ${which} and a.audience in (select value from json_each(?2)) group by a.entity_seq`;
/** The same among rows of one fleet. */
export const FLEET_COUNTS = `select l.entity_seq, count(*) as n, min(m.created_at) as since
  from memories m join memory_entities l on l.memory_seq = m.seq
  where m.tenant_id = ?3 and m.fleet_id = ?4 and l.audience in (select value from json_each(?2)) group by l.entity_seq`;

/** What a reader is told of an entity, bar counts and what was entered of it. */
export const NAMED = `e.seq, e.id, e.tenant_id, ${TYPE_SEEN} as entity_type, ${NAME_SEEN} as canonical_name,
  e.created_at as named_at, t.fleet_id, t.created_at, t.updated_at`;
/** The same with the attributes. */
export const TOLD = `${NAMED}, t.attributes`;
/** The entry that the reader is told. */
export const ENTRY = `left join entity_entries t on t.seq = ${entered("seq")}`;

/** Reads the attributes in the entries of some rows; they are looked up by the entry. */
export function attributesIn(db: Connections, rows: readonly Pick<SizedRow, "entry_seq">[]) {
  const entries = db.readConnection
    .query<{ seq: number; attributes: string | null }, [string]>(
      "select seq, attributes from entity_entries where seq in (select value from json_each(?))",
    )
    .all(JSON.stringify(rows.flatMap(({ entry_seq }) => entry_seq ?? [])));
  const known = new Map(entries.map(({ seq, attributes }) => [seq, attributes]));
  return (entry_seq: number | null): string | null => (entry_seq === null ? null : known.get(entry_seq)) ?? null;
}

/** A reader learns no earlier time than that of the rows it sees, and nothing that was entered for another fleet. */
export function toCounted({ seq: _seq, since, named_at, ...row }: CountedRow): CountedEntity {
  const created_at = row.created_at ?? since ?? named_at;
  return { ...row, attributes: attributesOf(row), created_at, updated_at: row.updated_at ?? created_at };
}

/** An entity of this id, unless the reader does not see it. */
export const seenEntity = (connection: Database, reader: Reader, { tenant_id, id }: MemoryKey): EntityRow | null =>
  connection
    .query<EntityRow, SQLQueryBindings[]>(
      `select e.* from entities e where e.tenant_id = ?3 and e.id = ?4 and ${IS_SEEN}`,
    )
    .get(...seenBy(reader), tenant_id, id);

/** Rows of the reader that name an entity `e`, and since when. */
const ofReader = (what: "sum(a.links)" | "min(a.since)"): string => `(select ${what} from entity_audiences a
  where a.entity_seq = e.seq and a.audience in (select value from json_each(?2)))`;

/** Entities by number, with their counts; attributes are read while they fit into so many bytes, in the order of the numbers. */
export function countedEntities(
  db: Connections,
  reader: Reader,
  seqs: readonly number[],
  bytes: number,
): Map<number, CountedEntity> {
  const rows = db.readConnection
    .query<SizedRow, SQLQueryBindings[]>(
      `select ${NAMED}, t.seq as entry_seq, ${sizeText("t", ["attributes"])} as size,
        coalesce(${ofReader("sum(a.links)")}, 0) as memory_count, ${ofReader("min(a.since)")} as since
      from json_each(?3) n cross join entities e on e.seq = n.value ${ENTRY} where ${IS_SEEN} order by n.key`,
    )
    .all(...seenBy(reader), JSON.stringify(seqs));
  let room = bytes;
  const shown = rows.map(({ size, entry_seq, ...row }) => {
    const fits = size <= room;
    if (fits) room -= size;
    return { ...row, entry_seq: fits ? entry_seq : null };
  });
  const known = attributesIn(db, shown);
  return new Map(shown.map(({ entry_seq, ...row }) => [row.seq, toCounted({ ...row, attributes: known(entry_seq) })]));
}
