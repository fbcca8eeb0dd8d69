import { AppError } from "../../core/kernel/errors.ts";
import { byLength, estimateTokens } from "./batching.ts";
import { createDeferred, type Deferred } from "./deferred.ts";
import type { Priority } from "./priority-queues.ts";
import { createPriorityQueues, PRIORITIES } from "./priority-queues.ts";
import type { ModelInput, ModelSpec } from "./protocol.ts";
import { rowsOf } from "./protocol.ts";
import { createThroughput } from "./throughput.ts";

export interface SubmitOptions {
  readonly priority: Priority;
  readonly signal?: AbortSignal | undefined;
  /**
   * A request that would wait longer in its queue is refused at once, and its caller goes on without. Else, under a load
   * beyond the model's throughput, each request would be answered just after its caller gave up.
   */
  readonly patience_ms?: number | undefined;
}

/** The two that work: the one answers whoever waits, the other only works in the background. */
export type Lane = "front" | "back";

/** Queues the inputs of many requests and hands them out slice by slice, to each lane one at a time. */
export interface Dispatcher {
  /** What answers each input, in order: its rows, one after the other. Rejects with UNAVAILABLE when the queue is full, or too long for the request's patience. */
  submit(model: ModelSpec, inputs: readonly ModelInput[], options: SubmitOptions): Promise<Float32Array[]>;
  /** Allows slices to be sent from now on. */
  open(lane: Lane): void;
  /** The slice in flight came back: rows of equal length, as many an input as `rowsOf` says. One that `loaded` its model tells nothing of its throughput. */
  settle(lane: Lane, rows: Float32Array, loaded: boolean): void;
  /** The slice in flight came back without an answer. */
  refuse(lane: Lane, error: AppError): void;
  /** Sends nothing more; what was in flight waits for the other lane. */
  shut(lane: Lane): void;
  /** Rejects everything in flight and waiting. */
  abandon(error: AppError): void;
}

/** Inputs that may wait in each queue. */
export const QUEUE_MAX_INPUTS: Readonly<Record<Priority, number>> = {
  question: 2_048,
  interactive: 2_048,
  background: 8_192,
};
/** Whoever is next waits for at most one slice in flight; longer slices would hardly be faster per row. */
const SLICE_MAX_TOKENS = 200;
/** Shorter while somebody is asking: a third of the wait, for a fifth less throughput. */
const SHARED_SLICE_MAX_TOKENS = 64;
/** Slices after an interactive one that stay short. */
const SHARED_SLICES = 20;
/** So long after an interactive request, in milliseconds, the front lane is kept free for the next one if there is another. */
const ASKED_RECENTLY_MS = 500;
/** Tokens that must wait for the back lane to help while the front works too: some 50 ms of work. */
const WORTH_SHARING = 400;

interface QueuedInput {
  readonly deferred: Deferred;
  readonly index: number;
  readonly input: ModelInput;
  readonly model: string;
  readonly tokens: number;
}

export interface Outlets {
  send(lane: Lane, model: string, inputs: readonly ModelInput[]): void;
  /** More waits in the background than the front lane does soon, and the back lane is not open. */
  wantsBack(): void;
}

/**
 * Queues inputs by priority, sends them to the workers in slices of equal length, and hands the rows back to their callers.
 * While somebody asks, what nobody waits for is left to the back lane.
 */
export function createDispatcher(outlets: Outlets, elapsed: () => number, limits = QUEUE_MAX_INPUTS): Dispatcher {
  const throughput = createThroughput(elapsed);
  const queues = createPriorityQueues<QueuedInput>(limits);
  const inFlight: Record<Lane, readonly QueuedInput[]> = { front: [], back: [] };
  const isOpen: Record<Lane, boolean> = { front: false, back: false };
  let sharedSlicesLeft = 0;
  let askedAt = Number.NEGATIVE_INFINITY;

  const tokensBefore = (priority: Priority): number =>
    PRIORITIES.slice(0, PRIORITIES.indexOf(priority) + 1).reduce((sum, one) => sum + tokensOf(queues.waiting(one)), 0);
  const isIdle = (lane: Lane) => isOpen[lane] && inFlight[lane].length === 0;
  const launch = (lane: Lane, slice: readonly QueuedInput[]) => {
    inFlight[lane] = slice;
    const [first] = slice;
    if (lane === "front") throughput.sent(tokensOf(slice));
    const inputs = slice.map(({ input }) => input);
    if (first) outlets.send(lane, first.model, inputs);
  };
  const nextOfFront = (isAsked: boolean): readonly QueuedInput[] => {
    for (const priority of ["question", "interactive"] as const) {
      const slice = queues.take(priority, SLICE_MAX_TOKENS);
      if (slice.length === 0) continue;
      askedAt = elapsed();
      sharedSlicesLeft = SHARED_SLICES;
      return slice;
    }
    if (isAsked && isOpen.back) return [];
    const slice = queues.take("background", sharedSlicesLeft > 0 ? SHARED_SLICE_MAX_TOKENS : SLICE_MAX_TOKENS);
    sharedSlicesLeft = Math.max(0, sharedSlicesLeft - 1);
    return slice;
  };
  const sendNext = () => {
    const isAsked = elapsed() - askedAt < ASKED_RECENTLY_MS;
    if (isIdle("front")) launch("front", nextOfFront(isAsked));
    const isMuch = tokensOf(queues.waiting("background")) > WORTH_SHARING;
    if (isIdle("back") && (isMuch || isAsked)) launch("back", queues.take("background", SLICE_MAX_TOKENS));
    if (isMuch && isOpen.front && !isOpen.back) outlets.wantsBack();
  };
  const drop = (deferred: Deferred, reason: unknown) => {
    queues.remove((item) => item.deferred === deferred);
    deferred.fail(reason);
  };
  return {
    async submit(model, inputs, { priority, signal, patience_ms = Number.POSITIVE_INFINITY }) {
      signal?.throwIfAborted();
      if (inputs.length === 0) return [];
      if (throughput.timeOf(tokensBefore(priority)) > patience_ms) throw busy();
      const deferred = createDeferred(inputs.length);
      if (!queues.add(priority, queued(deferred, inputs, model))) throw queueFull(limits[priority]);
      const abort = () => drop(deferred, signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      sendNext();
      return deferred.promise.finally(() => signal?.removeEventListener("abort", abort));
    },
    open(lane) {
      isOpen[lane] = true;
      sendNext();
    },
    settle(lane, rows, loaded) {
      if (lane === "front" && !loaded) throughput.returned();
      const slice = inFlight[lane];
      const width = rows.length / slice.reduce((sum, { input }) => sum + rowsOf(input), 0);
      let from = 0;
      for (const { deferred, index, input } of slice) {
        const end = from + rowsOf(input) * width;
        deferred.fill(index, rows.slice(from, end));
        from = end;
      }
      inFlight[lane] = [];
      sendNext();
    },
    refuse(lane, error) {
      for (const { deferred } of inFlight[lane]) drop(deferred, error);
      inFlight[lane] = [];
      sendNext();
    },
    shut(lane) {
      isOpen[lane] = false;
      queues.restore("background", inFlight[lane]);
      inFlight[lane] = [];
      sendNext();
    },
    abandon(error) {
      const waiting = queues.remove(() => true);
      for (const { deferred } of [...inFlight.front, ...inFlight.back, ...waiting]) deferred.fail(error);
      for (const lane of ["front", "back"] as const) {
        isOpen[lane] = false;
        inFlight[lane] = [];
      }
    },
  };
}

/** The inputs of one request, shortest first: rows of like length share a slice. */
function queued(deferred: Deferred, inputs: readonly ModelInput[], model: ModelSpec): QueuedInput[] {
  const tokens = inputs.map(({ text, pair = "", turns = [] }) =>
    estimateTokens([text, pair, ...turns].join(" "), model.max_tokens),
  );
  return byLength(tokens).flatMap((index) => {
    const input = inputs[index];
    const estimate = tokens[index] ?? model.max_tokens;
    return input ? [{ deferred, index, input, model: model.id, tokens: estimate }] : [];
  });
}

const tokensOf = (items: readonly QueuedInput[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0);

const busy = (): AppError =>
  new AppError("UNAVAILABLE", "The model has more to read than it can in time. Try again in a few seconds.");

const queueFull = (limit: number): AppError =>
  new AppError("UNAVAILABLE", `More than ${limit} texts wait for the model. Try again in a few seconds.`);
