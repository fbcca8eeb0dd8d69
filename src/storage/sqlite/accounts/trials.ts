import { and, eq, isNull, sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { TrialStore } from "../../../core/ports/trial-store.ts";
import { removeIndexed } from "../../documents/indexes.ts";
import { eraseRows } from "../../memories/erase.ts";
import { removeMemories } from "../../memories/remove.ts";
import { rows, run } from "../../units/unit.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { memories } from "../engine/tables.ts";
import { changing } from "../units/run.ts";

/** Throwaway tenants over SQLite: what is listed, and how one is erased whole. */
export const sqliteTrialStore = (db: Engine, clock: Clock): TrialStore => ({
  list: () =>
    guarded(() =>
      db.readConnection
        .query<{ tenant_id: string }, []>(TRIALS)
        .all()
        .map(({ tenant_id }) => tenant_id),
    ),
  erase: (trial) =>
    guarded(() =>
      db.transaction(() => {
        const erased = eraseMemories(db, clock, trial);
        eraseDocuments(db, trial);
        for (const statement of REST) db.writeConnection.query(statement).run(trial);
        return { memories: erased, left: rowsOf(db, trial) };
      }),
    ),
});

const TRIALS = "select tenant_id from tenant_usage where tenant_id glob 'cairn-trial-*'";

/** Nobody else's traces are wiped for it: what is tried out is no secret. */
function eraseMemories(db: Engine, clock: Clock, tenant_id: string): number {
  const by = {
    actor: { agent_id: null, auth_source: "standalone" },
    now: toTimestamp(clock.now()),
    nowMs: clock.now(),
  };
  const live = db.drizzleWrite
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.tenant_id, tenant_id), isNull(memories.deleted_at)))
    .all();
  const ids = live.map(({ id }) => id);
  const taken = { filter: { tenant_id, ids }, limit: ids.length };
  if (ids.length > 0) changing(db, tenant_id, (work) => removeMemories(work, taken, by));
  const gone = db.drizzleWrite.select().from(memories).where(eq(memories.tenant_id, tenant_id)).all();
  changing(db, tenant_id, (work) => eraseRows(work, gone));
  return gone.length;
}

const eraseDocuments = (db: Engine, tenant_id: string): void =>
  changing(db, tenant_id, function* (work) {
    const found = yield* rows<{ seq: number }>(sql`select seq from documents where tenant_id = ${tenant_id}`);
    for (const { seq } of found) yield* removeIndexed(work, seq);
    yield* run(sql`delete from documents where tenant_id = ${tenant_id}`);
  });

const ITS_ENTITIES = "select seq from entities where tenant_id = ?1";

/** What rows leave behind, in the order in which it may go. */
const REST = [
  `delete from memory_entities where entity_seq in (${ITS_ENTITIES})`,
  `delete from entity_entries where entity_seq in (${ITS_ENTITIES})`,
  `delete from entity_audiences where entity_seq in (${ITS_ENTITIES})`,
  "delete from waiting_links where entity_id in (select id from entities where tenant_id = ?1)",
  "delete from entity_aliases where tenant_id = ?1",
  "delete from relations where tenant_id = ?1",
  "delete from entities where tenant_id = ?1",
  "delete from audience_rows where audience in (select id from audiences where tenant_id = ?1)",
  "delete from audiences where tenant_id = ?1",
  "delete from agents where tenant_id = ?1",
  "delete from collections where tenant_id = ?1",
  "delete from org_settings where tenant_id = ?1",
  "delete from imports where tenant_id = ?1",
  "delete from skill_poison where tenant_id = ?1",
  "delete from forge_runs where tenant_id = ?1",
  "delete from kept_replies where tenant_id = ?1",
  "delete from api_keys where tenant_id = ?1",
  "delete from tenant_usage where tenant_id = ?1",
  "delete from audit_log where tenant_id = ?1",
  "delete from jobs where payload ->> '$.tenant_id' = ?1",
];

/** Rows of all tables that name the tenant. */
function rowsOf(db: Connections, tenant_id: string): number {
  const tables = db.writeConnection
    .query<{ name: string }, []>(
      "select t.name from pragma_table_list t, pragma_table_info(t.name) c where t.type = 'table' and c.name = 'tenant_id'",
    )
    .all();
  const counts = tables.map(({ name }) =>
    db.writeConnection
      .query<{ n: number }, [string]>(`select count(*) as n from "${name}" where tenant_id = ?`)
      .get(tenant_id),
  );
  return counts.reduce((sum, row) => sum + (row?.n ?? 0), 0);
}
