import { z } from "zod";

/** What the server was sent. */
export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: ChatBody;
}

const ChatBody = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(["system", "user"]), content: z.string() })),
});
type ChatBody = z.infer<typeof ChatBody>;

/** How the server answers one request. */
export type Line = (heard: Heard) => Response | Promise<Response>;

export interface ScriptedLlm {
  /** Address without a path. */
  readonly url: string;
  /** Every request so far. */
  readonly heard: readonly Heard[];
  /** The answers from now on, one a request; the last one is repeated. Forgets what was heard. */
  script(...lines: readonly Line[]): void;
  stop(): Promise<void>;
}

/** A server that completes chats as it is told to, on a free port of this machine. */
export function scriptedLlm(...lines: readonly Line[]): ScriptedLlm {
  const heard: Heard[] = [];
  let left = [...lines];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      const body = ChatBody.parse(await request.json());
      const said = { method: request.method, path, headers: request.headers, body };
      heard.push(said);
      const line = left.length > 1 ? left.shift() : left[0];
      return line ? line(said) : status(500)(said);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    heard,
    script(...next) {
      left = [...next];
      heard.length = 0;
    },
    stop: () => server.stop(true),
  };
}

/** A completion whose message is this text. */
export const says =
  (content: string | null): Line =>
  () =>
    Response.json({
      id: "x",
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content } }],
    });

/** A completion whose message is this value as JSON. */
export const saysJson = (value: unknown): Line => says(JSON.stringify(value));

/** A success with this body, whatever it is. */
export const sends =
  (body: string, type = "application/json"): Line =>
  () =>
    new Response(body, { headers: { "Content-Type": type } });

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Line =>
  () =>
    new Response(JSON.stringify({ error: { message: "No." } }), { status: code, headers });

/** Never answers. */
export const hangs: Line = () => new Promise(() => {});

/** Begins an answer and never ends it. */
export const stalls: Line = () =>
  new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"choices":')) }));

/** Goes on for as long as it is read. */
export const floods: Line = () =>
  new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(64 * 1024).fill(32)) }));

/** A line that waits until `open` is called. */
export function held(line: Line): { readonly line: Line; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { line: (heard) => promise.then(() => line(heard)), open: resolve };
}

/** An address of this machine where nobody listens. */
export async function deadAddress(): Promise<string> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const url = `http://127.0.0.1:${server.port}`;
  await server.stop(true);
  return url;
}
