import type { Database } from "bun:sqlite";
import { checkpointWorkerUrl } from "./checkpoint-url.ts";

/** How often the log is emptied while something is written. */
const PAUSE_MS = 1_000;

export interface Checkpointer {
  /** Stops; resolves once no checkpoint runs any more. */
  stop(): Promise<void>;
}

/**
 * Empties the write-ahead log from a thread of its own: a checkpoint waits for the disk for tens of milliseconds, and
 * on the thread that answers requests everyone would wait with it. The thread starts with the first write.
 */
export function createCheckpointer(writer: Database, file: string): Checkpointer {
  const changes = writer.query<{ n: number }, []>("select total_changes() as n");
  const changesNow = (): number => changes.get()?.n ?? 0;
  let seen = changesNow();
  let worker: Worker | null = null;
  let running: PromiseWithResolvers<void> | null = null;

  const done = () => {
    running?.resolve();
    running = null;
  };
  const start = (): Worker => {
    const started = new Worker(checkpointWorkerUrl);
    started.unref();
    started.onmessage = done;
    started.onerror = done;
    started.postMessage(file);
    return started;
  };
  const timer = setInterval(() => {
    const now = changesNow();
    if (running || now === seen) return;
    seen = now;
    running = Promise.withResolvers<void>();
    worker ??= start();
    worker.postMessage(null);
  }, PAUSE_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running?.promise;
      worker?.terminate();
    },
  };
}
