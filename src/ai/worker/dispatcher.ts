import { AppError } from "../../core/kernel/errors.ts";
import type { EmbedPriority } from "../../core/ports/embedder.ts";
import { byLength, estimateTokens } from "./batching.ts";
import { createDeferred, type Deferred } from "./deferred.ts";
import { createPriorityQueues } from "./priority-queues.ts";
import type { ModelInput, ModelSpec } from "./protocol.ts";
import { createThroughput } from "./throughput.ts";

export interface SubmitOptions {
  readonly priority: EmbedPriority;
  readonly signal?: AbortSignal | undefined;
  /**
   * A request that would wait longer in its queue is refused at once, and its caller goes on without. Else, under a load
   * beyond the model's throughput, each request would be answered just after its caller gave up.
   */
  readonly patience_ms?: number | undefined;
}

/** Queues the inputs of many requests and hands them out slice by slice, one slice at a time. */
export interface Dispatcher {
  /** One row per input, in order. Rejects with UNAVAILABLE when the queue is full, or too long for the request's patience. */
  submit(model: ModelSpec, inputs: readonly ModelInput[], options: SubmitOptions): Promise<Float32Array[]>;
  /** Allows slices to be sent from now on. */
  open(): void;
  /** The slice in flight came back: rows of equal length, one per input. One that `loaded` its model tells nothing of its throughput. */
  settle(rows: Float32Array, loaded: boolean): void;
  /** The slice in flight came back without an answer. */
  refuse(error: AppError): void;
  /** Rejects everything in flight and waiting. */
  abandon(error: AppError): void;
}

/** Inputs that may wait in each queue. */
export const QUEUE_MAX_INPUTS: Readonly<Record<EmbedPriority, number>> = { interactive: 2_048, background: 8_192 };
/** An interactive request waits for at most one slice in flight; longer slices would hardly be faster per row. */
const SLICE_MAX_TOKENS = 200;
/** Shorter while somebody is asking: a third of the wait, for a fifth less throughput. */
const SHARED_SLICE_MAX_TOKENS = 64;
/** Slices after an interactive one that stay short. */
const SHARED_SLICES = 20;

interface QueuedInput {
  readonly deferred: Deferred;
  readonly index: number;
  readonly input: ModelInput;
  readonly model: string;
  readonly tokens: number;
  readonly priority: EmbedPriority;
}

export type SendSlice = (model: string, inputs: readonly ModelInput[]) => void;

/**
 * Queues inputs by priority, sends them to the worker in slices of equal length, and hands the rows back to their callers.
 */
export function createDispatcher(send: SendSlice, elapsed: () => number, limits = QUEUE_MAX_INPUTS): Dispatcher {
  const throughput = createThroughput(elapsed);
  const queues = createPriorityQueues<QueuedInput>(limits);
  let inFlight: readonly QueuedInput[] = [];
  let isOpen = false;
  let sharedSlicesLeft = 0;

  const sendNext = () => {
    inFlight = isOpen ? queues.take(sharedSlicesLeft > 0 ? SHARED_SLICE_MAX_TOKENS : SLICE_MAX_TOKENS) : [];
    const [first] = inFlight;
    sharedSlicesLeft = first?.priority === "interactive" ? SHARED_SLICES : Math.max(0, sharedSlicesLeft - 1);
    const inputs = inFlight.map(({ input }) => input);
    throughput.sent(tokensOf(inFlight));
    if (first) send(first.model, inputs);
  };
  const drop = (deferred: Deferred, reason: unknown) => {
    queues.remove((item) => item.deferred === deferred);
    deferred.fail(reason);
  };
  return {
    async submit(model, inputs, { priority, signal, patience_ms = Number.POSITIVE_INFINITY }) {
      signal?.throwIfAborted();
      if (inputs.length === 0) return [];
      if (throughput.timeOf(tokensOf(queues.waiting(priority))) > patience_ms) throw busy();
      const deferred = createDeferred(inputs.length);
      if (!queues.add(priority, queued(deferred, inputs, { model, priority }))) throw queueFull(limits[priority]);
      const abort = () => drop(deferred, signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      if (inFlight.length === 0) sendNext();
      return deferred.promise.finally(() => signal?.removeEventListener("abort", abort));
    },
    open() {
      isOpen = true;
      sendNext();
    },
    settle(rows, loaded) {
      if (!loaded) throughput.returned();
      const width = rows.length / inFlight.length;
      for (const [position, { deferred, index }] of inFlight.entries()) {
        deferred.fill(index, rows.slice(position * width, (position + 1) * width));
      }
      sendNext();
    },
    refuse(error) {
      for (const { deferred } of inFlight) drop(deferred, error);
      sendNext();
    },
    abandon(error) {
      isOpen = false;
      for (const { deferred } of [...inFlight, ...queues.remove(() => true)]) deferred.fail(error);
      inFlight = [];
    },
  };
}

/** The inputs of one request, shortest first: rows of like length share a slice. */
function queued(
  deferred: Deferred,
  inputs: readonly ModelInput[],
  { model, priority }: { model: ModelSpec; priority: EmbedPriority },
): QueuedInput[] {
  const tokens = inputs.map(({ text, pair = "" }) => estimateTokens(text + pair, model.max_tokens));
  return byLength(tokens).flatMap((index) => {
    const input = inputs[index];
    const estimate = tokens[index] ?? model.max_tokens;
    return input ? [{ deferred, index, input, model: model.id, tokens: estimate, priority }] : [];
  });
}

const tokensOf = (items: readonly QueuedInput[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0);

const busy = (): AppError =>
  new AppError("UNAVAILABLE", "The model has more to read than it can in time. Try again in a few seconds.");

const queueFull = (limit: number): AppError =>
  new AppError("UNAVAILABLE", `More than ${limit} texts wait for the model. Try again in a few seconds.`);
