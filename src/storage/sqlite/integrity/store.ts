import type { Clock } from "../../../core/kernel/clock.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { IndexStore, Inspection } from "../../../core/ports/storage.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import type { DamageWatch } from "../engine/damage.ts";
import { guarded } from "../engine/faults.ts";
import { mergeWords } from "../search/merge-words.ts";
import type { VectorIndex } from "../vector-index/vector-index.ts";
import type { CheckThread } from "./inspect.ts";
import { checkHere, startCheck } from "./inspect.ts";
import { rebuildStep } from "./rebuild.ts";
import type { Checked } from "./steps.ts";

/** Checks one store: a file on threads of their own, what is in memory between the calls of others. */
export interface Checker {
  check(what: Checked, tell: (progress: MaintenanceProgress) => void): Promise<Inspection>;
  /** Looks at the pages alone. */
  look(): Promise<Inspection>;
  /** Ends what runs. */
  stop(): void;
}

/** Checks the data file on a thread of its own; a store in memory in steps on this one. */
export function createChecker(db: Connections, file: string | null): Checker {
  const threads = new Set<CheckThread>();
  const onThread = (path: string, what: Checked | null, tell: (progress: MaintenanceProgress) => void) => {
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

interface Parts {
  readonly space: EmbedderSpace;
  readonly clock: Clock;
  readonly checker: Checker;
  readonly damage: DamageWatch;
  readonly index: VectorIndex;
  jobAdded(): void;
}

/** Checks what is derived from the rows, and rebuilds it. */
export const sqliteIndexStore = (
  db: Engine,
  { space, clock, checker, damage, index, jobAdded }: Parts,
): IndexStore => ({
  inspect: (tenant, tell) =>
    guarded(async () => {
      const { shared } = index;
      const inspection = await checker.check({ embedder: space.id, tenant, index: { shared, space } }, tell);
      // The rows of one tenant say nothing of the pages.
      if (tenant === null) damage.found(inspection);
      return inspection;
    }),
  mergeWords: (begin) => guarded(() => db.transaction(() => mergeWords(db, begin))),
  rebuild: async (place, textOf) => {
    const by = { space, nowMs: clock.now(), textOf };
    const step = await guarded(() => db.transaction(() => rebuildStep(db, place, by)));
    jobAdded();
    if (step.next === null) index.load();
    return step;
  },
});
