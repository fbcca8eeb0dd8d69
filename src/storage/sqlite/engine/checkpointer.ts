import type { Database } from "bun:sqlite";
import { checkpointWorkerUrl } from "./checkpoint-url.ts";
import type { CheckpointOrder, CheckpointReply } from "./checkpoint-worker.ts";

/** How often the log is emptied while something is written. */
const PAUSE_MS = 1_000;

export interface Checkpointer {
  /** Moves all of the log into the file and cuts it; false when somebody used it meanwhile. */
  truncate(): Promise<boolean>;
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
  let running = false;
  const closed = Promise.withResolvers<void>();
  let cut: PromiseWithResolvers<boolean> | null = null;
  const answerCut = (isCut: boolean) => {
    cut?.resolve(isCut);
    cut = null;
  };
  const start = (): Worker => {
    const started = new Worker(checkpointWorkerUrl);
    started.unref();
    started.onmessage = ({ data }: MessageEvent<CheckpointReply>) => {
      if (data === "closed") closed.resolve();
      if (data !== "done") answerCut(data === "truncated");
      running = false;
    };
    started.onerror = () => {
      worker = null;
      closed.resolve();
      answerCut(false);
      running = false;
    };
    tell(started, { open: file });
    return started;
  };
  const timer = setInterval(() => {
    const now = changesNow();
    if (running || now === seen) return;
    seen = now;
    running = true;
    worker ??= start();
    tell(worker, "checkpoint");
  }, PAUSE_MS);
  timer.unref();
  return {
    truncate: () => {
      if (cut) return cut.promise;
      cut = Promise.withResolvers<boolean>();
      worker ??= start();
      tell(worker, "truncate");
      return cut.promise;
    },
    stop: async () => {
      clearInterval(timer);
      if (!worker) return;
      // Else nothing keeps the process alive while it waits, and it ends before the last checkpoint.
      worker.ref();
      // That checkpoint gives up where another connection holds the log, so this one is closed first.
      tell(worker, "close");
      await closed.promise;
      worker.terminate();
    },
  };
}

const tell = (worker: Worker, order: CheckpointOrder): void => worker.postMessage(order);
