import type { Clock } from "../core/kernel/clock.ts";
import { yieldToEventLoop } from "../core/kernel/event-loop.ts";
import { describeCause } from "../core/kernel/log.ts";
import { unlessAborted } from "../core/kernel/unless-aborted.ts";
import type { Services } from "../core/ports/context.ts";
import type { JobLane, LeasedJob } from "../core/ports/job-store.ts";
import type { JobKind } from "../core/schema/job.ts";
import { createEmbeddingLog } from "./embedding-log.ts";
import { runJob } from "./handlers.ts";
import { workThrough } from "./lanes.ts";
import { tellJobDone, tellJobMoved } from "./topics.ts";

/** A job in hand is nobody else's for this long; longer than any handler runs. */
const LEASE_MS = 5 * 60_000;
/** A handler that takes longer is told to stop, and counts as failed. */
const JOB_LIMIT_MS = 4 * 60_000;
/** First pause after a failure; doubles with each attempt. */
const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 60 * 60_000;
/** The loop looks at the clock at least this often, should the wall clock have been set back. */
const POLL_MAX_MS = 30_000;
/** Pause after storage itself failed. */
const STORAGE_PAUSE_MS = 1_000;

/** Why a job is told to stop that goes on at the next start: it has not failed. */
const STOPPING = new Error("Cairn is stopping.");

/** What looks anew at what was stored before; a command that ends does not wait for it. */
const ANEW: readonly JobKind[] = ["reread_rows", "rejudge_memories"];
/** Kinds that give vectors to memories. */
const EMBEDDING: readonly JobKind[] = ["embed_memories", "reread_rows"];

export interface Runner {
  /** Starts the loop. */
  start(): void;
  /** Looks for due jobs now instead of at the next tick. */
  nudge(): void;
  /** Runs due jobs until none is left; what a test awaits instead of sleeping. Returns how many ran. */
  drain(): Promise<number>;
  /** The same for a process that is about to end: what is read anew, for hours perhaps, is left to the next start, in hand or not. */
  finish(): Promise<number>;
  /** Tells the jobs in hand to stop and starts no other. What they had not done is taken up at the next start. */
  stop(): Promise<void>;
  /** The same for a storage whose place another has taken: nothing of the jobs in hand is stored, and no other runner waits. */
  abandon(): void;
  /** False once the loop failed to reach storage. */
  healthy(): boolean;
}

export interface RunnerOptions {
  readonly jobLimitMs?: number;
  /** The times of the jobs in storage were set by this process: what waits is not due before. */
  readonly timesHold?: boolean;
}

/** The one loop that works through job rows, those of several lanes at a time: at least once each, a failed one backs off while the others go on. */
export function createRunner(
  services: Services,
  { jobLimitMs = JOB_LIMIT_MS, timesHold = false }: RunnerOptions = {},
): Runner {
  const { clock, log, storage } = services;
  const tellEmbedding = createEmbeddingLog(services);
  const stopping = new AbortController();
  /** Aborted once nothing is read anew any more. */
  const finishing = new AbortController();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let busy: Promise<number> | null = null;
  let running = false;
  let reachable = true;
  let isAbandoned = false;
  /** Counts the calls to look at once, so that none is lost to a pause that was reckoned before it. */
  let nudges = 0;
  /** Resolves at the next of them. */
  let added = Promise.withResolvers<void>();
  /** The time of the last look. Ahead of the clock, times in storage mean nothing: at the start, after storage failed, when the clock was put back. */
  let lookedAt = timesHold ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;

  const drain = (): Promise<number> => {
    busy ??= workThrough(runNext, () => added.promise).finally(() => {
      busy = null;
    });
    return busy;
  };

  /** Runs the next job of the first of some lanes that has one; false when none has. */
  async function runNext(lanes: readonly JobLane[]): Promise<boolean> {
    if (stopping.signal.aborted) return false;
    const now = clock.now();
    if (now < lookedAt) await storage.jobs.wake(now);
    lookedAt = now;
    const open = finishing.signal.aborted ? lanes.filter((lane) => lane !== "reembedding") : lanes;
    const leased = await storage.jobs.claim(now, LEASE_MS, open);
    if (!leased) return false;
    const ends = [stopping.signal, AbortSignal.timeout(jobLimitMs)];
    if (ANEW.includes(leased.job.kind)) ends.push(finishing.signal);
    await runOne(services, leased, AbortSignal.any(ends));
    if (EMBEDDING.includes(leased.job.kind)) await tellEmbedding();
    await yieldToEventLoop();
    return true;
  }

  async function tick(): Promise<void> {
    try {
      await drain();
      reachable = true;
      if (!running) return;
      const seen = nudges;
      const pause = pauseUntilDue(clock, await storage.jobs.nextDue());
      schedule(nudges === seen ? pause : 0);
    } catch (error) {
      if (isAbandoned) return;
      reachable = false;
      lookedAt = Number.POSITIVE_INFINITY;
      log.error("job loop", { cause: describeCause(error) });
      schedule(STORAGE_PAUSE_MS);
    }
  }

  function schedule(pauseMs: number): void {
    if (!running) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => void tick(), pauseMs);
  }

  const end = (why: Error): void => {
    running = false;
    stopping.abort(why);
    if (timer) clearTimeout(timer);
  };

  return {
    start: () => {
      running = true;
      schedule(0);
    },
    nudge: () => {
      nudges++;
      added.resolve();
      added = Promise.withResolvers();
      schedule(0);
    },
    drain,
    finish: () => {
      finishing.abort(STOPPING);
      return drain();
    },
    stop: async () => {
      end(STOPPING);
      await busy?.catch(() => undefined); // The loop has logged it.
    },
    abandon: () => {
      isAbandoned = true;
      end(new Error("The storage was put back to its snapshot."));
      // What the jobs in hand come to is nobody's concern any more.
      busy?.catch(() => undefined);
    },
    healthy: () => reachable,
  };
}

const pauseUntilDue = (clock: Clock, dueMs: number | null): number =>
  dueMs === null ? POLL_MAX_MS : Math.min(POLL_MAX_MS, Math.max(0, dueMs - clock.now()));

async function runOne(services: Services, { id, job, attempt }: LeasedJob, signal: AbortSignal): Promise<void> {
  const { clock, log, storage, changes } = services;
  const startedAt = clock.now();
  const line = { kind: job.kind, attempt };
  log.debug("job taken up", line);
  tellJobMoved(changes, job);
  try {
    const outcome = await unlessAborted(runJob(services, { job, attempt }, signal), signal);
    if (outcome === undefined) await storage.jobs.finish(id);
    else if (typeof outcome === "number") await storage.jobs.again(id, outcome);
    else await storage.jobs.replace(id, outcome, clock.now());
    tellJobDone(changes, job);
    log.info("job", { ...line, took_ms: clock.now() - startedAt, outcome: "done" });
  } catch (error) {
    const pause = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (attempt - 1));
    const cause = describeCause(error);
    const isStopped = error === STOPPING;
    await storage.jobs.retry(id, clock.now() + pause, isStopped ? null : cause);
    tellJobMoved(changes, job);
    log[isStopped ? "info" : "warn"]("job", { ...line, took_ms: clock.now() - startedAt, outcome: "retry", cause });
  }
}
