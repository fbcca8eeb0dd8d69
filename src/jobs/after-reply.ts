import type { Logger } from "../core/kernel/log.ts";
import { describeCause } from "../core/kernel/log.ts";

export interface AfterReply {
  /** Queues work to run once the replies in hand are written. */
  add(work: () => Promise<void>): void;
  /** Runs everything that waits. */
  drain(): Promise<void>;
}

/** Small work that no caller waits for and that may be lost in a crash, such as counting recalls. */
export function createAfterReply(log: Logger): AfterReply {
  const waiting: (() => Promise<void>)[] = [];
  let draining: Promise<void> | null = null;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await next().catch((error: unknown) => log.warn("after reply", { cause: describeCause(error) }));
    }
  };
  const drain = (): Promise<void> => {
    draining ??= work().finally(() => {
      draining = null;
    });
    return draining;
  };
  return {
    add: (work) => {
      waiting.push(work);
      if (waiting.length === 1) setTimeout(() => void drain(), 0);
    },
    drain,
  };
}
