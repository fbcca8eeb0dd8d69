import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { TrialStore } from "../../core/ports/trial-store.ts";
import { removeIndexed } from "../documents/indexes.ts";
import { tenantOf } from "../jobs/tally.ts";
import type { ErasedRow } from "../memories/erase.ts";
import { eraseRows } from "../memories/erase.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { ChangeWork, Runner, TenantWork } from "../units/work.ts";

/** Throwaway tenants: what is listed, and how one is erased whole; `tables` reads the `name` of all that name a tenant. */
export const trialStore = ({ look, write }: Runner, tables: SQL): TrialStore => ({
  list: () => look(listTrials),
  erase: (trial) =>
    write(trial, function* (work) {
      yield* emptyOf(work, ENTITIES);
      const memories = yield* rows<ErasedRow>(sql`select seq, id, run_id from memories where tenant_id = ${trial}`);
      // Nobody else's traces are wiped for it: what is tried out is no secret.
      yield* eraseRows(work, memories);
      yield* eraseDocuments(work);
      yield* emptyOf(work, REST);
      if (work.dialect.tellsTenants) yield* run(sql`delete from word_rows where tenant_id = ${trial}`);
      yield* run(sql`delete from jobs where ${tenantOf(work.dialect)} = ${trial}`);
      return { memories: memories.length, left: yield* rowsOf(work, tables) };
    }),
});

const PREFIX = "cairn-trial-";

function* listTrials(): Unit<string[]> {
  const found = yield* rows<{ tenant_id: string }>(sql`select tenant_id from tenant_usage
    where tenant_id > ${PREFIX} and substr(tenant_id, 1, ${int(PREFIX.length)}) = ${PREFIX} order by tenant_id`);
  return found.map(({ tenant_id }) => tenant_id);
}

function* eraseDocuments(work: ChangeWork): Unit<void> {
  const { tenant_id } = work;
  const found = yield* rows<{ seq: number }>(sql`select seq from documents where tenant_id = ${tenant_id}`);
  for (const { seq } of found) yield* removeIndexed(work, seq);
  yield* run(sql`delete from documents where tenant_id = ${tenant_id}`);
}

/** Tables and, where one engine has no column of the tenant in them, what of the tenant their rows name, by which column. */
type Emptied = readonly (string | readonly [table: string, column: string, named: string])[];

/** What names memories or entities, and then these, in the order in which it may go. */
const ENTITIES: Emptied = [
  ["memory_entities", "entity_seq", "select seq from entities"],
  "entity_aliases",
  ["entity_entries", "entity_seq", "select seq from entities"],
  ["entity_audiences", "entity_seq", "select seq from entities"],
  "relations",
  ["waiting_links", "entity_id", "select id from entities"],
  "entities",
];

/** What rows leave behind. */
const REST: Emptied = [
  "collections",
  ["audience_rows", "audience", "select id from audiences"],
  "audiences",
  "agents",
  "org_settings",
  "project_registries",
  "imports",
  "skill_poison",
  "forge_runs",
  "kept_replies",
  "api_keys",
  "tenant_usage",
  "audit_log",
];

function* emptyOf({ dialect, tenant_id }: TenantWork, emptied: Emptied): Unit<void> {
  for (const one of emptied) {
    const [table, column, named] = typeof one === "string" ? [one, null, null] : one;
    const ofTenant = sql`tenant_id = ${tenant_id}`;
    const which =
      column === null || dialect.tellsTenants
        ? ofTenant
        : sql`${sql.raw(column)} in (${sql.raw(named)} where ${ofTenant})`;
    yield* run(sql`delete from ${sql.raw(table)} where ${which}`);
  }
}

/** Rows of all tables that name the tenant. */
function* rowsOf({ tenant_id }: TenantWork, tables: SQL): Unit<number> {
  const found = yield* rows<{ name: string }>(tables);
  const counts = found.map(
    ({ name }) => sql`select count(*) as n from ${sql.raw(name)} where tenant_id = ${tenant_id}`,
  );
  const all = yield* row<{ n: number }>(
    sql`select cast(sum(n) as bigint) as n from (${sql.join(counts, sql` union all `)}) as counted`,
  );
  return all?.n ?? 0;
}
