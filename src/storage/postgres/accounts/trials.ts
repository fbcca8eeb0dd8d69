import { sql } from "drizzle-orm";
import type { TrialStore } from "../../../core/ports/trial-store.ts";
import type { ErasedRow } from "../../memories/erase.ts";
import { eraseRows } from "../../memories/erase.ts";
import type { Engine, TenantWork } from "../engine/work.ts";
import { within } from "../units/run.ts";

/** Throwaway tenants over Postgres: what is listed, and how one is erased whole. */
export const postgresTrialStore = (engine: Engine): TrialStore => ({
  list: () =>
    engine.look(async (work) => {
      const rows = await work.rows<{ tenant_id: string }>(
        sql`select tenant_id from tenant_usage where starts_with(tenant_id, 'cairn-trial-') order by tenant_id`,
      );
      return rows.map(({ tenant_id }) => tenant_id);
    }),
  erase: (trial) =>
    engine.write(trial, async (work) => {
      await emptyOf(work, BEFORE_MEMORIES);
      const rows = await work.rows<ErasedRow>(sql`select seq, id, run_id from memories where tenant_id = ${trial}`);
      // Nobody else's traces are wiped for it: what is tried out is no secret.
      await within(work, (unit) => eraseRows(unit, rows));
      await emptyOf(work, REST);
      return { memories: rows.length, left: await rowsOf(work) };
    }),
});

/** What names memories or entities, and then these. */
const BEFORE_MEMORIES = [
  "memory_entities",
  "entity_aliases",
  "entity_entries",
  "entity_audiences",
  "relations",
  "waiting_links",
  "entities",
] as const;

/** What rows leave behind, in the order in which it may go. */
const REST = [
  "word_rows",
  "document_members",
  "document_words",
  "document_paraphrases",
  "document_vectors",
  "document_codes",
  "b_document_vectors",
  "b_document_codes",
  "documents",
  "collections",
  "audience_rows",
  "audiences",
  "agents",
  "org_settings",
  "imports",
  "skill_poison",
  "forge_runs",
  "kept_replies",
  "api_keys",
  "tenant_usage",
  "audit_log",
  "jobs",
] as const;

async function emptyOf(work: TenantWork, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await work.run(sql`delete from ${sql.identifier(table)} where tenant_id = ${work.tenant_id}`);
}

/** Rows of all tables that name the tenant. */
async function rowsOf(work: TenantWork): Promise<number> {
  const tables = await work.rows<{ name: string }>(sql`select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`);
  const counts = tables.map(
    ({ name }) => sql`select count(*) as n from ${sql.identifier(name)} where tenant_id = ${work.tenant_id}`,
  );
  const all = await work.row<{ n: number }>(sql`select sum(n)::bigint as n from (${sql.join(counts, sql` union all `)})
    as counted`);
  return all?.n ?? 0;
}
