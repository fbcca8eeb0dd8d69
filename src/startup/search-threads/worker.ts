import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { describeCause, type Logger } from "../../core/kernel/log.ts";
import type { SearchCtx, SearchStorage } from "../../core/ports/context.ts";
import type { Embedder } from "../../core/ports/embedder.ts";
import type { Llm } from "../../core/ports/llm.ts";
import type { SearchOrder } from "../../core/ports/search-threads.ts";
import { createAfterReply } from "../../jobs/after-reply.ts";
import type { SearchInput } from "../../search/plan.ts";
import type { RecallInput } from "../../search/recall.ts";
import { recallHere } from "../../search/recall.ts";
import { searchHere } from "../../search/search.ts";
import { openReader } from "../../storage/open-reader.ts";
import type { StorageReader } from "../../storage/options.ts";
import { storagePolicies } from "../storage-policies.ts";
import type { EmbedderFacts, FromThread, Moment, OpenOrder, RefusalParts, Request, ToThread } from "./protocol.ts";

declare const self: Worker;

const tell = (message: FromThread): void => self.postMessage(message);

/** What this thread asked of the serving one and has no answer to yet. */
const asked = new Map<number, PromiseWithResolvers<unknown>>();
let requests = 0;

/** Asks the serving thread; an aborted signal gives the answer up. */
function request(what: Request, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted();
  const id = ++requests;
  const answer = Promise.withResolvers<unknown>();
  asked.set(id, answer);
  tell({ kind: "request", id, request: what });
  const abort = () => {
    asked.delete(id);
    tell({ kind: "cancel", id });
    answer.reject(signal?.reason);
  };
  signal?.addEventListener("abort", abort, { once: true });
  return answer.promise.finally(() => signal?.removeEventListener("abort", abort));
}

const log: Logger = {
  debug: (event, fields) => tell({ kind: "log", level: "debug", event, fields }),
  info: (event, fields) => tell({ kind: "log", level: "info", event, fields }),
  warn: (event, fields) => tell({ kind: "log", level: "warn", event, fields }),
  error: (event, fields) => tell({ kind: "log", level: "error", event, fields }),
};
const afterReply = createAfterReply(log);

/** The serving thread's clock, which a test may set, and which goes on while a search runs. */
let moment: Moment & { readonly at: number };
const clock: Clock = { now: () => moment.now + performance.now() - moment.at };

const embedderOf = (facts: EmbedderFacts): Embedder => ({
  ...facts,
  state: () => moment.embedder,
  ready: async () => undefined,
  embed: async (texts, { signal, ...options }) =>
    // Safe: the serving thread answers with what its embedder returned.
    (await request({ what: "embed", texts, options }, signal)) as Float32Array[],
  embedTurns: () => Promise.reject(new Error("A thread that searches embeds questions alone.")),
  close: async () => undefined,
});

const llmOf = (facts: NonNullable<OpenOrder["llm"]>): Llm => ({
  ...facts,
  complete: async (asks, { signal }) => String(await request({ what: "complete", request: asks }, signal)),
  close: () => undefined,
});

type Services = Omit<SearchCtx, "principal">;
let services: Services | null = null;
let reader: StorageReader | null = null;
/** Searches that have begun and not ended. */
const inHand = new Set<Promise<void>>();

function open({ ticket, limits, standalone, embedder, llm }: OpenOrder): Services {
  reader = openReader({ ticket, clock, policies: storagePolicies });
  const storage: SearchStorage = {
    ...reader,
    memories: {
      ...reader.memories,
      touchRecalls: async (tenant_id, ids, at) => {
        await request({ what: "touch_recalls", tenant_id, ids, at });
      },
    },
  };
  return {
    clock,
    log,
    storage,
    limits,
    standalone,
    embedder: embedderOf(embedder),
    llm: llm && llmOf(llm),
    afterReply: afterReply.add,
  };
}

function track(work: Promise<void>): void {
  inHand.add(work);
  void work.finally(() => inHand.delete(work));
}

/** The first search prepares statements and compiles code; nobody should wait for that. */
const warmUp = ({ storage }: Services): Promise<unknown> =>
  storage.memories.hits({ filter: { tenant_id: "" }, vector: null, words: ["warm", "up"], pool: 1 });

function run({ verb, principal, input }: SearchOrder, of: Services): Promise<object> {
  const ctx: SearchCtx = { ...of, principal };
  // Safe: whoever asks for a verb gives its input.
  return verb === "search" ? searchHere(ctx, input as SearchInput) : recallHere(ctx, input as RecallInput);
}

async function answer(id: number, order: SearchOrder): Promise<void> {
  try {
    if (!services) throw new Error("The storage could not be opened.");
    tell({ kind: "reply", id, reply: await run(order, services), cause: null });
  } catch (error) {
    tell({ kind: "reply", id, reply: null, cause: describeCause(error) });
  }
}

/** Finishes what it has in hand and lets the storage go: the serving thread empties the log then, and closes its own. */
async function close(): Promise<void> {
  await Promise.all(inHand);
  await afterReply.drain();
  await reader?.close();
  tell({ kind: "closed" });
}

const errorOf = ({ reason, fault }: RefusalParts): Error =>
  fault ? new AppError(fault.code, fault.message, fault.details) : new Error(reason);

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  switch (data.kind) {
    case "open":
      services = open(data);
      track(warmUp(services).then(() => tell({ kind: "opened" })));
      break;
    case "ask":
      moment = { ...data.moment, at: performance.now() };
      track(answer(data.id, data.order));
      break;
    case "close":
      void close();
      break;
    case "answer":
      asked.get(data.id)?.resolve(data.value);
      asked.delete(data.id);
      break;
    case "refusal":
      asked.get(data.id)?.reject(errorOf(data));
      asked.delete(data.id);
      break;
    default:
      data satisfies never;
  }
};
