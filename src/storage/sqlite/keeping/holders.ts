import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { HeldText, Holder } from "../../../core/ports/keeping/forgetting.ts";
import type { By } from "../../documents/write.ts";
import { removeDocument } from "../../documents/write.ts";
import { eraseAudit, insertAudit } from "../accounts/audit.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import type { Engine } from "../engine/connection.ts";
import { changing } from "../units/run.ts";
import type { HolderTable } from "./holder-table.ts";
import { LABEL_HOLDERS } from "./label-holders.ts";

const ENDS = "select canonical_name from entities where seq =";

export const HOLDER_TABLES: Readonly<Record<Holder, HolderTable>> = {
  documents: {
    table: "documents",
    number: "seq",
    // Each may be as large as a document can be.
    perStep: 10,
    select: `select d.seq as number, d.id, d.collection || '/' || d.doc_id as target, 
        d.collection || ' ' || d.doc_id || ' ' || d.data as text
      from documents d where d.tenant_id = $tenant and d.seq between $from and $to`,
    fleet: "d.fleet_id",
    changed: "d.updated_at",
    erase: (db, by, tenant_id, rows) => {
      const keyOf = db.writeConnection.query<{ collection: string; doc_id: string }, [string, number]>(
        "select collection, doc_id from documents where tenant_id = ? and seq = ?",
      );
      for (const { number } of rows) {
        const key = keyOf.get(tenant_id, number);
        if (key)
          changing(db, tenant_id, (work) => removeDocument(work, by, { tenant_id, ...key }, () => "document.erase"));
      }
    },
  },
  entities: {
    table: "entity_entries",
    number: "seq",
    perStep: 100,
    select: `select h.seq as number, e.id, e.id as target, h.canonical_name || ' ' ||
        coalesce(h.entity_type, '') || ' ' || coalesce(h.attributes, '') || ' ' ||
        coalesce((select group_concat(a.name, ' ') from entity_aliases a
          where a.tenant_id = e.tenant_id and a.entity_seq = e.seq and a.memory_seq = -h.seq), '') as text
      from entity_entries h cross join entities e on e.seq = h.entity_seq
      where e.tenant_id = $tenant and h.seq between $from and $to`,
    fleet: "h.fleet_id",
    changed: "h.updated_at",
    erase: (db, by, tenant_id, rows) => {
      const aliases = db.writeConnection.query<unknown, [string, string, number]>(
        `delete from entity_aliases where tenant_id = ?1
        and entity_seq = (select seq from entities where tenant_id = ?1 and id = ?2) and memory_seq = -?3`,
      );
      const entries = db.writeConnection.query<unknown, [number]>("delete from entity_entries where seq = ?");
      for (const { number, id } of rows) {
        aliases.run(tenant_id, id, number);
        entries.run(number);
      }
      auditErased(db, by, { tenant_id, action: "entity.erase" }, rows);
    },
  },
  relations: {
    table: "relations",
    number: "seq",
    perStep: 100,
    select: `select r.seq as number, r.id, r.id as target,
        (${ENDS} r.from_seq) || ' ' || r.relation_type || ' ' || (${ENDS} r.to_seq) as text
      from relations r where r.tenant_id = $tenant and r.seq between $from and $to`,
    fleet: "r.fleet_id",
    changed: "r.updated_at",
    erase: (db, by, tenant_id, rows) => {
      const relations = db.writeConnection.query<unknown, [string, number]>(
        "delete from relations where tenant_id = ? and seq = ?",
      );
      for (const { number } of rows) relations.run(tenant_id, number);
      auditErased(db, by, { tenant_id, action: "relation.erase" }, rows);
    },
  },
  audit_entries: {
    table: "audit_log",
    number: "id",
    perStep: 500,
    // What entries say of memories is no text.
    select: `select l.id as number, '' as id, '' as target, coalesce(l.reason, '') || ' ' ||
        case when l.action glob 'memory.*' then '' else coalesce(l.before, '') || ' ' || coalesce(l.after, '') end as text
      from audit_log l where l.tenant_id = $tenant and l.id between $from and $to
        and coalesce(l.before, l.after, l.reason) is not null`,
    fleet: null,
    changed: "l.at",
    erase: (db, _, tenant_id, rows) => {
      const texts = db.writeConnection.query<unknown, [string, number]>(
        `update audit_log set reason = null,
          before = case when action glob 'memory.*' then before end, after = case when action glob 'memory.*' then after end
        where tenant_id = ? and id = ?`,
      );
      for (const { number } of rows) texts.run(tenant_id, number);
    },
  },
  kept_replies: {
    table: "kept_replies",
    number: "rowid",
    perStep: 20,
    select: `select k.rowid as number, '' as id, '' as target, k.key || ' ' || k.body as text
      from kept_replies k where k.tenant_id = $tenant and k.rowid between $from and $to and k.body is not null`,
    fleet: null,
    // They live a day.
    changed: "''",
    erase: (db, _, tenant_id, rows) => {
      const replies = db.writeConnection.query<unknown, [string, number]>(
        "delete from kept_replies where tenant_id = ? and rowid = ?",
      );
      for (const { number } of rows) replies.run(tenant_id, number);
    },
  },
  ...LABEL_HOLDERS,
};

/** That rows were erased, and by whom. */
function auditErased(
  db: Engine,
  { actor, clock }: By,
  what: { readonly tenant_id: string; readonly action: string },
  rows: readonly HeldText[],
): void {
  const event = { ...what, at: toTimestamp(clock.now()), before: null, after: null, reason: null };
  insertAudit(
    db,
    actor,
    rows.map(({ target }) => ({ ...event, target_id: target })),
  );
}

/** Erases what the audit and kept replies tell of rows, inside the caller's transaction. */
export function eraseTraces(db: Engine, tenant_id: string, rows: readonly HeldText[]): void {
  const named = rows.filter(({ target }) => target !== "");
  for (const { target } of named) eraseAudit(db, tenant_id, target);
  eraseReplies(
    db,
    named.map(({ id }) => id),
  );
}
