import { z } from "zod";

/** Calls an operation of the server that owns the data folder and returns its JSON reply; throws Refused. */
export type CallLocal = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** The server's refusal, in its own words. */
export class Refused extends Error {
  override readonly name = "Refused";
}

const Envelope = z.object({ error: z.object({ message: z.string() }) });

/** Calls through any way of answering requests: a socket, or a server in this process. */
export function callThrough(
  base: string,
  headers: Readonly<Record<string, string>>,
  send: (request: Request) => Promise<Response>,
): CallLocal {
  return async (method, path, body) => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await send(new Request(`${base}${path}`, { method, headers, ...text }));
    const reply = response.status === 204 ? null : await response.json();
    if (response.ok) return reply;
    throw new Refused(Envelope.safeParse(reply).data?.error.message ?? `The server answered ${response.status}.`);
  };
}
