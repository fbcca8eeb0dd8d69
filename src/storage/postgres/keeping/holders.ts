import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { HeldText, Holder } from "../../../core/ports/keeping/forgetting.ts";
import type { By } from "../../documents/write.ts";
import { removeDocument } from "../../documents/write.ts";
import { eraseAudit, insertAudit } from "../accounts/audit-rows.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import { recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { within as inUnit } from "../units/run.ts";
import type { HolderTable } from "./holder-table.ts";
import { numbersOf, within } from "./holder-table.ts";
import { LABEL_HOLDERS } from "./label-holders.ts";

const documents: HolderTable = {
  table: sql`documents`,
  number: sql`seq`,
  // Each may be as large as a document can be.
  perStep: 10,
  select: (span) => sql`select d.seq as number, d.id, d.collection || '/' || d.doc_id as target, 
      d.collection || ' ' || d.doc_id || ' ' || d.data::text as text
    from documents d where d.tenant_id = ${span.tenant_id} and ${within(sql`d.seq`, span)}`,
  fleet: sql`d.fleet_id`,
  changed: sql`d.updated_at`,
  erase: async (work, by, rows) => {
    const { tenant_id } = work;
    const keys = await work.rows<{ collection: string; doc_id: string }>(sql`select collection, doc_id from documents
      where tenant_id = ${tenant_id} and seq = any(${numbersOf(rows)}) order by seq`);
    for (const key of keys)
      await inUnit(work, (unit) => removeDocument(unit, by, { tenant_id, ...key }, () => "document.erase"));
  },
};

const entities: HolderTable = {
  table: sql`entity_entries`,
  number: sql`seq`,
  perStep: 100,
  select: (span) => sql`select h.seq as number, e.id, e.id as target,
      h.canonical_name || ' ' || coalesce(h.entity_type, '') || ' ' || coalesce(h.attributes::text, '') || ' ' ||
      coalesce((select string_agg(a.name, ' ') from entity_aliases a
        where a.tenant_id = e.tenant_id and a.entity_seq = e.seq and a.memory_seq = -h.seq), '') as text
    from entity_entries h join entities e on e.tenant_id = h.tenant_id and e.seq = h.entity_seq
    where h.tenant_id = ${span.tenant_id} and ${within(sql`h.seq`, span)}`,
  fleet: sql`h.fleet_id`,
  changed: sql`h.updated_at`,
  erase: async (work, by, rows) => {
    const named = rows.map(({ number, id }) => ({ number, id }));
    await work.run(sql`delete from entity_aliases a
      using json_to_recordset(${recordsValue(named)}) as named (number bigint, id text), entities e
      where e.tenant_id = ${work.tenant_id} and e.id = named.id
        and a.tenant_id = e.tenant_id and a.entity_seq = e.seq and a.memory_seq = -named.number`);
    await work.run(sql`delete from entity_entries
      where tenant_id = ${work.tenant_id} and seq = any(${numbersOf(rows)})`);
    await auditErased(work, by, "entity.erase", rows);
  },
};

const end = (seq: SQL): SQL =>
  sql`(select e.canonical_name from entities e where e.tenant_id = r.tenant_id and e.seq = ${seq})`;

const relations: HolderTable = {
  table: sql`relations`,
  number: sql`seq`,
  perStep: 100,
  select: (span) => sql`select r.seq as number, r.id, r.id as target,
      ${end(sql`r.from_seq`)} || ' ' || r.relation_type || ' ' || ${end(sql`r.to_seq`)} as text
    from relations r where r.tenant_id = ${span.tenant_id} and ${within(sql`r.seq`, span)}`,
  fleet: sql`r.fleet_id`,
  changed: sql`r.updated_at`,
  erase: async (work, by, rows) => {
    await work.run(sql`delete from relations where tenant_id = ${work.tenant_id} and seq = any(${numbersOf(rows)})`);
    await auditErased(work, by, "relation.erase", rows);
  },
};

/** What entries say of memories is no text. */
const ofMemory = sql`starts_with(action, 'memory.')`;

const auditEntries: HolderTable = {
  table: sql`audit_log`,
  number: sql`number`,
  perStep: 500,
  select: (span) => sql`select number, '' as id, '' as target, coalesce(reason, '') || ' ' ||
      case when ${ofMemory} then '' else coalesce(before::text, '') || ' ' || coalesce(after::text, '') end as text
    from audit_log where tenant_id = ${span.tenant_id} and ${within(sql`number`, span)}
      and (before is not null or after is not null or reason is not null)`,
  fleet: null,
  changed: sql`at`,
  erase: async (work, _, rows) => {
    await work.run(sql`update audit_log set reason = null, before = case when ${ofMemory} then before end,
        after = case when ${ofMemory} then after end
      where tenant_id = ${work.tenant_id} and number = any(${numbersOf(rows)})`);
  },
};

const keptReplies: HolderTable = {
  table: sql`kept_replies`,
  number: sql`number`,
  perStep: 20,
  select: (span) => sql`select number, '' as id, '' as target, key || ' ' || body as text
    from kept_replies where tenant_id = ${span.tenant_id} and ${within(sql`number`, span)} and body is not null`,
  fleet: null,
  // They live a day.
  changed: sql`''`,
  erase: async (work, _, rows) => {
    await work.run(
      sql`delete from kept_replies where tenant_id = ${work.tenant_id} and number = any(${numbersOf(rows)})`,
    );
  },
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
async function auditErased(
  work: TenantWork,
  { actor, clock }: By,
  action: string,
  rows: readonly HeldText[],
): Promise<void> {
  const event = { action, at: toTimestamp(clock.now()), before: null, after: null, reason: null };
  await insertAudit(
    work,
    actor,
    rows.map(({ target }) => ({ ...event, target_id: target })),
  );
}

/** Erases what the audit and kept replies tell of rows, inside the caller's transaction. */
export async function eraseTraces(work: TenantWork, rows: readonly HeldText[]): Promise<void> {
  const named = rows.filter(({ target }) => target !== "");
  await eraseAudit(work, ...named.map(({ target }) => target));
  await eraseReplies(
    work,
    named.map(({ id }) => id),
  );
}
