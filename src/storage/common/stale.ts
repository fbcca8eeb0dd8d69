import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { StaleRow, StaleRows } from "../../core/ports/keeping/stale-rows.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";

/** The tables that a model reads. */
type Table = "memories" | "documents";

/** Rows `t` that a model reads, by who has read them. */
const readRows = ({ indexed }: SqlDialect, table: Table): SQL =>
  table === "memories"
    ? sql`memories t ${indexed("memories_pending")} where t.deleted_at is null`
    : sql`documents t ${indexed("documents_pending")} where t.summary is not null`;

/** The tenants with rows that only other models than this one have read. */
export function* staleTenants({ dialect }: Work, table: Table, embedder_id: string): Unit<string[]> {
  const from = readRows(dialect, table);
  // From each tenant to the next one: what lies between them is never read.
  const found = yield* rows<{ tenant_id: string }>(sql`with recursive tenants (tenant_id) as (
      select (select min(t.tenant_id) from ${from})
      union all
      select (select min(t.tenant_id) from ${from} and t.tenant_id > o.tenant_id) from tenants o where o.tenant_id is not null
    )
    select o.tenant_id from tenants o where o.tenant_id is not null and (
      exists (select 1 from ${from} and t.tenant_id = o.tenant_id and t.embedded_by < ${embedder_id})
      or exists (select 1 from ${from} and t.tenant_id = o.tenant_id and t.embedded_by > ${embedder_id}))`);
  return found.map(({ tenant_id }) => tenant_id);
}

/** Rows of a tenant that only other models have read, newest first. */
export function* staleRows(
  { dialect }: Work,
  table: Table,
  { tenant_id, embedder_id, below, limit }: StaleRows,
): Unit<StaleRow[]> {
  const own = sql`${readRows(dialect, table)} and t.tenant_id = ${tenant_id}`;
  const older = below === null ? sql`true` : sql`t.seq < ${below}`;
  const found: StaleRow[] = [];
  // What one model has read lies together, in order: there are few models, and no rows of this one are read.
  const models = sql`select min(t.embedded_by) as embedded_by from ${own}`;
  for (let model = yield* row<Model>(models); model?.embedded_by != null; ) {
    const { embedded_by } = model;
    if (embedded_by !== embedder_id)
      found.push(
        ...(yield* rows<StaleRow>(sql`select t.seq, t.id from ${own} and t.embedded_by = ${embedded_by} and ${older}
          order by t.seq desc limit ${int(limit)}`)),
      );
    model = yield* row<Model>(sql`${models} and t.embedded_by > ${embedded_by}`);
  }
  return found.sort((a, b) => b.seq - a.seq).slice(0, limit);
}

interface Model {
  readonly embedded_by: string | null;
}
