import { requireOwner } from "../access/trust.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Snapshot } from "../core/schema/keeping/snapshot.ts";

/** How often it is looked whether all jobs are done, and how long. */
const LOOK_MS = 5;
const WAIT_MS = 2_000;

/**
 * Remembers everything that is stored, once all that was written can be found and was read for what it says. For the owner of
 * the machine: it holds all tenants. Throws CONFLICT where jobs are left after two seconds, or a folder keeps the data.
 */
export async function takeSnapshot(ctx: Ctx): Promise<Snapshot> {
  requireOwner(ctx);
  await untilSettled(ctx);
  const { memory_count: memories } = await ctx.storage.memories.counters();
  // What was written while that was counted would be in the snapshot with its jobs.
  await untilSettled(ctx);
  return ctx.snapshots.take({ taken_at: toTimestamp(ctx.clock.now()), memories });
}

/** Puts everything back to where it was remembered. For the owner of the machine. Throws CONFLICT where nothing was. */
export async function restoreSnapshot(ctx: Ctx): Promise<Snapshot> {
  requireOwner(ctx);
  return ctx.snapshots.restore();
}

async function untilSettled(ctx: Ctx): Promise<void> {
  const endsAt = performance.now() + WAIT_MS;
  while (!(await ctx.snapshots.isSettled())) {
    if (performance.now() > endsAt) throw jobsLeft(await ctx.storage.jobs.tally(ctx.clock.now(), null));
    await new Promise((resume) => setTimeout(resume, LOOK_MS));
  }
}

const jobsLeft = ({ due, running, failing }: Record<"due" | "running" | "failing", number>): AppError =>
  new AppError(
    "CONFLICT",
    `What was written is still being read: ${due + running} jobs are left, ${failing} have failed and are tried again. Nothing was taken. Send it again.`,
    { reason: "jobs_left", due, running, failing },
  );
