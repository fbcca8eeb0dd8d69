import { AppError } from "../../core/kernel/errors.ts";
import type { EmbedderState } from "../../core/ports/embedder.ts";
import { createDispatcher, type Lane, type SubmitOptions } from "./dispatcher.ts";
import { startWorker, type WorkerLink } from "./link.ts";
import type { LoadRequest, ModelInput, ModelSpec } from "./protocol.ts";

export interface ModelWorkerOptions {
  /** Checks and unpacks what a worker needs; an error here fails the models, not the process. */
  readonly prepare: (lane: Lane) => LoadRequest;
  /** What the operator should do when the models cannot be loaded. */
  readonly advice: string;
  readonly elapsed: () => number;
}

/** Runs models away from the thread that answers requests. */
export interface ModelWorker {
  /** Of one model: one that is loaded when it is first asked counts as ready until that fails. */
  state(model: ModelSpec): EmbedderState;
  ready(): Promise<void>;
  run(model: ModelSpec, inputs: readonly ModelInput[], options: SubmitOptions): Promise<Float32Array[]>;
  /** Serves a further model, which is loaded when it is first asked. */
  add(model: ModelSpec): void;
  /** Rejects what waits, then resolves once the workers have ended. */
  close(): Promise<void>;
}

/**
 * Loading takes a processor for half a second, and whoever starts a server asks it something at once: so it begins when that
 * is likely to be answered, or when something is asked of a model.
 */
const BEGIN_AFTER_MS = 30;

/**
 * The models of a worker thread, started when first asked, and of a second one that helps while there is much to do in the
 * background. Every call throws UNAVAILABLE once the first has failed for good; without the second, the first does all.
 */
export function createModelWorker({ prepare, advice, elapsed }: ModelWorkerOptions): ModelWorker {
  const startedAt = elapsed();
  const loaded = Promise.withResolvers<void>();
  loaded.promise.catch(() => undefined); // Nobody has to wait for it: `state` and `run` tell the same.
  let state: EmbedderState = { phase: "loading" };
  const unserved = new Map<string, string>();
  const further = new Map<string, ModelSpec>();
  const links: Record<Lane, WorkerLink | null> = { front: null, back: null };
  let hasBack = false;
  let stopped: Promise<unknown> | undefined;
  const dispatcher = createDispatcher(
    {
      send: (lane, model, inputs) => links[lane]?.run(model, inputs, further.get(model)),
      wantsBack: () => startBack(),
    },
    elapsed,
  );

  const fail = (reason: string) => {
    if (state.phase === "failed") return;
    state = { phase: "failed", reason };
    stopped = Promise.all([links.front?.stop(), links.back?.stop()]);
    loaded.reject(unavailable(reason));
    dispatcher.abandon(unavailable(reason));
  };
  const refuse = (lane: Lane) => (cause: string) =>
    dispatcher.refuse(lane, unavailable(`The model refused a text: ${cause}`));
  /** Of a model that cannot be loaded: what was in the queue already is refused for the same reason. */
  const refuseAlways = (lane: Lane) => (model: string, cause: string) => {
    const reason = unserved.get(model) ?? loadReason(`${model}: ${cause}`, advice);
    unserved.set(model, reason);
    dispatcher.refuse(lane, unavailable(reason));
  };
  const start = (load: LoadRequest) =>
    startWorker(load, {
      ready() {
        state = { phase: "ready", ready_ms: elapsed() - startedAt };
        dispatcher.open("front");
        loaded.resolve();
      },
      result: (rows, isLoaded) => dispatcher.settle("front", rows, isLoaded),
      refused: refuse("front"),
      unserved: refuseAlways("front"),
      lost: (cause) => fail(lostReason(state, cause, advice)),
    });
  const startBack = () => {
    if (hasBack) return;
    hasBack = true;
    const shut = () => dispatcher.shut("back");
    try {
      links.back = startWorker(prepare("back"), {
        ready: () => dispatcher.open("back"),
        result: (rows, isLoaded) => dispatcher.settle("back", rows, isLoaded),
        refused: refuse("back"),
        unserved: refuseAlways("back"),
        lost: shut,
      });
    } catch {
      // The first worker goes on alone.
    }
  };
  const begin = () => {
    clearTimeout(later);
    if (links.front !== null || state.phase === "failed") return;
    try {
      links.front = start(prepare("front"));
    } catch (error) {
      fail(lostReason(state, error instanceof Error ? error.message : String(error), advice));
    }
  };
  const later = setTimeout(begin, BEGIN_AFTER_MS);
  const stateOf = ({ id }: ModelSpec): EmbedderState => {
    const reason = unserved.get(id);
    return reason === undefined || state.phase !== "ready" ? state : { phase: "failed", reason };
  };
  return {
    state: stateOf,
    ready: () => loaded.promise,
    async run(model, inputs, options) {
      begin();
      const now = stateOf(model);
      if (now.phase === "failed") throw unavailable(now.reason);
      return dispatcher.submit(model, inputs, options);
    },
    add: (model) => void further.set(model.id, model),
    async close() {
      clearTimeout(later);
      fail("The model was shut down.");
      await stopped;
    },
  };
}

const lostReason = (state: EmbedderState, cause: string, advice: string): string =>
  state.phase === "loading"
    ? loadReason(cause, advice)
    : `The worker that runs the model stopped: ${cause} Restart the server.`;

const loadReason = (cause: string, advice: string): string => `The model could not be loaded: ${cause} ${advice}`;

const unavailable = (reason: string): AppError => new AppError("UNAVAILABLE", reason);
