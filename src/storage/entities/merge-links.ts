import { sql } from "drizzle-orm";
import type { StoredLink } from "../../core/ports/stored-memory.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import type { Moving } from "./moving.ts";
import { isAmong } from "./seen-by.ts";

/** A row that is filed under the entity, or that waits with a link to it for its return. */
interface Linked {
  readonly seq: number;
  readonly entity_links: unknown;
}

/** Rows that one statement rewrites: one for each would take time that grows with the square of their number. */
const ROWS_PER_STATEMENT = 2_000;

/** Links rows to the survivor that were linked to the entity that goes, as they say themselves and in the index; returns how many. */
export function* moveLinks(work: TenantWork, moving: Moving): Unit<number> {
  const { dialect, tenant_id } = work;
  const { from, into, audiences } = moving;
  const linked = yield* linkedRows(work, moving);
  yield* refile(work, moving);
  yield* run(sql`delete from memory_entities as l
    where ${dialect.tenant("l", tenant_id)} and l.entity_seq = ${from.seq} and ${isAmong("l", { dialect, audiences })}`);
  yield* recount(work, [from.seq, into.seq]);
  for (let i = 0; i < linked.length; i += ROWS_PER_STATEMENT) {
    const some = linked.slice(i, i + ROWS_PER_STATEMENT).map(({ seq, entity_links }) => ({
      seq,
      links: relinked(jsonIn<StoredLink[]>(entity_links), from.id, into.id),
    }));
    yield* rewriteLinks(work, some);
  }
  yield* moveWaiting(work, moving);
  const ofGone = sql`${dialect.belongs("a", tenant_id)} and a.entity_seq = ${from.seq} and a.memory_seq > 0
    and ${isAmong("a", { dialect, audiences })}`;
  yield* run(sql`
    insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
    select a.tenant_id, a.alias_key, cast(${into.seq} as bigint), a.memory_seq, a.audience, a.name
    from entity_aliases a where ${ofGone} on conflict do nothing`);
  yield* run(sql`delete from entity_aliases as a where ${ofGone}`);
  return linked.length;
}

/** Writes into rows what they are linked to. */
export const rewriteLinks = (
  { dialect, tenant_id }: TenantWork,
  given: readonly { readonly seq: number; readonly links: readonly StoredLink[] }[],
): Unit<number> => {
  const texts = given.map(({ seq, links }) => ({ seq, links: JSON.stringify(links) }));
  return run(sql`update memories as m set entity_links = ${dialect.asJson(sql`r.links`)}
    from ${dialect.records(texts, "r", { seq: "int", links: "text" })}
    where ${dialect.belongs("m", tenant_id)} and m.seq = r.seq`);
};

const linkedRows = ({ dialect, tenant_id }: TenantWork, { from, audiences }: Moving): Unit<Linked[]> =>
  rows<Linked>(sql`
    select m.seq, m.entity_links from memory_entities l
    ${dialect.nested} memories m on m.tenant_id = ${tenant_id} and m.seq = l.memory_seq
    where ${dialect.tenant("l", tenant_id)} and l.entity_seq = ${from.seq} and ${isAmong("l", { dialect, audiences })}
    union all
    select m.seq, m.entity_links from waiting_links w
    ${dialect.nested} memories m on m.tenant_id = ${tenant_id} and m.seq = w.memory_seq
    where ${dialect.tenant("w", tenant_id)} and w.entity_id = ${from.id} and ${isAmong("m", { dialect, audiences })}`);

/** A caller's link is as good as the entity's own name; the texts have another name for the survivor. */
const refile = ({ dialect, tenant_id }: TenantWork, { from, into, audiences }: Moving): Unit<number> =>
  run(sql`
    insert into memory_entities (${dialect.tenantColumn}entity_seq, memory_seq, audience, role, direct, name, entity_type)
    select ${dialect.tenantValue(tenant_id)}cast(${into.seq} as bigint), l.memory_seq, l.audience, l.role, exists (
      select 1 from memories m cross join ${dialect.elements(sql`m.entity_links`, "link")}
      where m.tenant_id = ${tenant_id} and m.seq = l.memory_seq
        and link.value ->> 'entity_id' = ${from.id} and link.value ->> 'inferred' is null), null, null
    from memory_entities l
    where ${dialect.tenant("l", tenant_id)} and l.entity_seq = ${from.seq} and ${isAmong("l", { dialect, audiences })}
    on conflict ${dialect.key("entity_seq", "memory_seq")} do update set direct = memory_entities.direct or excluded.direct,
      role = case when excluded.direct and not memory_entities.direct then excluded.role else memory_entities.role end`);

/** Counts anew the rows that name some entities. */
function* recount({ dialect, tenant_id }: TenantWork, entity_seqs: readonly number[]): Unit<void> {
  yield* run(sql`delete from entity_audiences as a
    where ${dialect.tenant("a", tenant_id)} and ${dialect.isIn(sql`a.entity_seq`, entity_seqs)}`);
  yield* run(sql`
    insert into entity_audiences (${dialect.tenantColumn}entity_seq, audience, links, direct, since)
    select ${dialect.tenantValue(tenant_id)}l.entity_seq, l.audience, count(*), count(*) filter (where l.direct), min(m.created_at)
    from memory_entities l ${dialect.nested} memories m on m.tenant_id = ${tenant_id} and m.seq = l.memory_seq
    where ${dialect.tenant("l", tenant_id)} and ${dialect.isIn(sql`l.entity_seq`, entity_seqs)}
    group by l.entity_seq, l.audience`);
}

/** Links of deleted rows wait for the survivor. */
function* moveWaiting({ dialect, tenant_id }: TenantWork, { from, into, audiences }: Moving): Unit<void> {
  const ofGone = sql`${dialect.tenant("w", tenant_id)} and w.entity_id = ${from.id} and exists (select 1 from memories m
    where m.tenant_id = ${tenant_id} and m.seq = w.memory_seq and ${isAmong("m", { dialect, audiences })})`;
  yield* run(sql`
    insert into waiting_links (${dialect.tenantColumn}entity_id, memory_seq)
    select ${dialect.tenantValue(tenant_id)}cast(${into.id} as text), w.memory_seq from waiting_links w where ${ofGone}
    on conflict do nothing`);
  yield* run(sql`delete from waiting_links as w where ${ofGone}`);
}

/** The links of a row once one entity became part of another, each entity once; what a caller said of either stays said of the survivor. */
function relinked(links: readonly StoredLink[], from_id: string, into_id: string): StoredLink[] {
  const of = links.filter(({ entity_id }) => entity_id === from_id || entity_id === into_id);
  const said =
    of.find(({ inferred }) => inferred !== true) ?? of.find(({ entity_id }) => entity_id === into_id) ?? of[0];
  return links.flatMap((link): StoredLink[] => {
    if (!of.includes(link)) return [link];
    return link === said ? [{ ...said, entity_id: into_id }] : [];
  });
}
