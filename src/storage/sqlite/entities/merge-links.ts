import type { SQLQueryBindings } from "bun:sqlite";
import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import { relinked } from "../../common/naming.ts";
import type { Connections } from "../engine/connection.ts";
import type { Moving } from "./moving.ts";

const OF_MOVED = "audience in (select value from json_each(?))";

/** Rows that are filed under the entity, or that wait with a link to it for their return. */
const LINKED = `select m.seq, m.entity_links from memory_entities l cross join memories m on m.seq = l.memory_seq
    where l.entity_seq = ?1 and l.audience in (select value from json_each(?3))
  union all
  select m.seq, m.entity_links from waiting_links w cross join memories m on m.seq = w.memory_seq
    where w.entity_id = ?2 and m.audience in (select value from json_each(?3))`;

/** A caller's link is as good as the entity's own name; the texts have another name for the survivor. */
const REFILE = `insert into memory_entities (entity_seq, memory_seq, audience, role, direct, name, entity_type)
  select ?2, l.memory_seq, l.audience, l.role, exists (
    select 1 from memories m, json_each(m.entity_links) link where m.seq = l.memory_seq
      and link.value ->> '$.entity_id' = ?4 and link.value ->> '$.inferred' is null), null, null
  from memory_entities l where l.entity_seq = ?1 and l.audience in (select value from json_each(?3))
  on conflict do update set direct = max(direct, excluded.direct),
    role = case when excluded.direct > direct then excluded.role else role end`;

/** A statement for each row would take time that grows with the square of their number, for what SQLite keeps to undo each. */
const ROWS_PER_STATEMENT = 2_000;
const REWRITE = `update memories set entity_links = link.value ->> '$[1]'
  from json_each(?) link where memories.seq = link.value ->> '$[0]'`;

const COUNTS = `insert into entity_audiences (entity_seq, audience, links, direct, since)
  select l.entity_seq, l.audience, count(*), sum(l.direct), min(m.created_at)
  from memory_entities l cross join memories m on m.seq = l.memory_seq
  where l.entity_seq in (?1, ?2) group by l.entity_seq, l.audience`;

/** Links rows to the survivor that were linked to the entity that goes, as they say themselves and in the index; returns how many. */
export function moveLinks(db: Connections, moving: Moving): number {
  const { from, into, audiences } = moving;
  const run = (sql: string, ...bound: SQLQueryBindings[]) => db.writeConnection.query(sql).run(...bound);
  const linked = db.writeConnection
    .query<{ seq: number; entity_links: string }, SQLQueryBindings[]>(LINKED)
    .all(from.seq, from.id, audiences);
  run(REFILE, from.seq, into.seq, audiences, from.id);
  run(`delete from memory_entities where entity_seq = ? and ${OF_MOVED}`, from.seq, audiences);
  run("delete from entity_audiences where entity_seq in (?, ?)", from.seq, into.seq);
  run(COUNTS, from.seq, into.seq);
  for (let i = 0; i < linked.length; i += ROWS_PER_STATEMENT) {
    const rows = linked.slice(i, i + ROWS_PER_STATEMENT);
    run(
      REWRITE,
      JSON.stringify(
        rows.map(({ seq, entity_links }) => [seq, JSON.stringify(relinked(linksIn(entity_links), from.id, into.id))]),
      ),
    );
  }
  moveWaiting(db, moving);
  run(
    `update or ignore entity_aliases set entity_seq = ? where entity_seq = ? and memory_seq > 0 and ${OF_MOVED}`,
    into.seq,
    from.seq,
    audiences,
  );
  run(`delete from entity_aliases where entity_seq = ? and memory_seq > 0 and ${OF_MOVED}`, from.seq, audiences);
  return linked.length;
}

/** The links of a row, as its column holds them. */
const linksIn = (text: string): StoredLink[] =>
  // Safe: the column holds what was written from links.
  JSON.parse(text) as StoredLink[];

/** Links of deleted rows wait for the survivor. */
function moveWaiting(db: Connections, { from, into, audiences }: Moving): void {
  const moved = `entity_id = ? and memory_seq in (select w.memory_seq from waiting_links w
    cross join memories m on m.seq = w.memory_seq
    where w.entity_id = ? and m.audience in (select value from json_each(?)))`;
  db.writeConnection
    .query(`update or ignore waiting_links set entity_id = ? where ${moved}`)
    .run(into.id, from.id, from.id, audiences);
  db.writeConnection.query(`delete from waiting_links where ${moved}`).run(from.id, from.id, audiences);
}
