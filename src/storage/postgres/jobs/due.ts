import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { JobLane } from "../../../core/ports/job-store.ts";
import { rankOfLane } from "../../common/job-ranks.ts";
import type { Work } from "../engine/work.ts";

/** Who asks, and when. `holder` names the process among those that use the database. */
export interface Asked {
  readonly holder: string;
  readonly nowMs: number;
}

/** SQL of whether a living process has a job in hand. */
export const isHeld = (nowMs: number): SQL => sql`coalesce(held_until > ${nowMs}, false)`;

/** SQL of whether a job of a lane is due, and no other process has it in hand. */
export const isClaimable = (lane: JobLane, { holder, nowMs }: Asked): SQL => sql`rank = ${rankOfLane(lane)}
  and run_after <= ${nowMs} and (not ${isHeld(nowMs)} or held_by = ${holder})
  and ${lane === "others" ? mayGo(nowMs) : sql`true`}`;

/** Rows that still wait for their vectors would be read without them, and then once more: their jobs stand before. */
const mayGo = (nowMs: number): SQL => sql`(kind <> 'understand_memories' or id < coalesce((
  select min(e.id) from jobs e where e.rank = ${rankOfLane("embedding")} and e.kind = 'embed_memories'
    and (e.run_after <= ${nowMs} or e.held_until > ${nowMs})), ${Number.MAX_SAFE_INTEGER}))`;

/**
 * When the next job becomes due that may go. What another process has in hand is due once its lease ends: who asked again
 * before would find nothing, and so over and over.
 */
export async function nextDue(work: Work, { holder, nowMs }: Asked): Promise<number | null> {
  const row = await work.row<{ due: number | null }>(sql`select least(
    (select min(run_after) from jobs where held_by is null and ${mayGo(nowMs)}),
    (select min(case when held_by = ${holder} then run_after else greatest(run_after, held_until) end)
      from jobs where held_by is not null)) as due`);
  return row?.due ?? null;
}

/** Whether no job is due or in hand. */
export async function isIdle(work: Work, nowMs: number): Promise<boolean> {
  const busy = await work.row(sql`select 1 as one from jobs where run_after <= ${nowMs} or ${isHeld(nowMs)} limit 1`);
  return busy === null;
}
