import { z } from "zod";
import { redirectTarget } from "../../../core/kernel/address.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { JsonValue } from "../../../core/kernel/json.ts";
import { preview, readBounded } from "../../../core/kernel/text.ts";
import { jsonLine } from "../shared/files.ts";

export interface CauraOptions {
  /** Address of the server, with or without `/api/v1`. */
  readonly url: string;
  /** Sent as X-API-Key; none where the server asks for none. */
  readonly key: string | null;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits so many milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Answer {
  readonly body: JsonValue;
  /** Where the rest of a list begins, if the server says so. */
  readonly next_offset: number | null;
}

export interface Asked {
  /** The answer to a GET below `/api/v1`. Throws Refusal where the server refuses, AppError where it does not answer. */
  get(path: string, query?: Query): Promise<Answer>;
  /** The address that is asked, as people know it. */
  addressOf(path: string): string;
}

/** The server understood and said no. */
export class Refusal extends AppError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(status === 401 ? "UNAUTHORIZED" : "BAD_REQUEST", message);
  }
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const MIB = 1_048_576;
/** Of one page of anything, unpacked: a few kilobytes may unpack to gigabytes. */
const ANSWER_MAX_MIB = 256;
/** How often a question is asked that is not answered. */
const TRIES = 6;
const TIMEOUT_MS = 60_000;
const SECOND_MS = 1_000;
/** Longest wait between two tries. */
const WAIT_MAX_MS = 60_000;
const PREFIX = "/api/v1";

/** Asks a server that speaks the interface of Caura. Throws BAD_REQUEST where the address is none of HTTP. */
export function askCaura({ url, key, fetch, wait = later }: CauraOptions): Asked {
  const base = baseOf(url);
  const headers = { Accept: "application/json", ...(key === null ? {} : { "X-API-Key": key }) };
  const addressOf = (path: string): string => `${base}${PREFIX}${path}`;
  const once = async (address: string): Promise<Reply | Error | "large"> => {
    try {
      // Redirected, the key would go to whatever address it is told.
      const init = { headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
      const response = await fetch(address, init);
      const text = await readBounded(response, ANSWER_MAX_MIB * MIB);
      return text === null ? "large" : { status: response.status, headers: response.headers, text };
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  const get = async (path: string, query: Query = {}): Promise<Answer> => {
    const address = `${addressOf(path)}${queryText(query)}`;
    let last: Reply | Error = new Error("It was not asked.");
    for (let tries = 1; tries <= TRIES; tries++) {
      const found = await once(address);
      if (found === "large") throw tooLarge(addressOf(path));
      last = found;
      if (!(last instanceof Error) && last.status !== 429 && last.status < 500) return answerOf(last, addressOf(path));
      if (tries < TRIES) await wait(pauseOf(last, tries));
    }
    throw unanswered(addressOf(path), last);
  };
  return { get, addressOf };
}

const later = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

function baseOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== "")
    throw new AppError("BAD_REQUEST", `${url} is not the address of a server. Write it as in http://127.0.0.1:8000.`);
  return `${parsed.origin}${parsed.pathname.replace(/(?<!\/)(?:\/api\/v1)?\/*$/, "")}`;
}

function queryText(query: Query): string {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) told.set(name, String(value));
  return told.size === 0 ? "" : `?${told}`;
}

/** As long as the server says; else twice as long each time. */
function pauseOf(last: Reply | Error, tries: number): number {
  const told = last instanceof Error ? Number.NaN : Number(last.headers.get("retry-after") ?? Number.NaN);
  const seconds = told >= 0 ? told : 2 ** (tries - 1);
  return Math.min(seconds * SECOND_MS, WAIT_MAX_MS);
}

function unanswered(address: string, last: Reply | Error): AppError {
  const how = last instanceof Error ? `could not be reached (${last.message})` : `answered ${last.status}`;
  return new AppError(
    "UNAVAILABLE",
    `${address} ${how}, ${TRIES} times. What was read until then is kept: repeat the import when it answers.`,
    undefined,
    last instanceof Error ? { cause: last } : {},
  );
}

const tooLarge = (address: string): AppError =>
  new AppError(
    "BAD_REQUEST",
    `${address} answers with more than ${ANSWER_MAX_MIB} MiB, which no page of Caura's interface has. Name the address of its API.`,
  );

const Envelope = z.object({ error: z.object({ message: z.string() }) });
const REASON_MAX = 300;

function answerOf({ status, headers, text }: Reply, address: string): Answer {
  const read = jsonLine(text);
  const target = redirectTarget({ status, headers }, address);
  if (target !== null)
    throw new Refusal(
      status,
      `${address} leads to ${target}, and nothing was sent there. Name that address if it is yours.`,
    );
  if (status >= 400) throw refusalOf(status, address, "value" in read ? read.value : null);
  if ("fault" in read) throw noInterface(address);
  const next = headers.get("x-next-offset");
  return { body: read.value, next_offset: next === null ? null : Number(next) };
}

function refusalOf(status: number, address: string, body: unknown): Refusal {
  const reason = preview(Envelope.safeParse(body).data?.error.message ?? "", REASON_MAX);
  const next = status === 401 ? " Give a key of that server." : "";
  return new Refusal(status, `${address} answered ${status}${reason ? `: ${reason}` : "."}${next}`);
}

/** What answers there does not speak Caura's interface. */
export const noInterface = (address: string): AppError =>
  new AppError("BAD_REQUEST", `${address} does not answer as Caura's interface does. Name the address of its API.`);
