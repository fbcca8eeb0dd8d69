import { startServer, targets } from "../bench/server.ts";

/** Longest wait for a reply, in milliseconds. */
const REPLY_LIMIT_MS = 120_000;

/** A server that is measured from outside. */
export interface Evaluated {
  /** The reply's JSON; waits where the server asks for it. Throws what any other refusal says. */
  call<T>(method: "GET" | "POST", path: string, body?: object): Promise<T>;
  stop(): Promise<void>;
}

/**
 * The server at `url`, with the key of CAIRN_KEY, or one of our own in memory: the executable where it is built, else the
 * source.
 */
export async function evaluated(url: string | undefined): Promise<Evaluated> {
  if (url !== undefined) return { call: caller(url), stop: async () => {} };
  const target = targets().at(-1);
  if (!target) throw new Error("There is nothing to start.");
  const server = await startServer(target, null);
  await server.modelReady();
  return { call: caller(server.url), stop: server.stop };
}

const caller = (url: string): Evaluated["call"] => {
  const key = process.env.CAIRN_KEY;
  const headers = { "content-type": "application/json", ...(key ? { "x-api-key": key } : {}) };
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    for (;;) {
      const reply = await fetch(`${url.replace(/\/$/, "")}/api/v1${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(REPLY_LIMIT_MS),
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (reply.status === 429) {
        await Bun.sleep(1_000 * Number(reply.headers.get("retry-after") ?? 1));
        continue;
      }
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${(await reply.text()).slice(0, 300)}`);
      // Safe: the caller names the part of the documented reply that it reads.
      return (await reply.json()) as T;
    }
  };
};

/** A Markdown table. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** A figure with three decimals, as tables have it. */
export const share = (value: number): string => value.toFixed(3).replace(/^0/, "");
