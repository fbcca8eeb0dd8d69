import type { AppError } from "../core/kernel/errors.ts";
import { within } from "../core/kernel/event-loop.ts";

/** Throws what `late` makes when the work is not done at the deadline (of `performance.now()`); the work itself goes on. */
export const withinTime = <T>(work: Promise<T>, deadline: number, late: () => AppError): Promise<T> =>
  within(work, deadline - performance.now(), () => {
    throw late();
  });
