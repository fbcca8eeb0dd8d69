import { sql } from "drizzle-orm";
import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import { relinked } from "../../common/naming.ts";
import { intArray, recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import type { Moving } from "./moving.ts";
import { isAmong } from "./seen-by.ts";

/** A row that is filed under the entity, or that waits with a link to it for its return. */
interface Linked {
  readonly seq: number;
  readonly entity_links: readonly StoredLink[];
}

/** Rows that one statement rewrites. */
const ROWS_PER_STATEMENT = 2_000;

/** Links rows to the survivor that were linked to the entity that goes, as they say themselves and in the index; returns how many. */
export async function moveLinks(work: TenantWork, moving: Moving): Promise<number> {
  const { tenant_id } = work;
  const { from, into, audiences } = moving;
  const linked = await linkedRows(work, moving);
  await refile(work, moving);
  await work.run(sql`delete from memory_entities l
    where l.tenant_id = ${tenant_id} and l.entity_seq = ${from.seq} and ${isAmong("l", audiences)}`);
  await recount(work, [from.seq, into.seq]);
  for (let i = 0; i < linked.length; i += ROWS_PER_STATEMENT) {
    const rows = linked
      .slice(i, i + ROWS_PER_STATEMENT)
      .map(({ seq, entity_links }) => ({ seq, links: relinked(entity_links, from.id, into.id) }));
    await rewriteLinks(work, rows);
  }
  await moveWaiting(work, moving);
  await work.run(sql`
    with gone as (
      delete from entity_aliases a where a.tenant_id = ${tenant_id} and a.entity_seq = ${from.seq}
        and a.memory_seq > 0 and ${isAmong("a", audiences)} returning alias_key, memory_seq, audience, name)
    insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
    select ${tenant_id}, alias_key, ${into.seq}, memory_seq, audience, name from gone on conflict do nothing`);
  return linked.length;
}

/** Writes into rows what they are linked to. */
export const rewriteLinks = (
  work: TenantWork,
  rows: readonly { readonly seq: number; readonly links: readonly StoredLink[] }[],
): Promise<number> =>
  work.run(sql`update memories m set entity_links = r.links
    from json_to_recordset(${recordsValue(rows)}) as r (seq bigint, links json)
    where m.tenant_id = ${work.tenant_id} and m.seq = r.seq`);

const linkedRows = (work: TenantWork, { from, audiences }: Moving): Promise<Linked[]> =>
  work.rows<Linked>(sql`
    select m.seq, m.entity_links from memory_entities l
    join memories m on m.tenant_id = l.tenant_id and m.seq = l.memory_seq
    where l.tenant_id = ${work.tenant_id} and l.entity_seq = ${from.seq} and ${isAmong("l", audiences)}
    union all
    select m.seq, m.entity_links from waiting_links w
    join memories m on m.tenant_id = w.tenant_id and m.seq = w.memory_seq
    where w.tenant_id = ${work.tenant_id} and w.entity_id = ${from.id} and ${isAmong("m", audiences)}`);

/** A caller's link is as good as the entity's own name; the texts have another name for the survivor. */
const refile = (work: TenantWork, { from, into, audiences }: Moving): Promise<number> =>
  work.run(sql`
    insert into memory_entities (tenant_id, entity_seq, memory_seq, audience, role, direct, name, entity_type)
    select l.tenant_id, ${into.seq}, l.memory_seq, l.audience, l.role, exists (
      select 1 from memories m cross join json_array_elements(m.entity_links) link
      where m.tenant_id = l.tenant_id and m.seq = l.memory_seq
        and link.value ->> 'entity_id' = ${from.id} and link.value ->> 'inferred' is null), null, null
    from memory_entities l
    where l.tenant_id = ${work.tenant_id} and l.entity_seq = ${from.seq} and ${isAmong("l", audiences)}
    on conflict (tenant_id, entity_seq, memory_seq) do update set direct = memory_entities.direct or excluded.direct,
      role = case when excluded.direct and not memory_entities.direct then excluded.role else memory_entities.role end`);

/** Counts anew the rows that name some entities. */
async function recount(work: TenantWork, entity_seqs: readonly number[]): Promise<void> {
  const { tenant_id } = work;
  const ofEntities = sql`tenant_id = ${tenant_id} and entity_seq = any(${intArray(entity_seqs)})`;
  await work.run(sql`delete from entity_audiences where ${ofEntities}`);
  await work.run(sql`
    insert into entity_audiences (tenant_id, entity_seq, audience, links, direct, since)
    select ${tenant_id}, l.entity_seq, l.audience, count(*), count(*) filter (where l.direct), min(m.created_at)
    from (select * from memory_entities where ${ofEntities}) l
    join memories m on m.tenant_id = l.tenant_id and m.seq = l.memory_seq
    group by l.entity_seq, l.audience`);
}

/** Links of deleted rows wait for the survivor. */
const moveWaiting = (work: TenantWork, { from, into, audiences }: Moving): Promise<number> =>
  work.run(sql`
    with gone as (
      delete from waiting_links w using memories m
      where w.tenant_id = ${work.tenant_id} and w.entity_id = ${from.id}
        and m.tenant_id = w.tenant_id and m.seq = w.memory_seq and ${isAmong("m", audiences)}
      returning w.memory_seq)
    insert into waiting_links (tenant_id, entity_id, memory_seq)
    select ${work.tenant_id}, ${into.id}, memory_seq from gone on conflict do nothing`);
