import type { Services } from "../ports/context.ts";
import type { Job } from "../schema/job.ts";

/** Jobs without an end: one row each, which its handler moves to the next time it is due. */
export const RECURRING: readonly Job[] = [
  { kind: "skills_schedule", payload: {} },
  { kind: "forge_schedule", payload: {} },
];

/** Sees to it that every recurring job has its row. One that is there keeps its time; a start makes it due anyway. */
export const ensureRecurring = ({ storage, clock }: Services): Promise<void> =>
  storage.jobs.ensure(RECURRING, clock.now());
