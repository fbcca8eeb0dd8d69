import type { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import { createYielder } from "../../../core/kernel/event-loop.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { Inspection } from "../../../core/ports/storage.ts";
import type { Checked } from "./steps.ts";
import { checkSteps } from "./steps.ts";
import { runSteps } from "./tally.ts";
import type { CheckOrder, CheckReply } from "./worker.ts";
import { checkWorkerUrl } from "./worker-url.ts";

type Tell = (progress: MaintenanceProgress) => void;

/** A check that runs on a thread of its own. */
export interface CheckThread {
  readonly found: Promise<Inspection>;
  /** Ends it; `found` is then refused. */
  stop(): void;
}

/** Checks a data file on a thread of its own, which ends with the check. */
export function startCheck(order: CheckOrder, tell: Tell): CheckThread {
  const worker = new Worker(checkWorkerUrl);
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<Inspection>();
  worker.onmessage = ({ data }: MessageEvent<CheckReply>) => {
    if ("progress" in data) return tell(data.progress);
    if ("found" in data) return resolve(data.found);
    reject(Object.assign(new Error(data.failed), data.code === null ? {} : { code: data.code }));
  };
  worker.onerror = ({ message }) => reject(new Error(`The check failed: ${message}`));
  worker.postMessage(order);
  const stop = () => reject(new AppError("UNAVAILABLE", "The check was ended: the server stops."));
  return { found: promise.finally(() => worker.terminate()), stop };
}

/**
 * Checks a database in memory, which no other thread can open, in steps between which requests have their turn. Ends where the
 * database can be had no longer, with what `current` throws.
 */
export async function checkHere(current: () => Database, what: Checked, tell: Tell): Promise<Inspection> {
  const yieldIfDue = createYielder();
  const steps = runSteps(checkSteps(current(), what));
  for (;;) {
    current();
    const step = steps.next();
    if (step.done) return step.value;
    tell(step.value);
    await yieldIfDue();
  }
}
