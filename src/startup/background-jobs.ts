import { releaseHeap } from "../core/kernel/heap.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { Services } from "../core/ports/context.ts";
import type { Job } from "../core/schema/job.ts";
import { RECURRING_KINDS } from "../core/schema/job.ts";
import type { Runner } from "../jobs/runner.ts";

/** Jobs left over from the last run wait so many milliseconds: whoever starts Cairn wants to ask it something first. */
export const BACKGROUND_JOBS_DELAY_MS = 100;

/** Returns page caches and unused heap to the operating system. */
export async function releaseMemory({ storage, log }: Services): Promise<void> {
  try {
    await storage.shrink();
  } catch (error) {
    log.warn("page caches not emptied", { cause: describeCause(error) });
  }
  releaseHeap();
}

/** Starts the job loop, then queues what a changed model and the clock ask for. */
export async function startBackgroundJobs(services: Services, runner: Runner): Promise<void> {
  runner.start();
  await queueRereading(services);
  await services.reembedding.start().catch((error: unknown) => {
    services.log.warn("re-embedding not taken up again", { cause: describeCause(error) });
  });
  await ensureRecurringJobs(services, runner);
}

/** Starts the job loop of a storage that was put back to its snapshot, which may be older than the recurring jobs. */
export async function continueJobs(services: Services, runner: Runner): Promise<void> {
  runner.start();
  await ensureRecurringJobs(services, runner);
}

/** Queues the recurring jobs that have no row yet. */
async function ensureRecurringJobs(services: Services, runner: Runner): Promise<void> {
  try {
    await ensureRecurring(services);
    runner.nudge();
  } catch (error) {
    services.log.warn("recurring jobs not queued", { cause: describeCause(error) });
  }
}

/**
 * After a change of model, every row gets a vector of the new one while search by keyword goes on. Asked for before any row is
 * compared: what is compared from then on is compared again.
 */
export async function queueRereading({ storage, embedder, clock, log }: Services): Promise<void> {
  try {
    const embedder_id = embedder.id;
    const tenants = await storage.jobs.addReembedding(embedder_id, clock.now());
    if (tenants > 0) log.info("model changed", { embedder_id, tenants });
  } catch (error) {
    log.warn("re-embedding not queued", { cause: describeCause(error) });
  }
}

const RECURRING: readonly Job[] = RECURRING_KINDS.map((kind) => ({ kind, payload: {} }));

/** Sees to it that every recurring job has its row. One that is there keeps its time; a start makes it due anyway. */
export const ensureRecurring = ({ storage, clock }: Services): Promise<void> =>
  storage.jobs.ensure(RECURRING, clock.now());
