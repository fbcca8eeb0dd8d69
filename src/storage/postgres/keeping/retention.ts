import { sql } from "drizzle-orm";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { RetentionStore } from "../../../core/ports/keeping/retention.ts";
import type { Engine, Work } from "../engine/work.ts";
import { removeUnknownJobs } from "../jobs/unknown.ts";

/**
 * The retention store over Postgres. Room that rows leave is given to new ones, or back to the disk, by the server itself
 * (autovacuum), which also writes anew what they lay in: nothing is asked of it here.
 */
export const postgresRetentionStore = (engine: Engine): RetentionStore => ({
  removeSpent: (nowMs, limit) =>
    engine.change(async (work) => {
      const replies = await removeReplies(work, nowMs, limit);
      const denials = await removeDenials(work, nowMs, limit);
      return replies + denials + (await removeUnknownJobs(work, limit));
    }),
  removeAudit: (tenant_id, before, limit) =>
    engine.write(tenant_id, (work) =>
      // The newest stays.
      work.run(sql`delete from audit_log where tenant_id = ${tenant_id} and at < ${before}
        and number in (select number from audit_log where tenant_id = ${tenant_id} order by number limit ${limit})
        and number < (select max(number) from audit_log where tenant_id = ${tenant_id})`),
    ),
  giveBackPages: async () => false,
  rewrite: async () => false,
});

// Rows that another process is just about to remove are left to it.

const removeReplies = (work: Work, nowMs: number, limit: number): Promise<number> =>
  work.run(sql`delete from kept_replies where (tenant_id, number) in (
    select tenant_id, number from kept_replies where expires < ${nowMs} limit ${limit} for update skip locked)`);

const removeDenials = (work: Work, nowMs: number, limit: number): Promise<number> =>
  work.run(sql`delete from skill_poison where (tenant_id, id) in (
    select tenant_id, id from skill_poison where expires_at <= ${toTimestamp(nowMs)} limit ${limit}
    for update skip locked)`);
