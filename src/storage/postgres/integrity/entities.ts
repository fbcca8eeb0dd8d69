import { sql } from "drizzle-orm";
import { fileStoredLinks, unfileRows } from "../../entities/links.ts";
import { intArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { within } from "../units/run.ts";
import { ofTenant } from "./slices.ts";

/** The entities of the tenant that the links of a row `m` name, looked up by their ids: never all of the tenant's. */
const LINKED = sql`json_array_elements(m.entity_links) l
  join entities e on e.tenant_id = m.tenant_id and e.id = l.value ->> 'entity_id'`;

/** Holds for a row `m` that is not filed as its links have it: a caller's link to what its readers must not know is not filed. */
export const IS_MISFILED = sql`(
  exists (select 1 from ${LINKED} where l.value ->> 'inferred' = 'true' and not exists (select 1 from memory_entities f
    where f.tenant_id = m.tenant_id and f.entity_seq = e.seq and f.memory_seq = m.seq))
  or exists (select 1 from memory_entities f where f.tenant_id = m.tenant_id and f.memory_seq = m.seq
    and (f.audience <> m.audience or not exists (select 1 from ${LINKED} where e.seq = f.entity_seq))))`;

/** How often each entity is linked by rows of the same readers, as the links themselves have it. */
const COUNTED = sql`select l.tenant_id, l.entity_seq, l.audience, count(*) as links,
    count(*) filter (where l.direct) as direct, min(m.created_at) as since
  from memory_entities l join memories m on m.tenant_id = l.tenant_id and m.seq = l.memory_seq`;

/** Counts of entities that are wrong, or of links that there are not. */
export const miscounted = (tenant: string | null) => sql`
  with counted as (${COUNTED} where ${ofTenant(sql`l.tenant_id`, tenant)} group by 1, 2, 3)
  select count(*) as n from counted c
    full join (select * from entity_audiences where ${ofTenant(sql`tenant_id`, tenant)}) a
      using (tenant_id, entity_seq, audience)
  where a.links is distinct from c.links or a.direct is distinct from c.direct`;

/** Counts the links of some entities again, inside the caller's transaction. */
export async function recountEntities(work: TenantWork, seqs: readonly number[]): Promise<void> {
  const { tenant_id } = work;
  const some = intArray(seqs);
  await work.run(sql`delete from entity_audiences where tenant_id = ${tenant_id} and entity_seq = any(${some})`);
  await work.run(sql`insert into entity_audiences (tenant_id, entity_seq, audience, links, direct, since)
    ${COUNTED} where l.tenant_id = ${tenant_id} and l.entity_seq = any(${some}) group by 1, 2, 3`);
}

/** Files rows as their links have it. Which of them are by the entity's own name, only reading the text again tells. */
export async function refileRows(work: TenantWork, rows: readonly MemoryRow[]): Promise<void> {
  const misfiled = await work.rows<{
    seq: number;
  }>(sql`select m.seq from memories m where m.tenant_id = ${work.tenant_id}
    and m.seq = any(${intArray(rows.map(({ seq }) => seq))}) and ${IS_MISFILED}`);
  if (misfiled.length === 0) return;
  const seqs = new Set(misfiled.map(({ seq }) => seq));
  const links = rows.filter(({ seq }) => seqs.has(seq)).map((row) => ({ row, links: row.entity_links }));
  await within(work, function* (unit) {
    yield* unfileRows(unit, [...seqs]);
    yield* fileStoredLinks(unit, links);
  });
}
