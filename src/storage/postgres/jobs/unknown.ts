import { sql } from "drizzle-orm";
import { Job } from "../../../core/schema/job.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";

const KNOWN = Job.options.map(({ shape }) => shape.kind.value);
/** A job of an unknown kind is looked at every five minutes: so many times in a month. */
const ATTEMPTS_OF_A_MONTH = (30 * 24 * 60) / 5;

/**
 * Removes jobs of kinds that this release does not know and that have waited a month for one that does; those it knows are
 * tried for ever. Returns how many.
 */
export const removeUnknownJobs = (work: Work, limit: number): Promise<number> =>
  // Kinds are looked up one after the other: there are few of them, and may be many jobs.
  work.run(sql`with recursive kinds (kind) as (
      select min(kind) from jobs
      union all select (select min(j.kind) from jobs j where j.kind > k.kind) from kinds k where k.kind is not null
    )
    delete from jobs where id in (
      select id from jobs where kind in (select kind from kinds where kind <> all(${textArray(KNOWN)}))
        and attempt > ${ATTEMPTS_OF_A_MONTH} limit ${limit})`);
