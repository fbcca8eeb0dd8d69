import { sql } from "drizzle-orm";
import type { ImportOutcome, IncomingRelation } from "../../../core/ports/keeping/transfer.ts";
import { CREATED, EXISTS, refused } from "../../common/transfer/write-context.ts";
import { recordsValue, textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/** Stores relations between names that are there, inside the caller's transaction; one of these ends and kind stays. */
export async function writeRelations(
  work: TenantWork,
  incoming: readonly IncomingRelation[],
): Promise<ImportOutcome[]> {
  const { tenant_id } = work;
  const ends = new Set(incoming.flatMap(({ relation }) => [relation.from_entity_id, relation.to_entity_id]));
  const found = await work.rows<{ id: string; seq: number }>(
    sql`select id, seq from entities where tenant_id = ${tenant_id} and id = any(${textArray([...ends])})`,
  );
  const seqOf = new Map(found.map(({ id, seq }) => [id, seq]));
  const rows = incoming.map(({ relation }) => {
    const { from_entity_id, to_entity_id, from_name: _from, to_name: _to, record: _record, ...others } = relation;
    return { ...others, from_seq: seqOf.get(from_entity_id), to_seq: seqOf.get(to_entity_id) };
  });
  const whole = rows.filter(({ from_seq, to_seq }) => from_seq !== undefined && to_seq !== undefined);
  const stored = await work.rows<{ id: string }>(sql`
    insert into relations (tenant_id, id, fleet_id, from_seq, relation_type, to_seq, weight, evidence_memory_id,
      created_at, updated_at)
    select ${tenant_id}, r.id, r.fleet_id, r.from_seq, r.relation_type, r.to_seq, r.weight, r.evidence_memory_id,
      r.created_at, r.updated_at
    from json_to_recordset(${recordsValue(whole)}) as r (id text, fleet_id text, from_seq bigint, relation_type text,
      to_seq bigint, weight double precision, evidence_memory_id text, created_at text, updated_at text)
    on conflict do nothing returning id`);
  const created = new Set(stored.map(({ id }) => id));
  return rows.map(({ id, from_seq, to_seq }) => {
    if (from_seq === undefined || to_seq === undefined) return refused("One of its two entities is not there.");
    // Of several records of one id the first is stored.
    return created.delete(id) ? CREATED : EXISTS;
  });
}
