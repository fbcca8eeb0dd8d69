import { fileStoredLinks, unfileRows } from "../../entities/links.ts";
import type { Connections } from "../engine/connection.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { within as unitWithin } from "../units/run.ts";
import type { Slice } from "./slices.ts";
import { within } from "./slices.ts";

/** The entities of the tenant that the links of a row `m` name, looked up by their ids: never all of the tenant's. */
const LINKED = `json_each(m.entity_links) l cross join entities e
  on e.id = json_extract(l.value, '$.entity_id') and +e.tenant_id = m.tenant_id`;

/** Holds for a row `m` that is not filed as its links have it: a caller's link to what its readers must not know is not filed. */
export const IS_MISFILED = `(
  exists (select 1 from ${LINKED} where json_extract(l.value, '$.inferred') and not exists (
    select 1 from memory_entities f where f.entity_seq = e.seq and f.memory_seq = m.seq))
  or exists (select 1 from memory_entities f where f.memory_seq = m.seq and (f.audience <> m.audience
    or not exists (select 1 from ${LINKED} where e.seq = f.entity_seq))))`;

/** How often each entity of a slice is linked by rows of the same readers, as the links themselves have it. */
const COUNTED = `select l.entity_seq, l.audience, count(*) as links, sum(l.direct) as direct, min(m.created_at) as since
  from memory_entities l join memories m on m.seq = l.memory_seq
  where ${within("l.entity_seq")} group by l.entity_seq, l.audience`;

/** Counts of a slice of the entities that are wrong, or of links that there are not. */
export const MISCOUNTED = `with counted as materialized (${COUNTED}) select
  (select count(*) from counted c left join entity_audiences a using (entity_seq, audience)
    where a.links is not c.links or a.direct is not c.direct)
  + (select count(*) from entity_audiences a where ${within("a.entity_seq")}
    and (a.entity_seq, a.audience) not in (select entity_seq, audience from counted)) as n`;

/** Counts the links of a slice of the entities again. */
export function recountEntities(db: Connections, slice: Slice): void {
  db.writeConnection.query(`delete from entity_audiences where ${within("entity_seq")}`).run({ ...slice });
  db.writeConnection
    .query(`insert into entity_audiences (entity_seq, audience, links, direct, since) ${COUNTED}`)
    .run({ ...slice });
}

/** Files a row as its links have it. Which of them are by the entity's own name, only reading the text again tells. */
export function refileRow(db: Connections, row: MemoryRow): void {
  const misfiled = db.writeConnection.query<unknown, [number]>(
    `select 1 from memories m where seq = ? and ${IS_MISFILED}`,
  );
  if (misfiled.get(row.seq) === null) return;
  unitWithin(db, row.tenant_id, function* (work) {
    yield* unfileRows(work, [row.seq]);
    yield* fileStoredLinks(work, [{ row, links: row.entity_links }]);
  });
}
