import { availableParallelism } from "node:os";
import type { Services } from "../../core/ports/context.ts";
import type { SearchThreads } from "../../core/ports/search-threads.ts";
import type { SearchThread } from "./thread.ts";
import { startSearchThread } from "./thread.ts";

/** How long searches stay on the serving thread after a thread ended by itself: one that cannot run is not tried all the time. */
const PAUSE_MS = 10_000;

const THREADS_MAX = 8;

/**
 * Searches that a thread may have in hand: what comes while all have so many is answered by the serving thread, which
 * would wait otherwise. Measured on two cores with 8 clients at 10,000 rows: 149 calls a second without a bound, 202 with
 * four.
 */
const IN_HAND_MAX = 4;

/** As many threads as cores less one, which serves: one at least. */
export const defaultSearchThreads = (): number => Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1));

/** A thread compiles code for some hundred milliseconds: whoever starts a server and asks it at once shall not wait for that. */
const START_AFTER_MS = 1_000;

/** Threads for searches that come and go with the storage: none until they are started. */
export interface StartedThreads extends SearchThreads {
  /** Starts them in a while, or starts them anew where the storage was opened again. */
  startSoon(): void;
}

/** So many threads that answer searches, each with a connection of its own; none where the storage cannot be shared. */
export function createSearchThreads(services: () => Services, count: number): StartedThreads {
  let threads: SearchThread[] = [];
  let later: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let closing: Promise<unknown> = Promise.resolve();

  const stop = () => {
    clearTimeout(later);
    closing = Promise.all([closing, ...threads.map((thread) => thread.close())]);
    threads = [];
  };
  const startAfter = (pauseMs: number) => {
    clearTimeout(later);
    later = setTimeout(start, pauseMs);
    later.unref();
  };
  const start = () => {
    stop();
    if (isClosed) return;
    const { storage, log } = services();
    const lost = (cause: string) => {
      log.warn("search threads stopped", { cause });
      stop();
      startAfter(PAUSE_MS);
    };
    threads = Array.from({ length: count }, (_, i) => storage.readerTicket(i)).flatMap((ticket) =>
      ticket === null ? [] : startSearchThread(services(), ticket, lost),
    );
  };
  return {
    startSoon() {
      // Those of a storage that was opened before would read its old file.
      stop();
      startAfter(START_AFTER_MS);
    },
    count: () => threads.filter((thread) => thread.load() !== null).length,
    async ask(order) {
      // One that is still opening the storage would keep its first callers waiting.
      const open = threads.flatMap((thread) => {
        const load = thread.load();
        return load === null ? [] : { thread, load };
      });
      const [idlest] = open.sort((a, b) => a.load - b.load);
      return idlest && idlest.load < IN_HAND_MAX ? idlest.thread.ask(order) : null;
    },
    async close() {
      isClosed = true;
      stop();
      await closing;
    },
  };
}
