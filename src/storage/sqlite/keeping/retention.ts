import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { RetentionStore } from "../../../core/ports/keeping/retention.ts";
import type { GroupedConnections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { giveBackPages } from "../engine/free-pages.ts";
import { removeUnknownJobs } from "../jobs/unknown.ts";

/** How long the thread that answers is held to give pages back; the commit takes as long again. */
const GIVE_BACK_MS = 4;
/** Steps that write so much to the log that it is emptied before it is so large that a commit has to. */
const STEPS_PER_LOG = 8;

const OLD_REPLIES =
  "delete from kept_replies where rowid in (select rowid from kept_replies where expires < $now limit $limit)";
const OLD_DENIALS =
  "delete from skill_poison where id in (select id from skill_poison where expires_at <= $now limit $limit)";

/** The newest stays, for the next one is numbered after it. */
const OLD_AUDIT = `delete from audit_log where id in (
  select id from (select id, at, number from audit_log where tenant_id = $tenant order by number limit $limit)
  where at < $before and number < (select max(number) from audit_log where tenant_id = $tenant))`;

/** The largest data file that is written anew while the server serves: some two seconds. */
const REWRITTEN_MAX_BYTES = 256 * 1024 * 1024;
const FILE_BYTES = "select page_count * page_size as bytes from pragma_page_count, pragma_page_size";

type Values = Readonly<Record<string, string | number>>;

/** The retention store over SQLite. */
export function sqliteRetentionStore(db: GroupedConnections): RetentionStore {
  const change = <T>(body: () => T) => guarded(() => db.write(body));
  const remove = (statement: string, values: Values): number =>
    db.writeConnection.query<unknown, Values>(statement).run(values).changes;
  let steps = 0;
  return {
    removeSpent: (nowMs, limit) =>
      change(() => {
        const replies = remove(OLD_REPLIES, { $now: nowMs, $limit: limit });
        const denials = remove(OLD_DENIALS, { $now: toTimestamp(nowMs), $limit: limit });
        return replies + denials + removeUnknownJobs(db, limit);
      }),
    removeAudit: (tenant_id, before, limit) =>
      change(() => remove(OLD_AUDIT, { $tenant: tenant_id, $before: before, $limit: limit })),
    rewrite: () =>
      guarded(() => {
        const { bytes } = db.readConnection.query<{ bytes: number }, []>(FILE_BYTES).get() ?? { bytes: 0 };
        if (bytes > REWRITTEN_MAX_BYTES || db.writeConnection.inTransaction) return false;
        db.writeConnection.exec("vacuum");
        return true;
      }),
    giveBackPages: async () => {
      const isMore = await change(() => giveBackPages(db.writeConnection, GIVE_BACK_MS, () => performance.now()));
      steps++;
      // While somebody reads from it, it grows.
      if (steps % STEPS_PER_LOG === 0) await db.emptyLog().catch(() => {});
      return isMore;
    },
  };
}
