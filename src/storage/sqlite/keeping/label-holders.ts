import type { Holder } from "../../../core/ports/keeping/forgetting.ts";
import { ERASED_NAME } from "../../../core/ports/keeping/forgetting.ts";
import type { HolderTable } from "./holder-table.ts";

/** Holders of what people and programs write beside the rows themselves: the row stays, and what it says goes. */
type LabelHolder = Exclude<Holder, "documents" | "entities" | "relations" | "audit_entries" | "kept_replies">;

/** Runs a statement with tenant and number of each row. */
const perRow =
  (statement: string): HolderTable["erase"] =>
  (db, _, tenant_id, rows) => {
    const query = db.writeConnection.query<unknown, [string, number]>(statement);
    for (const { number } of rows) query.run(tenant_id, number);
  };

/** Sources have no number: they are counted in the order of their names, all in one step, as those that go would move the rest. */
const SOURCES = "(select row_number() over (order by tenant_id, source) as number from imports)";
const ALL = 1_000_000;

export const LABEL_HOLDERS: Readonly<Record<LabelHolder, HolderTable>> = {
  agent_names: {
    table: "agents",
    number: "seq",
    perStep: 500,
    select: `select a.seq as number, '' as id, '' as target, a.display_name as text
      from agents a where a.tenant_id = $tenant and a.seq between $from and $to and a.display_name is not null`,
    fleet: null,
    changed: "a.updated_at",
    erase: perRow("update agents set display_name = null where tenant_id = ? and seq = ?"),
  },
  key_labels: {
    table: "api_keys",
    number: "rowid",
    perStep: 500,
    select: `select k.rowid as number, '' as id, '' as target, k.label as text
      from api_keys k where k.tenant_id = $tenant and k.rowid between $from and $to and k.label is not null`,
    fleet: null,
    changed: "k.created_at",
    erase: perRow("update api_keys set label = null where tenant_id = ? and rowid = ?"),
  },
  audit_targets: {
    table: "audit_log",
    number: "id",
    perStep: 500,
    select: `select l.id as number, '' as id, '' as target, l.target_id as text
      from audit_log l where l.tenant_id = $tenant and l.id between $from and $to and l.action not glob 'memory.*'`,
    fleet: null,
    changed: "l.at",
    erase: perRow(`update audit_log set target_id = '${ERASED_NAME}' where tenant_id = ? and id = ?`),
  },
  request_names: {
    table: "memories",
    number: "seq",
    perStep: 500,
    select: `select m.seq as number, '' as id, '' as target, m.client_request_id as text
      from memories m where m.tenant_id = $tenant and m.seq between $from and $to and m.client_request_id is not null`,
    fleet: null,
    changed: "m.created_at",
    erase: perRow("update memories set client_request_id = null where tenant_id = ? and seq = ?"),
  },
  kept_texts: {
    table: "kept_texts",
    number: "seq",
    perStep: 100,
    select: `select k.seq as number, '' as id, '' as target, k.content || ' ' || coalesce(k.title, '') as text
      from kept_texts k where k.tenant_id = $tenant and k.seq between $from and $to`,
    fleet: null,
    changed: "k.replaced_at",
    erase: perRow("delete from kept_texts where tenant_id = ? and seq = ?"),
  },
  rejections: {
    table: "skill_poison",
    number: "id",
    perStep: 500,
    select: `select p.id as number, '' as id, '' as target, p.reason as text
      from skill_poison p where p.tenant_id = $tenant and p.id between $from and $to`,
    fleet: null,
    changed: "p.rejected_at",
    erase: perRow("update skill_poison set reason = '' where tenant_id = ? and id = ?"),
  },
  forge_runs: {
    table: "forge_runs",
    number: "seq",
    perStep: 100,
    select: `select f.seq as number, '' as id, '' as target, f.clusters || ' ' || coalesce(f.error, '') as text
      from forge_runs f where f.tenant_id = $tenant and f.seq between $from and $to`,
    fleet: null,
    changed: "f.requested_at",
    erase: perRow("update forge_runs set clusters = '[]', error = null where tenant_id = ? and seq = ?"),
  },
  import_sources: {
    table: SOURCES,
    number: "number",
    perStep: ALL,
    select: `select i.number, i.source as id, '' as target, i.source as text
      from (select *, row_number() over (order by tenant_id, source) as number from imports) i
      where i.tenant_id = $tenant and i.number between $from and $to`,
    fleet: null,
    changed: "i.updated_at",
    erase: (db, _, tenant_id, rows) => {
      const sources = db.writeConnection.query<unknown, [string, string]>(
        "delete from imports where tenant_id = ? and source = ?",
      );
      for (const { id } of rows) sources.run(tenant_id, id);
    },
  },
  empty_collections: {
    table: "collections",
    number: "id",
    perStep: 500,
    select: `select c.id as number, '' as id, '' as target, c.name as text
      from collections c where c.tenant_id = $tenant and c.id between $from and $to
        and not exists (select 1 from documents d where d.tenant_id = c.tenant_id and d.collection = c.name)`,
    fleet: null,
    changed: "''",
    erase: perRow("delete from collections where tenant_id = ? and id = ?"),
  },
};
