import { AppError } from "../../core/kernel/errors.ts";
import { describeCause } from "../../core/kernel/log.ts";
import type { Services } from "../../core/ports/context.ts";
import type { Embedder } from "../../core/ports/embedder.ts";
import type { SearchOrder } from "../../core/ports/search-threads.ts";
import type { ReaderTicket } from "../../core/ports/storage.ts";
import type { EmbedderFacts, FromThread, RefusalParts, Request, ToThread } from "./protocol.ts";
import { searchWorkerUrl } from "./worker-url.ts";

/** The serving thread's end of one thread that answers searches. */
export interface SearchThread {
  /** Searches that it has in hand; null until it has opened the storage. */
  load(): number | null;
  /** The reply; null when it gave none. */
  ask(order: SearchOrder): Promise<object | null>;
  /** Lets it finish, within a bound, and ends it. */
  close(): Promise<void>;
}

/** How long a thread may take to finish: a search takes some hundred milliseconds where it is slow. */
const CLOSE_WITHIN_MS = 2_000;

type Served = Pick<Services, "clock" | "log" | "storage" | "embedder" | "llm" | "limits" | "standalone">;

const factsOf = ({ id, dimensions, calibration, center }: Embedder): EmbedderFacts => ({
  id,
  dimensions,
  calibration,
  center,
});

/** A refusal in parts, since an error loses its kind on the way to another thread. */
const faultOf = (error: unknown): RefusalParts["fault"] =>
  error instanceof AppError ? { code: error.code, message: error.message, details: error.details ?? {} } : null;

/** Starts a thread that reads the storage; `lost` is called once when it ends by itself, and nothing follows. */
export function startSearchThread(services: Served, ticket: ReaderTicket, lost: (cause: string) => void): SearchThread {
  const { clock, log, storage, embedder, llm, limits, standalone } = services;
  // With a small heap: what a search leaves behind would else grow to hundreds of megabytes before it is collected.
  const worker = new Worker(searchWorkerUrl, { smol: true });
  worker.unref();
  const inHand = new Map<number, (reply: object | null) => void>();
  const working = new Map<number, AbortController>();
  let asked = 0;
  /** Searches that only wait for a language model. */
  let narrating = 0;
  let [isOpen, isClosing, isOver] = [false, false, false];
  const ended = Promise.withResolvers<void>();

  const tell = (message: ToThread) => worker.postMessage(message);
  const end = () => {
    isOver = true;
    worker.terminate();
    for (const work of working.values()) work.abort(new Error("The thread that asked has ended."));
    for (const settle of inHand.values()) settle(null);
    inHand.clear();
    ended.resolve();
  };
  const lose = (cause: string) => {
    if (isOver) return;
    end();
    if (!isClosing) lost(cause);
  };

  async function work(request: Request, signal: AbortSignal): Promise<unknown> {
    switch (request.what) {
      case "embed":
        return embedder.embed(request.texts, { ...request.options, signal });
      case "complete":
        narrating++;
        return llm?.complete(request.request, { signal }).finally(() => narrating--);
      case "touch_recalls":
        return storage.memories.touchRecalls(request.tenant_id, request.ids, request.at);
      default:
        return request satisfies never;
    }
  }
  async function serve(id: number, request: Request): Promise<void> {
    const controller = new AbortController();
    working.set(id, controller);
    try {
      const value = await work(request, controller.signal);
      if (!isOver) tell({ kind: "answer", id, value });
    } catch (error) {
      if (!isOver) tell({ kind: "refusal", id, reason: describeCause(error), fault: faultOf(error) });
    } finally {
      working.delete(id);
    }
  }
  worker.onmessage = ({ data }: MessageEvent<FromThread>) => {
    if (isOver) return;
    switch (data.kind) {
      case "opened":
        isOpen = true;
        break;
      case "closed":
        end();
        break;
      case "reply":
        if (data.cause !== null) log.debug("search thread gave no reply", { cause: data.cause });
        inHand.get(data.id)?.(data.reply);
        inHand.delete(data.id);
        break;
      case "request":
        void serve(data.id, data.request);
        break;
      case "cancel":
        working.get(data.id)?.abort(new Error("Nobody waits for it any longer."));
        break;
      case "log":
        log[data.level](data.event, data.fields);
        break;
      default:
        data satisfies never;
    }
  };
  worker.onerror = ({ message }) => lose(message);
  worker.addEventListener("close", () => lose("its thread ended."));
  tell({
    kind: "open",
    ticket,
    limits,
    standalone,
    embedder: factsOf(embedder),
    llm: llm && { provider: llm.provider, model: llm.model },
  });
  return {
    load: () => (isOpen ? inHand.size - narrating : null),
    ask(order) {
      const id = ++asked;
      const { promise, resolve } = Promise.withResolvers<object | null>();
      inHand.set(id, resolve);
      const moment = { now: clock.now(), embedder: embedder.state() };
      tell({ kind: "ask", id, order, moment });
      return promise;
    },
    async close() {
      if (isOver) return;
      isClosing = true;
      tell({ kind: "close" });
      const limit = setTimeout(end, CLOSE_WITHIN_MS);
      await ended.promise;
      clearTimeout(limit);
    },
  };
}
