import { sql } from "drizzle-orm";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { HeldText, Holder } from "../../core/ports/keeping/forgetting.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { By } from "../documents/write.ts";
import { removeDocument } from "../documents/write.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import type { HolderTable } from "./holder-table.ts";
import { byNumber, numbersOf, within } from "./holder-table.ts";
import { LABEL_HOLDERS } from "./label-holders.ts";

const SEQ = sql`h.seq`;

const documents: HolderTable = {
  table: sql`documents`,
  number: () => SEQ,
  // Each may be as large as a document can be.
  perStep: 10,
  select: (dialect, span) => sql`select h.seq as number, h.id, h.collection || '/' || h.doc_id as target,
      h.collection || ' ' || h.doc_id || ' ' || cast(h.data as text) as text
    from documents h where ${dialect.belongs("h", span.tenant_id)} and ${within(SEQ, span)}`,
  fleet: sql`h.fleet_id`,
  changed: sql`h.updated_at`,
  erase: function* (work, by, held) {
    const { tenant_id, dialect } = work;
    const keys = yield* rows<{ collection: string; doc_id: string }>(sql`select collection, doc_id from documents
      where ${dialect.belongs("documents", tenant_id)} and ${dialect.isIn(sql`seq`, numbersOf(held))} order by seq`);
    for (const key of keys) yield* removeDocument(work, by, { tenant_id, ...key }, () => "document.erase");
  },
};

const entities: HolderTable = {
  table: sql`entity_entries`,
  number: () => SEQ,
  perStep: 100,
  select: (dialect, span) => sql`select h.seq as number, e.id, e.id as target,
      h.canonical_name || ' ' || coalesce(h.entity_type, '') || ' ' || coalesce(cast(h.attributes as text), '') || ' ' ||
      coalesce((select string_agg(a.name, ' ') from entity_aliases a
        where a.tenant_id = e.tenant_id and a.entity_seq = e.seq and a.memory_seq = -h.seq), '') as text
    from entity_entries h ${dialect.nested} entities e on ${dialect.tenant("h", sql`e.tenant_id`)} and e.seq = h.entity_seq
    where ${dialect.belongs("e", span.tenant_id)} and ${within(SEQ, span)}`,
  fleet: sql`h.fleet_id`,
  changed: sql`h.updated_at`,
  erase: function* (work, by, held) {
    const { tenant_id, dialect } = work;
    const named = held.map(({ number, id }) => ({ number, id }));
    yield* run(sql`delete from entity_aliases where ${dialect.belongs("entity_aliases", tenant_id)}
      and ${dialect.isIn(
        sql`memory_seq`,
        named.map(({ number }) => -number),
      )} and (entity_seq, memory_seq) in (
      select e.seq, -named.number from ${dialect.records(named, "named", { number: "int", id: "text" })}
      ${dialect.nested} entities e on e.tenant_id = ${tenant_id} and e.id = named.id)`);
    yield* run(sql`delete from entity_entries where ${dialect.tenant("entity_entries", tenant_id)}
      and ${dialect.isIn(sql`seq`, numbersOf(held))}`);
    yield* auditErased(work, by, "entity.erase", held);
  },
};

const end = (seq: string) =>
  sql`(select e.canonical_name from entities e where e.tenant_id = h.tenant_id and e.seq = ${sql.raw(seq)})`;

const relations: HolderTable = {
  table: sql`relations`,
  number: () => SEQ,
  perStep: 100,
  select: (dialect, span) => sql`select h.seq as number, h.id, h.id as target,
      ${end("h.from_seq")} || ' ' || h.relation_type || ' ' || ${end("h.to_seq")} as text
    from relations h where ${dialect.belongs("h", span.tenant_id)} and ${within(SEQ, span)}`,
  fleet: sql`h.fleet_id`,
  changed: sql`h.updated_at`,
  erase: function* (work, by, held) {
    yield* byNumber(work, { table: "relations", column: sql`seq`, statement: sql`delete from relations` }, held);
    yield* auditErased(work, by, "relation.erase", held);
  },
};

/** What entries say of memories is no text. */
const ofMemory = sql`action like 'memory.%'`;

const auditEntries: HolderTable = {
  table: sql`audit_log`,
  number: () => sql`number`,
  perStep: 500,
  isOfTenant: true,
  select: (_, span) => sql`select number, '' as id, '' as target, coalesce(reason, '') || ' ' || case when ${ofMemory}
      then '' else coalesce(cast(before as text), '') || ' ' || coalesce(cast(after as text), '') end as text
    from audit_log h where tenant_id = ${span.tenant_id} and ${within(sql`number`, span)}
      and (before is not null or after is not null or reason is not null)`,
  fleet: null,
  changed: sql`at`,
  erase: (work, _, held) =>
    byNumber(
      work,
      {
        table: "audit_log",
        column: sql`number`,
        statement: sql`update audit_log set reason = null, before = case when ${ofMemory} then before end,
          after = case when ${ofMemory} then after end`,
        isOfTenant: true,
      },
      held,
    ),
};

const replyNumber = ({ tellsTenants }: SqlDialect) => (tellsTenants ? sql`number` : sql`rowid`);

const keptReplies: HolderTable = {
  table: sql`kept_replies`,
  number: replyNumber,
  perStep: 20,
  select: (dialect, span) => sql`select ${replyNumber(dialect)} as number, '' as id, '' as target,
      key || ' ' || body as text
    from kept_replies h where ${dialect.belongs("h", span.tenant_id)} and ${within(replyNumber(dialect), span)}
      and body is not null`,
  fleet: null,
  // They live a day.
  changed: sql`''`,
  erase: (work, _, held) =>
    byNumber(
      work,
      { table: "kept_replies", column: replyNumber(work.dialect), statement: sql`delete from kept_replies` },
      held,
    ),
};

export const HOLDER_TABLES: Readonly<Record<Holder, HolderTable>> = {
  documents,
  entities,
  relations,
  audit_entries: auditEntries,
  kept_replies: keptReplies,
  ...LABEL_HOLDERS,
};

/** That rows were erased, and by whom. */
function* auditErased(work: ChangeWork, { actor, clock }: By, action: string, held: readonly HeldText[]): Unit<void> {
  const event = { action, at: toTimestamp(clock.now()), before: null, after: null, reason: null };
  const events = held.map(({ target }) => ({ ...event, target_id: target }));
  yield* insertAudit(work, actor, events);
}
