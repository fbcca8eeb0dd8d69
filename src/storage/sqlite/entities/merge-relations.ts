import type { Connections } from "../engine/connection.ts";
import type { Moving } from "./moving.ts";

interface Ends {
  readonly seq: number;
  readonly fleet_id: string | null;
  readonly from_seq: number;
  readonly relation_type: string;
  readonly to_seq: number;
  readonly weight: number;
}

const OF_ENTITY = `select seq, fleet_id, from_seq, relation_type, to_seq, weight from relations
  where (tenant_id = ?1 and from_seq = ?2) or to_seq = ?2`;
const SAME = `select seq from relations where tenant_id = ? and from_seq = ? and to_seq = ? and relation_type = ? and fleet_id is ?`;

/**
 * Relations of the entity that goes become those of the survivor. One with the survivor itself goes; of two of the same ends, kind and
 * fleet the weight is the larger one. What a fleet entered about an entity that nobody else knows any more goes over as well. Returns
 * how many there were.
 */
export function moveRelations(db: Connections, { from, into, isMoved }: Moving, now: string): number {
  const { tenant_id } = from;
  const isHeard = db.writeConnection
    .query(
      "select 1 from entity_entries where entity_seq = ?1 union all select 1 from entity_audiences where entity_seq = ?1",
    )
    .get(from.seq);
  const relations = db.writeConnection
    .query<Ends, [string, number]>(OF_ENTITY)
    .all(tenant_id, from.seq)
    .filter(({ fleet_id }) => isHeard === null || isMoved(fleet_id));
  const same = db.writeConnection.query<{ seq: number }, [string, number, number, string, string | null]>(SAME);
  const remove = db.writeConnection.query("delete from relations where seq = ?");
  const weigh = db.writeConnection.query("update relations set weight = max(weight, ?), updated_at = ? where seq = ?");
  const move = db.writeConnection.query("update relations set from_seq = ?, to_seq = ?, updated_at = ? where seq = ?");
  const end = (seq: number) => (seq === from.seq ? into.seq : seq);
  for (const { seq, fleet_id, relation_type, weight, ...ends } of relations) {
    const [from_seq, to_seq] = [end(ends.from_seq), end(ends.to_seq)];
    const present = same.get(tenant_id, from_seq, to_seq, relation_type, fleet_id);
    if (from_seq !== to_seq && !present) {
      move.run(from_seq, to_seq, now, seq);
      continue;
    }
    remove.run(seq);
    if (present && from_seq !== to_seq) weigh.run(weight, now, present.seq);
  }
  return relations.length;
}
