import type { Connections } from "./connection.ts";
import { fileCallerLinks, unfileLinks } from "./entity-links.ts";
import type { MemoryRow } from "./rows.ts";

/** Rows of the tenant's entities that a row's own links name. */
const LINKED = `select e.seq from json_each(m.entity_links) l
  join entities e on e.tenant_id = m.tenant_id and e.id = json_extract(l.value, '$.entity_id')`;

/** Holds for a row `m` that is not filed as its links have it. */
const IS_MISFILED = `(
  exists (${LINKED} where e.seq not in (select entity_seq from memory_entities where memory_seq = m.seq))
  or exists (select 1 from memory_entities f
    where f.memory_seq = m.seq and (f.audience <> m.audience or f.entity_seq not in (${LINKED}))))`;

/** How often each entity is linked by rows of the same readers, as the links themselves have it. */
const COUNTED = `select l.entity_seq, l.audience, count(*) as links, sum(l.direct) as direct, min(m.created_at) as since
  from memory_entities l join memories m on m.seq = l.memory_seq group by l.entity_seq, l.audience`;

/** Links that are not filed as their row has them, links of rows that are gone, and counts that are wrong. */
export const ENTITY_FAULTS = `select
  (select count(*) from memories m where deleted_at is null and ${IS_MISFILED})
  + (select count(*) from memory_entities where memory_seq not in (select seq from memories where deleted_at is null))
  + (select count(*) from (${COUNTED}) c left join entity_audiences a using (entity_seq, audience)
    where a.links is not c.links or a.direct is not c.direct)
  + (select count(*) from entity_audiences where (entity_seq, audience) not in (select entity_seq, audience from memory_entities))
  as n`;

/** Takes out links and other names of rows that are gone, and counts the rest anew. */
export function recountEntities(at: Connections): void {
  at.writer.exec(`
    delete from memory_entities where memory_seq not in (select seq from memories where deleted_at is null);
    delete from entity_aliases where memory_seq > 0
      and memory_seq not in (select seq from memories where deleted_at is null);
    delete from entity_audiences;
    insert into entity_audiences (entity_seq, audience, links, direct, since) ${COUNTED};`);
}

/** Files a row as its links have it. Which of them are by the entity's own name, only reading the text again tells. */
export function refileRow(at: Connections, row: MemoryRow): void {
  const misfiled = at.writer.query<unknown, [number]>(`select 1 from memories m where seq = ? and ${IS_MISFILED}`);
  if (misfiled.get(row.seq) === null) return;
  unfileLinks(at, row.seq);
  fileCallerLinks(at, row, row.entity_links);
}
