import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ForgettingStore, HeldFilter, HeldText, Traces } from "../../../core/ports/keeping/forgetting.ts";
import { row } from "../../units/unit.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { queueAfter } from "../jobs/queue.ts";
import { sqliteDialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";
import type { HolderTable } from "./holder-table.ts";
import { eraseTraces, HOLDER_TABLES } from "./holders.ts";

/** Finds and erases what holds texts, over SQLite. */
export function sqliteForgettingStore(db: Engine, clock: Clock, jobAdded: () => void): ForgettingStore {
  return {
    held: (holder, filter, after) => guarded(() => heldTexts(db, HOLDER_TABLES[holder], filter, after)),
    erase: async (holder, tenant_id, rows, actor) => {
      await guarded(() =>
        db.write(() => {
          HOLDER_TABLES[holder].erase(db, { clock, actor }, tenant_id, rows);
          // Last, so that a hash which is noted of the erasure itself goes, too.
          eraseTraces(db, tenant_id, rows);
          queueAfter(db, { kind: "memories_erased", now_ms: clock.now() });
        }),
      );
      jobAdded();
    },
    traces: (tenant_id, rows) => guarded(() => tracesOf(db, tenant_id, rows)),
  };
}

/** Rows within the next numbers that there are: so many are looked at, however many are of the tenant. */
function heldTexts(db: Connections, holder: HolderTable, { tenant_id, fleet_id, before }: HeldFilter, after: number) {
  const { table, number, perStep, select, fleet, changed } = holder;
  const first = db.readConnection
    .query<{ n: number | null }, [number]>(`select min(${number}) as n from ${table} where ${number} > ?`)
    .get(after)?.n;
  if (first == null || (fleet_id !== undefined && fleet === null)) return { rows: [], next: null };
  const to = first + perStep - 1;
  const rows = db.readConnection
    .query<HeldText, Record<string, string | number | null>>(
      `${select} and ($fleet is null or ${fleet ?? "null"} = $fleet) and ($before is null or ${changed} < $before)
      order by number`,
    )
    .all({ $tenant: tenant_id, $from: first, $to: to, $fleet: fleet_id ?? null, $before: before ?? null });
  return { rows, next: to };
}

const TOLD = `select count(*) as n from json_each(?) wanted
  cross join audit_log l on l.tenant_id = ? and l.target_id = wanted.value
  where coalesce(l.before, l.after, l.reason) is not null`;

function tracesOf(db: Connections, tenant_id: string, rows: readonly Pick<HeldText, "id" | "target">[]): Traces {
  const count = (statement: string, names: readonly string[]): number =>
    db.readConnection.query<{ n: number }, [string, string]>(statement).get(JSON.stringify(names), tenant_id)?.n ?? 0;
  return {
    audit_entries: count(
      TOLD,
      rows.map(({ target }) => target),
    ),
    kept_replies:
      drive(
        db.readConnection,
        row<{ n: number }>(sql`select count(*) as n from kept_replies where +tenant_id = ${tenant_id}
        and ${sqliteDialect.showsAny(rows.map(({ id }) => id))}`),
      )?.n ?? 0,
  };
}
