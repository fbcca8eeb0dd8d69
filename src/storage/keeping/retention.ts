import { sql } from "drizzle-orm";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { RetentionStore } from "../../core/ports/keeping/retention.ts";
import { Job } from "../../core/schema/job.ts";
import type { Unit } from "../units/unit.ts";
import { run } from "../units/unit.ts";
import type { Runner, Work } from "../units/work.ts";

/** What an engine does about room that rows have left. */
export interface LeftRoom extends Pick<RetentionStore, "giveBackPages" | "rewrite"> {
  /** Tables that nothing reads any more: all of their rows have run out. */
  readonly spentTables: readonly string[];
}

/** The retention store. */
export const retentionStore = (
  { change, write }: Pick<Runner, "change" | "write">,
  { spentTables, ...room }: LeftRoom,
): RetentionStore => ({
  removeSpent: (nowMs, limit) =>
    change(function* (work) {
      const replies = yield* removeReplies(work, nowMs, limit);
      const denials = yield* removeDenials(work, nowMs, limit);
      let spent = 0;
      for (const table of spentTables) spent += yield* removeSpentRows(table, limit);
      return replies + denials + spent + (yield* removeUnknownJobs(work, limit));
    }),
  removeAudit: (tenant_id, before, limit) =>
    write(tenant_id, () =>
      // The newest stays, for the next one is numbered after it.
      run(sql`delete from audit_log where tenant_id = ${tenant_id} and at < ${before}
        and number in (select number from audit_log where tenant_id = ${tenant_id} order by number limit ${limit})
        and number < (select max(number) from audit_log where tenant_id = ${tenant_id})`),
    ),
  ...room,
});

/** Rows that another process is just about to remove are left to it. */
const removeReplies = ({ dialect }: Work, nowMs: number, limit: number): Unit<number> =>
  run(sql`delete from kept_replies where (tenant_id, credential, key) in (
    select tenant_id, credential, key from kept_replies where expires < ${nowMs} limit ${limit} ${dialect.unlessLocked})`);

/** The same of denials. */
const removeDenials = ({ dialect }: Work, nowMs: number, limit: number): Unit<number> =>
  run(sql`delete from skill_poison where ${dialect.key("id")} in (
    select ${dialect.tenantColumn}id from skill_poison where expires_at <= ${toTimestamp(nowMs)} limit ${limit} ${dialect.unlessLocked})`);

/** Removes rows of a table whose rows nothing reads. Returns how many. */
const removeSpentRows = (table: string, limit: number): Unit<number> =>
  run(sql`delete from ${sql.raw(table)} where seq in (select seq from ${sql.raw(table)} limit ${limit})`);

const KNOWN = Job.options.map(({ shape }) => shape.kind.value);
/** A job of an unknown kind is looked at every five minutes: so many times in a month. */
const ATTEMPTS_OF_A_MONTH = (30 * 24 * 60) / 5;

/**
 * Removes jobs of kinds that this release does not know and that have waited a month for one that does; those it knows are
 * tried for ever. Returns how many.
 */
const removeUnknownJobs = ({ dialect }: Work, limit: number): Unit<number> =>
  // Kinds are looked up one after the other: there are few of them, and may be many jobs.
  run(sql`with recursive kinds (kind) as (
      select min(kind) from jobs
      union all select (select min(j.kind) from jobs j where j.kind > k.kind) from kinds k where k.kind is not null
    )
    delete from jobs where id in (
      select id from jobs where kind in (select kind from kinds where not (${dialect.isIn(sql`kind`, KNOWN)}))
        and attempt > ${ATTEMPTS_OF_A_MONTH} limit ${limit})`);
