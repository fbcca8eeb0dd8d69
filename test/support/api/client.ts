import { expect } from "bun:test";
import { z } from "zod";
import { ERROR_STATUS } from "../../../src/core/kernel/errors.ts";
import { Problem, ValidationProblem } from "../../../src/core/schema/problem.ts";
import { openApiDocument } from "../../../src/http/openapi/document.ts";
import type { Operation } from "../../../src/http/operation.ts";
import { operations } from "../../../src/http/routes/all.ts";

type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Reply<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, a list of it where the reply is JSON Lines or the first server-sent events, or null when it has no body. */
  readonly body: T;
}

/** Talks to Cairn as its users do. Whatever comes back must be what the operation declares, or the test fails. */
export interface Client {
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** A call that must succeed; its body, read by the schema. */
  ok<T>(schema: z.ZodType<T>, method: string, path: string, options?: CallOptions): Promise<T>;
  /** A call that must be refused. */
  refused(method: string, path: string, options?: CallOptions): Promise<Reply<Refusal>>;
  /** The same client with headers on every call: another caller. */
  as(headers: Readonly<Record<string, string>>): Client;
}

export const Refusal = z.union([Problem, ValidationProblem]);
export type Refusal = z.infer<typeof Refusal>;

type Send = (path: string, init: RequestInit) => Promise<Response>;

export function createClient(send: Send, headers: Readonly<Record<string, string>> = {}): Client {
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Reply> => {
    const response = await send(
      `${path}${queryText(options.query)}`,
      requestInit(method, { ...options, headers: { ...headers, ...options.headers } }),
    );
    const text = isStream(response) ? await firstEvents(response) : await response.text();
    const body = parsed(text, response.headers.get("content-type"));
    const reply = { status: response.status, headers: response.headers, body };
    checkReply(operationOf(method, path), reply);
    return reply;
  };
  return {
    call,
    ok: async (schema, method, path, options) => {
      const { status, body } = await call(method, path, options);
      if (status >= 400) throw new Error(`${method} ${path} was refused: ${JSON.stringify(body)}`);
      return schema.parse(body);
    },
    refused: async (method, path, options) => {
      const reply = await call(method, path, options);
      if (reply.status < 400) throw new Error(`${method} ${path} was not refused: ${JSON.stringify(reply.body)}`);
      return { ...reply, body: Refusal.parse(reply.body) };
    },
    as: (more) => createClient(send, { ...headers, ...more }),
  };
}

/** Server-sent events go on: what comes at once is read, then the stream is left. */
async function firstEvents({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}
const EVENTS = "text/event-stream";
const isStream = ({ headers }: Response): boolean => headers.get("content-type") === EVENTS;

/** JSON, or a list of what the lines of JSON Lines, or the data of events, hold. */
function parsed(text: string, type: string | null): unknown {
  if (type === EVENTS) return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
  if (type === LINES) return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  return text === "" ? null : JSON.parse(text);
}
const LINES = "application/x-ndjson";

function queryText(query: CallOptions["query"] = {}): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === "object" ? value : [value])
      if (one !== undefined) sent.append(name, String(one));
  }
  return sent.size > 0 ? `?${sent}` : "";
}

function requestInit(method: string, { body, raw, headers }: CallOptions): RequestInit {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  if (sent === undefined) return { method, headers: { ...headers } };
  return { method, body: sent, headers: { "Content-Type": "application/json", ...headers } };
}

const patternOf = ({ path }: Operation): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

/** The operation that answers a call; a fixed path goes before one with parameters. */
function operationOf(method: string, path: string): Operation | undefined {
  const named = operations.filter((operation) => operation.method === method);
  return named.find((one) => one.path === path) ?? named.find((one) => patternOf(one).test(path));
}

const document = openApiDocument(operations);

/** Parsing drops what the schema does not know, so a reply equals its parsed self only when it declares every field. */
function checkReply(operation: Operation | undefined, reply: Reply): void {
  const succeeded = reply.status < 400 || operation?.statuses.includes(reply.status);
  if (!succeeded) checkRefusal(operation, reply);
  else if (operation) checkSuccess(operation, reply);
}

function checkSuccess({ statuses, reply: declared, replyType }: Operation, { status, body }: Reply): void {
  expect(statuses).toContain(status);
  if (replyType !== undefined) {
    for (const line of z.array(z.unknown()).parse(body)) expect(declared?.parse(line)).toEqual(line);
    return;
  }
  if (declared === null) expect(body).toBeNull();
  else expect(declared.parse(body)).toEqual(body);
}

function checkRefusal(operation: Operation | undefined, reply: Reply): void {
  const refusal = Refusal.parse(reply.body);
  const { code, message } = refusal.error;
  expect(refusal).toEqual(Object(reply.body));
  expect<number>(ERROR_STATUS[code]).toBe(reply.status);
  if (reply.status === 422) expect(refusal.error.details).toEqual({ errors: refusal.detail });
  else expect(refusal.detail).toBe(message);
  // A fixed path such as /memories/bulk looks like one with an id to an operation that never sees it.
  if (operation && code !== "METHOD_NOT_ALLOWED")
    expect(documentedCodes(operation, reply.status)).toContain(`\`${code}\``);
}

/** What the OpenAPI document says of a status: every refusal must be announced there. */
const documentedCodes = ({ path, method }: Operation, status: number): string =>
  document.paths[path]?.[method.toLowerCase()]?.responses[status]?.description ?? "nothing";
