import type { CallLocal } from "../../src/cli/call.ts";
import { callThrough } from "../../src/cli/call.ts";
import { Status } from "../../src/core/schema/system.ts";
import { startServer, targets } from "../bench/server.ts";

/** Longest wait for a reply, in milliseconds. */
const REPLY_LIMIT_MS = 120_000;
/** Work of which nothing was done for so long has come to a standstill. */
const STANDSTILL_MS = 60_000;
const POLL_MS = 200;

/**
 * Measures the server at `url`, with the key of CAIRN_KEY, or one of our own from source that keeps all in memory and is
 * gone afterwards: what was measured before changes nothing. `embedder` is for one of our own.
 */
export async function onServer<T>(
  { url, embedder = "onnx" }: { readonly url?: string | undefined; readonly embedder?: string | undefined },
  measure: (call: CallLocal, url: string) => Promise<T>,
): Promise<T> {
  if (url !== undefined) return measure(caller(url), url);
  const [source] = targets();
  if (!source) throw new Error("There is nothing to start.");
  const server = await startServer(source, null, ["--embedder", embedder]);
  try {
    await server.modelReady();
    return await measure(caller(server.url), server.url);
  } finally {
    await server.stop();
  }
}

function caller(url: string): CallLocal {
  const key = process.env.CAIRN_KEY;
  const headers = { "content-type": "application/json", ...(key ? { "x-api-key": key } : {}) };
  const send = (request: Request) => fetch(request, { redirect: "error", signal: AbortSignal.timeout(REPLY_LIMIT_MS) });
  return callThrough(`${url.replace(/\/$/, "")}/api/v1`, headers, send);
}

/** Resolves once every memory has its vectors and has been linked and compared. Throws when that comes to a standstill. */
export async function untilSettled(call: CallLocal): Promise<void> {
  let [least, leastAt] = [Number.POSITIVE_INFINITY, performance.now()];
  for (;;) {
    // First, so that work after the last reply has had its turn.
    await Bun.sleep(POLL_MS);
    const { jobs } = Status.parse(await call("GET", "/status"));
    if (!jobs)
      throw new Error("The server tells only an administrator what work is left: set CAIRN_KEY to such a key.");
    const left = jobs.due + jobs.running + jobs.embedding_pending;
    if (left === 0) return;
    if (left < least) [least, leastAt] = [left, performance.now()];
    else if (performance.now() - leastAt > STANDSTILL_MS)
      throw new Error(`The server came to a standstill with ${left} pieces of work left; its log says why.`);
  }
}

/** A figure with three decimals, as tables have it. */
export const share = (value: number): string => value.toFixed(3).replace(/^0/, "");
