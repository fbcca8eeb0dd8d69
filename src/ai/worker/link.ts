import { workerUrl } from "../assets.ts";
import type { LoadRequest, ModelInput, ModelSpec, WorkerReply, WorkerRequest } from "./protocol.ts";

/** What the worker tells; `lost` comes at most once and nothing follows it. */
export interface WorkerEvents {
  ready(): void;
  result(rows: Float32Array, loaded: boolean): void;
  refused(cause: string): void;
  /** The model that was asked could not be loaded. */
  unserved(model: string, cause: string): void;
  lost(cause: string): void;
}

/** The main thread's end of the worker. Runs are sent one at a time. */
export interface WorkerLink {
  run(model: string, inputs: readonly ModelInput[], spec?: ModelSpec): void;
  /** No event follows. Resolves once the worker has ended, or could not be waited for any longer. */
  stop(): Promise<void>;
}

export interface WorkerLimits {
  readonly loadMs: number;
  readonly runMs: number;
  readonly stopMs: number;
}

const LIMITS: WorkerLimits = { loadMs: 120_000, runMs: 60_000, stopMs: 5_000 };

/** Starts the worker and asks it to load; whatever ends it early, silence included, is reported as `lost`. */
export function startWorker(
  load: LoadRequest,
  events: WorkerEvents,
  { url = workerUrl, limits = LIMITS }: { url?: string; limits?: WorkerLimits } = {},
): WorkerLink {
  const purpose = JSON.stringify([url, load]);
  const worker = takeParked(purpose) ?? new Worker(url);
  const listening = new AbortController();
  const idle = createIdleness();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const end = (isAlive: boolean): Promise<void> => {
    isOver = true;
    clearTimeout(timer);
    worker.unref();
    return idle.whenIdle(limits.stopMs, () => {
      listening.abort();
      if (isAlive) park(purpose, worker);
    });
  };
  const lose = (cause: string) => {
    if (isOver) return;
    void end(false);
    events.lost(cause);
  };
  const send = (message: WorkerRequest, timeoutMs: number) => {
    timer = setTimeout(() => lose(`it did not answer for ${timeoutMs / 1_000} seconds.`), timeoutMs);
    idle.set(false);
    worker.postMessage(message);
  };
  worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
    clearTimeout(timer);
    idle.set(true);
    if (isOver) return;
    if (data.kind === "failed") lose(data.reason);
    else deliver(data, events);
  };
  const gone = (cause: string) => {
    idle.set(true);
    lose(cause);
  };
  worker.onerror = (event) => gone(event.message);
  worker.addEventListener("close", () => gone("its thread ended."), { signal: listening.signal });
  worker.ref();
  send(load, limits.loadMs);
  return {
    run: (model, inputs, spec) => send({ kind: "run", model, inputs, ...(spec && { spec }) }, limits.runMs),
    stop: () => end(true),
  };
}

/** Knows whether the worker is between two messages. */
function createIdleness() {
  let isIdle = true;
  let onIdle = () => {};
  return {
    set(value: boolean) {
      isIdle = value;
      if (isIdle) onIdle();
    },
    /** Calls back once the worker is idle; resolves then, or after `limitMs` without it. */
    whenIdle(limitMs: number, then: () => void): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, limitMs);
      onIdle = () => {
        onIdle = () => {};
        clearTimeout(limit);
        then();
        resolve();
      };
      if (isIdle) onIdle();
      return promise;
    },
  };
}

/**
 * Workers that nobody uses at the moment, by their code and what they were asked to load. A worker is never ended: taking down a thread that has loaded the
 * model runtime can abort the whole process, so it waits for the next user or for the end of the process.
 */
const parked = new Map<string, Worker[]>();

const takeParked = (purpose: string): Worker | undefined => parked.get(purpose)?.pop();

function park(purpose: string, worker: Worker): void {
  parked.set(purpose, [...(parked.get(purpose) ?? []), worker]);
}

function deliver(reply: Exclude<WorkerReply, { kind: "failed" }>, events: WorkerEvents): void {
  switch (reply.kind) {
    case "ready":
      events.ready();
      break;
    case "result":
      events.result(reply.rows, reply.loaded);
      break;
    case "error":
      events.refused(reply.reason);
      break;
    case "unserved":
      events.unserved(reply.model, reply.reason);
      break;
    default:
      reply satisfies never;
  }
}
