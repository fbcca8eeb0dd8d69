import type { Services } from "../core/ports/context.ts";
import type { Job } from "../core/schema/job.ts";
import { RECURRING_KINDS } from "../core/schema/job.ts";

const RECURRING: readonly Job[] = RECURRING_KINDS.map((kind) => ({ kind, payload: {} }));

/** Sees to it that every recurring job has its row. One that is there keeps its time; a start makes it due anyway. */
export const ensureRecurring = ({ storage, clock }: Services): Promise<void> =>
  storage.jobs.ensure(RECURRING, clock.now());
