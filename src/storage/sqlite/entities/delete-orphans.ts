import type { Connections } from "../engine/connection.ts";

/** Entities looked at in one transaction. */
const ENTITIES_PER_STEP = 1_000;

/** Names that no row, relation or hand holds any more; those that a caller linked a deleted row to wait for its return. */
const IS_UNHEARD = `not exists (select 1 from entity_entries where entity_seq = e.seq)
    and not exists (select 1 from memory_entities where entity_seq = e.seq)
    and not exists (select 1 from relations where tenant_id = e.tenant_id and from_seq = e.seq)
    and not exists (select 1 from relations where to_seq = e.seq)
    and not exists (select 1 from waiting_links where entity_id = e.id)`;

const UNHEARD = `select seq from entities e where seq > ? and seq <= ? and ${IS_UNHEARD}`;
const IS_ONE_UNHEARD = `select 1 from entities e where seq = ? and ${IS_UNHEARD}`;

/** Erases an entity that is named nowhere any more, inside the caller's transaction; false when something names it yet. */
export function forgetIfUnheard(db: Connections, entity_seq: number): boolean {
  if (db.writeConnection.query(IS_ONE_UNHEARD).get(entity_seq) === null) return false;
  forget(db, [entity_seq]);
  return true;
}

function forget(db: Connections, entity_seqs: readonly number[]): void {
  for (const table of ["entity_aliases", "entity_audiences"]) {
    const erase = db.writeConnection.query(`delete from ${table} where entity_seq = ?`);
    for (const seq of entity_seqs) erase.run(seq);
  }
  const erase = db.writeConnection.query("delete from entities where seq = ?");
  for (const seq of entity_seqs) erase.run(seq);
}

/** Erases the next entities that are named nowhere any more. Returns where to go on; null when all were looked at. */
export function deleteOrphanedNames(db: Connections, after: number): number | null {
  const unheard = db.writeConnection
    .query<{ seq: number }, [number, number]>(UNHEARD)
    .all(after, after + ENTITIES_PER_STEP);
  forget(
    db,
    unheard.map(({ seq }) => seq),
  );
  const last =
    db.writeConnection.query<{ seq: number | null }, []>("select max(seq) as seq from entities").get()?.seq ?? 0;
  return after + ENTITIES_PER_STEP < last ? after + ENTITIES_PER_STEP : null;
}
