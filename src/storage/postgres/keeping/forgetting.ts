import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ForgettingStore, HeldFilter, HeldText, Traces } from "../../../core/ports/keeping/forgetting.ts";
import { textArray } from "../engine/values.ts";
import type { Engine, Work } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import { postgresDialect } from "../units/dialect.ts";
import type { HolderTable } from "./holder-table.ts";
import { eraseTraces, HOLDER_TABLES } from "./holders.ts";

/** Finds and erases what holds texts, over Postgres. */
export const postgresForgettingStore = (engine: Engine, clock: Clock): ForgettingStore => ({
  held: (holder, filter, after) => engine.snapshot((work) => heldTexts(work, HOLDER_TABLES[holder], filter, after)),
  erase: (holder, tenant_id, rows, actor) =>
    engine.write(tenant_id, async (work) => {
      await HOLDER_TABLES[holder].erase(work, { clock, actor }, rows);
      // Last, so that a hash which is noted of the erasure itself goes, too.
      await eraseTraces(work, rows);
      await queueAfter(work, { kind: "memories_erased", now_ms: clock.now() });
    }),
  traces: (tenant_id, rows) => engine.look((work) => tracesOf(work, tenant_id, rows)),
});

/** The next rows of the tenant, among a few: so many are looked at, however few pass the filter. */
async function heldTexts(work: Work, holder: HolderTable, filter: HeldFilter, after: number) {
  const { tenant_id, fleet_id, before } = filter;
  const { table, number, perStep, select, fleet, changed } = holder;
  const last = await work.row<{ n: number | null }>(sql`select max(n) as n from (
    select ${number} as n from ${table} where tenant_id = ${tenant_id} and ${number} > ${after} order by n limit ${perStep}
  ) as looked_at`);
  const to = last?.n;
  if (to == null || (fleet_id !== undefined && fleet === null)) return { rows: [], next: null };
  const ofFleet = fleet === null || fleet_id === undefined ? sql`true` : sql`${fleet} = ${fleet_id}`;
  const rows = await work.rows<HeldText>(sql`${select({ tenant_id, after, to })} and ${ofFleet}
    and ${before === undefined ? sql`true` : sql`${changed} < ${before}`} order by number`);
  return { rows, next: to };
}

async function tracesOf(
  work: Work,
  tenant_id: string,
  rows: readonly Pick<HeldText, "id" | "target">[],
): Promise<Traces> {
  const targets = textArray(rows.map(({ target }) => target));
  const found = await work.row<Traces>(sql`select
    (select count(*) from audit_log where tenant_id = ${tenant_id} and target_id = any(${targets})
      and (before is not null or after is not null or reason is not null)) as audit_entries,
    (select count(*) from kept_replies where tenant_id = ${tenant_id}
      and ${postgresDialect.showsAny(rows.map(({ id }) => id))}) as kept_replies`);
  return found ?? { audit_entries: 0, kept_replies: 0 };
}
