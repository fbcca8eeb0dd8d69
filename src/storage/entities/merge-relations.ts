import { sql } from "drizzle-orm";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import type { Moving } from "./moving.ts";

interface Ends {
  readonly seq: number;
  readonly fleet_id: string | null;
  readonly from_seq: number;
  readonly relation_type: string;
  readonly to_seq: number;
  readonly weight: number;
}

/**
 * Relations of the entity that goes become those of the survivor. One with the survivor itself goes; of two of the same ends, kind and
 * fleet the weight is the larger one. What a fleet entered about an entity that nobody else knows any more goes over as well. Returns
 * how many there were.
 */
export function* moveRelations(work: TenantWork, { from, into, isMoved }: Moving, now: string): Unit<number> {
  const { dialect, tenant_id } = work;
  const isHeard = yield* row(sql`
    select 1 as one from entity_entries h where ${dialect.tenant("h", tenant_id)} and h.entity_seq = ${from.seq}
    union all
    select 1 from entity_audiences a where ${dialect.tenant("a", tenant_id)} and a.entity_seq = ${from.seq} limit 1`);
  const all = yield* rows<Ends>(sql`
    select seq, fleet_id, from_seq, relation_type, to_seq, weight from relations
    where ${dialect.belongs("relations", tenant_id)} and ((tenant_id = ${tenant_id} and from_seq = ${from.seq}) or to_seq = ${from.seq})
    order by seq`);
  const relations = all.filter(({ fleet_id }) => isHeard === null || isMoved(fleet_id));
  const end = (seq: number) => (seq === from.seq ? into.seq : seq);
  for (const relation of relations) {
    const ends = { ...relation, from_seq: end(relation.from_seq), to_seq: end(relation.to_seq) };
    yield* moveRelation(work, ends, now);
  }
  return relations.length;
}

/** Gives a relation these ends; it goes where both are one, or where there is such a relation already. */
function* moveRelation(
  { tenant_id }: TenantWork,
  { seq, from_seq, to_seq, relation_type, fleet_id, weight }: Ends,
  now: string,
): Unit<void> {
  const present = yield* row<{ seq: number }>(sql`select seq from relations
    where tenant_id = ${tenant_id} and from_seq = ${from_seq} and to_seq = ${to_seq}
      and relation_type = ${relation_type} and fleet_id is not distinct from cast(${fleet_id} as text)`);
  if (from_seq !== to_seq && !present) {
    yield* run(sql`update relations set from_seq = ${from_seq}, to_seq = ${to_seq}, updated_at = ${now}
      where tenant_id = ${tenant_id} and seq = ${seq}`);
    return;
  }
  yield* run(sql`delete from relations where tenant_id = ${tenant_id} and seq = ${seq}`);
  if (!present || from_seq === to_seq) return;
  const larger = sql`cast(${weight} as double precision)`;
  yield* run(sql`update relations set weight = case when weight > ${larger} then weight else ${larger} end,
      updated_at = ${now}
    where tenant_id = ${tenant_id} and seq = ${present.seq}`);
}
