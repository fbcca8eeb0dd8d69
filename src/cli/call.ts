import { z } from "zod";

/**
 * Calls an operation of the server that owns the data folder and returns its JSON reply; throws Refused. `version` is the one that
 * the row is to have still.
 */
export type CallLocal = (method: string, path: string, body?: unknown, version?: string) => Promise<unknown>;

/** Reads a reply that is JSON Lines, line after line. Throws Refused. */
export type StreamLocal = (path: string) => AsyncIterable<string>;

/** The server's refusal, in its own words. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(
    message: string,
    readonly code = "INTERNAL_ERROR",
    readonly status = 500,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

const Envelope = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** How often a call that came too fast is repeated. */
const PATIENCE = 60;

/** Calls through any way of answering requests: a socket, or a server in this process. */
export function callThrough(
  base: string,
  headers: Readonly<Record<string, string>>,
  send: (request: Request) => Promise<Response>,
): CallLocal {
  return async (method, path, body, version) => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const sent = version === undefined ? headers : { ...headers, "If-Match": `"${version}"` };
    const request = () => send(new Request(`${base}${path}`, { method, headers: sent, ...text }));
    let response = await request();
    for (let i = 0; response.status === 429 && i < PATIENCE; i++) {
      const seconds = Number(response.headers.get("retry-after") ?? 1);
      await new Promise((resume) => setTimeout(resume, seconds * 1_000));
      response = await request();
    }
    if (!response.ok) throw await refusalOf(response);
    return response.status === 204 ? null : await response.json().catch(() => null);
  };
}

/** The same for replies that are too long to be held. */
export function streamThrough(
  base: string,
  headers: Readonly<Record<string, string>>,
  send: (request: Request) => Promise<Response>,
): StreamLocal {
  return async function* (path) {
    const response = await send(new Request(`${base}${path}`, { headers }));
    if (!response.ok) throw await refusalOf(response);
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  };
}

async function refusalOf(response: Response): Promise<Refused> {
  const error = Envelope.safeParse(await response.json().catch(() => null)).data?.error;
  if (!error) return new Refused(`The server answered ${response.status}.`, undefined, response.status);
  return new Refused(faultsOf(error), error.code, response.status, error.details ?? {});
}

const Faults = z.object({ errors: z.array(z.object({ loc: z.array(z.string()), msg: z.string() })).min(1) });

/** What is wrong, each fault with the field that it is about. */
function faultsOf({ message, details }: z.infer<typeof Envelope>["error"]): string {
  const faults = Faults.safeParse(details).data?.errors;
  if (!faults) return message;
  return faults
    .map(({ loc, msg }) => {
      const place = loc.slice(1).join(".");
      return place === "" || msg.startsWith(place) ? msg : `${place}: ${msg}`;
    })
    .map((fault, at) => (at < faults.length - 1 ? fault.replace(/\.$/, "") : fault))
    .join("; ");
}
