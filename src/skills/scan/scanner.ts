import { AppError } from "../../core/kernel/errors.ts";
import type { ScanReport, SkillScanner } from "../../core/ports/skill-scanner.ts";
import type { ScanOrder, ScanReply } from "./worker.ts";
import { scanWorkerUrl } from "./worker-url.ts";

/** Longest that one skill may be read, the start of the thread included. */
const SCAN_LIMIT_MS = 15_000;
/** Skills that may wait for their turn. */
const WAITING_MAX = 256;

interface Options {
  readonly url?: string;
  readonly limitMs?: number;
}

/** A scanner on a thread of its own, which starts with the first skill and again after it fell silent; one skill at a time. */
export function threadScanner({ url = scanWorkerUrl, limitMs = SCAN_LIMIT_MS }: Options = {}): SkillScanner {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;
  const end = () => {
    worker?.terminate();
    worker = null;
  };
  const ask = async (order: ScanOrder): Promise<ScanReport> => {
    if (isClosed) throw noVerdict("the server stops");
    worker ??= started(url);
    try {
      return await answerOf(worker, order, limitMs);
    } catch (error) {
      end();
      throw error;
    }
  };
  return {
    scan: async (data, limits) => {
      if (waiting >= WAITING_MAX) throw noVerdict("too many skills wait for theirs");
      waiting++;
      const turn = last.then(() => ask({ data, limits })).finally(() => waiting--);
      last = turn.catch(() => undefined);
      return turn;
    },
    close: () => {
      isClosed = true;
      end();
    },
  };
}

function started(url: string): Worker {
  const worker = new Worker(url);
  worker.unref();
  return worker;
}

/** The verdict of the thread, or UNAVAILABLE when it dies, fails or takes too long. */
function answerOf(worker: Worker, order: ScanOrder, limitMs: number): Promise<ScanReport> {
  const { promise, resolve, reject } = Promise.withResolvers<ScanReport>();
  const timer = setTimeout(() => reject(noVerdict("it took too long")), limitMs);
  worker.onmessage = ({ data }: MessageEvent<ScanReply>) =>
    "report" in data ? resolve(data.report) : reject(noVerdict(data.failed));
  worker.onerror = ({ message }) => reject(noVerdict(message));
  const listening = new AbortController();
  worker.addEventListener("close", () => reject(noVerdict("its thread ended")), { signal: listening.signal });
  worker.postMessage(order);
  return promise.finally(() => {
    clearTimeout(timer);
    listening.abort();
  });
}

const noVerdict = (why: string): AppError =>
  new AppError(
    "UNAVAILABLE",
    "The scan gave no verdict on this skill, so nothing was stored. Send it again.",
    undefined,
    {
      cause: new Error(`The scan of a skill gave no verdict: ${why}`),
    },
  );
