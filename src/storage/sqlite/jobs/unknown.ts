import { Job } from "../../../core/schema/job.ts";
import type { Connections } from "../engine/connection.ts";

const KNOWN: ReadonlySet<string> = new Set(Job.options.map(({ shape }) => shape.kind.value));
/** A job of an unknown kind is looked at every five minutes: so many times in a month. */
const ATTEMPTS_OF_A_MONTH = (30 * 24 * 60) / 5;

/**
 * Removes jobs of kinds that this release does not know and that have waited a month for one that does; those it knows are
 * tried for ever. Returns how many.
 */
export function removeUnknownJobs(db: Connections, limit: number): number {
  const after = db.writeConnection.query<{ kind: string | null }, [string]>(
    "select min(kind) as kind from jobs where kind > ?",
  );
  const remove = db.writeConnection.query<unknown, [string, number, number]>(
    "delete from jobs where id in (select id from jobs where kind = ? and attempt > ? limit ?)",
  );
  let removed = 0;
  for (let kind = after.get("")?.kind ?? null; kind !== null; kind = after.get(kind)?.kind ?? null)
    if (!KNOWN.has(kind)) removed += remove.run(kind, ATTEMPTS_OF_A_MONTH, limit - removed).changes;
  return removed;
}
