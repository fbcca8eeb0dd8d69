import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import type { ForgettingStore, HeldFilter, HeldText, Traces } from "../../core/ports/keeping/forgetting.ts";
import { eraseAudit } from "../accounts/audit.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import { queueAfter } from "../jobs/queue.ts";
import { int, ofFleet } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { ChangeWork, Runner, Work } from "../units/work.ts";
import type { HolderTable } from "./holder-table.ts";
import { HOLDER_TABLES } from "./holders.ts";

/** Finds and erases what holds texts. */
export const forgettingStore = ({ look, snapshot, write }: Runner, clock: Clock): ForgettingStore => ({
  held: (holder, filter, after) => snapshot((work) => heldTexts(work, HOLDER_TABLES[holder], filter, after)),
  erase: (holder, tenant_id, held, actor) =>
    write(tenant_id, function* (work) {
      yield* HOLDER_TABLES[holder].erase(work, { clock, actor }, held);
      // Last, so that a hash which is noted of the erasure itself goes, too.
      yield* eraseTraces(work, held);
      yield* queueAfter(work, { kind: "memories_erased", now_ms: clock.now() });
    }),
  traces: (tenant_id, held) => look((work) => tracesOf(work, tenant_id, held)),
});

/** The next rows of the tenant, among a few numbers: so many are looked at, however few pass the filter. */
function* heldTexts({ dialect }: Work, holder: HolderTable, filter: HeldFilter, after: number) {
  const { tenant_id, fleet_id, before } = filter;
  const { table, perStep, fleet, changed } = holder;
  const number = holder.number(dialect);
  const last = yield* row<{ n: number | null }>(
    dialect.tellsTenants || holder.isOfTenant
      ? sql`select max(n) as n from (
          select ${number} as n from ${table} h where tenant_id = ${tenant_id} and ${number} > ${after}
          order by n limit ${int(perStep)}) as looked_at`
      : // All tenants' rows are numbered together there.
        sql`select min(${number}) + ${int(perStep - 1)} as n from ${table} h where ${number} > ${after}`,
  );
  const to = last?.n;
  if (to == null || (fleet_id !== undefined && fleet === null)) return { rows: [], next: null };
  const isOfFleet = fleet === null || fleet_id === undefined ? TRUE : ofFleet(fleet, fleet_id);
  const held = yield* rows<HeldText>(sql`${holder.select(dialect, { tenant_id, after, to })} and ${isOfFleet}
    and ${before === undefined ? TRUE : sql`${changed} < ${before}`} order by number`);
  return { rows: held, next: to };
}

const TRUE: SQL = sql`true`;

/** Erases what the audit and kept replies tell of rows, inside the caller's transaction. */
function* eraseTraces(work: ChangeWork, held: readonly HeldText[]): Unit<void> {
  const named = held.filter(({ target }) => target !== "");
  const targets = named.map(({ target }) => target);
  yield* eraseAudit(work, targets);
  const ids = named.map(({ id }) => id);
  yield* eraseReplies(work, ids);
}

type Named = Pick<HeldText, "id" | "target">;

function* tracesOf({ dialect }: Work, tenant_id: string, held: readonly Named[]): Unit<Traces> {
  const targets = held.map(({ target }) => target);
  const ids = held.map(({ id }) => id);
  const found = yield* row<Traces>(sql`select
    (select count(*) from audit_log where tenant_id = ${tenant_id} and ${dialect.isIn(sql`target_id`, targets)}
      and (before is not null or after is not null or reason is not null)) as audit_entries,
    (select count(*) from kept_replies
      where ${dialect.belongs("kept_replies", tenant_id)} and ${dialect.showsAny(ids)}) as kept_replies`);
  return found ?? { audit_entries: 0, kept_replies: 0 };
}
