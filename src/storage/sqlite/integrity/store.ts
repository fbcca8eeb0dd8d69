import type { Database } from "bun:sqlite";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { createYielder } from "../../../core/kernel/event-loop.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { IndexStore, Inspection } from "../../../core/ports/storage.ts";
import { rebuildStep } from "../../integrity/rebuild.ts";
import { rewordStep } from "../../integrity/reword.ts";
import type { Runner } from "../../units/work.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import type { DamageWatch } from "../engine/damage.ts";
import { guarded } from "../engine/faults.ts";
import { mergeWords } from "../search/merge-words.ts";
import type { VectorIndex } from "../vector-index/vector-index.ts";
import type { CheckedFile } from "./checks.ts";
import { checkFile, sqliteRebuild } from "./checks.ts";
import type { CheckOrder, CheckReply } from "./worker.ts";
import { checkWorkerUrl } from "./worker-url.ts";

type Tell = (progress: MaintenanceProgress) => void;

/** Checks one store: a file on threads of their own, what is in memory between the calls of others. */
export interface Checker {
  check(what: CheckedFile, tell: Tell): Promise<Inspection>;
  /** Looks at the pages alone. */
  look(): Promise<Inspection>;
  /** Ends what runs. */
  stop(): void;
}

/** Checks the data file on a thread of its own; a store in memory in steps on this one. */
export function createChecker(db: Connections, file: string | null): Checker {
  const threads = new Set<CheckThread>();
  const onThread = (path: string, what: CheckedFile | null, tell: Tell) => {
    const thread = startCheck({ file: path, what }, tell);
    threads.add(thread);
    return thread.found.finally(() => threads.delete(thread));
  };
  return {
    check: (what, tell) =>
      file === null ? checkHere(() => db.readConnection, what, tell) : onThread(file, what, tell),
    // No disk can have damaged what was never on one.
    look: async () => (file === null ? { checks: [], damaged: [] } : onThread(file, null, () => {})),
    stop: () => {
      for (const { stop } of threads) stop();
    },
  };
}

/** A check that runs on a thread of its own. */
interface CheckThread {
  readonly found: Promise<Inspection>;
  /** Ends it; `found` is then refused. */
  stop(): void;
}

/** Checks a data file on a thread of its own, which ends with the check. */
function startCheck(order: CheckOrder, tell: Tell): CheckThread {
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
async function checkHere(current: () => Database, what: CheckedFile, tell: Tell): Promise<Inspection> {
  const yieldIfDue = createYielder();
  const steps = checkFile(current(), what);
  for (;;) {
    current();
    const step = steps.next();
    if (step.done) return step.value;
    tell(step.value);
    await yieldIfDue();
  }
}

interface Parts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly checker: Checker;
  readonly damage: DamageWatch;
  readonly index: VectorIndex;
}

/** Checks what is derived from the rows, and rebuilds it. */
export const sqliteIndexStore = (db: Engine, { runner, clock, checker, damage, index }: Parts): IndexStore => ({
  inspect: (tenant, tell) =>
    guarded(async () => {
      const inspection = await checker.check({ space: db.space, tenant, index: index.shared }, tell);
      // The rows of one tenant say nothing of the pages.
      if (tenant === null) damage.found(inspection);
      return inspection;
    }),
  mergeWords: (begin) => guarded(() => db.transaction(() => mergeWords(db, begin))),
  reword: (place, textOf) => rewordStep(runner, place, textOf),
  rebuild: async (place, textOf) => {
    const step = await rebuildStep(runner, sqliteRebuild, place, { nowMs: clock.now(), textOf });
    if (step.next === null) index.load();
    return step;
  },
});
