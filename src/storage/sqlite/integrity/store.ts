import type { Clock } from "../../../kernel/clock.ts";
import type { IndexStore } from "../../../ports/storage.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../connection.ts";
import { guarded } from "../faults.ts";
import type { CheckThread } from "./inspect.ts";
import { checkHere, startCheck } from "./inspect.ts";
import { rebuildStep } from "./rebuild.ts";

interface Parts {
  /** Null for a database in memory. */
  readonly file: string | null;
  readonly space: EmbedderSpace;
  readonly clock: Clock;
  jobAdded(): void;
}

/** Checks what is derived from the rows, and makes it anew. */
export function sqliteIndexStore(
  at: Connections,
  { file, space, clock, jobAdded }: Parts,
): IndexStore & { stop(): void } {
  const threads = new Set<CheckThread>();
  return {
    inspect: (tenant, tell) =>
      guarded(async () => {
        const what = { embedder: space.id, tenant };
        if (file === null) return checkHere(at.reader, what, tell);
        const thread = startCheck({ file, what }, tell);
        threads.add(thread);
        return thread.found.finally(() => threads.delete(thread));
      }),
    rebuild: async (place, textOf) => {
      const by = { space, nowMs: clock.now(), textOf };
      const step = await guarded(() => at.transaction(() => rebuildStep(at, place, by)));
      jobAdded();
      return step;
    },
    stop: () => {
      for (const { stop } of threads) stop();
    },
  };
}
