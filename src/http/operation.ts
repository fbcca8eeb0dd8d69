import type { z } from "zod";
import type { ErrorCode } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Topic } from "../core/schema/observing/changes.ts";
import type { RateKind } from "./rate-limits.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What an operation receives, each part already checked against its schema. */
export interface OperationInput<P, Q, H, B> {
  readonly params: P;
  readonly query: Q;
  readonly headers: H;
  readonly body: B;
  /** Top-level fields of the body that the schema does not know. */
  readonly ignored: readonly string[];
  /** Items of the body's `itemsApart` that could not be taken as they are, and why, by position; they are empty in `body`. */
  readonly refused: ReadonlyMap<number, string>;
  /** Names the request under its Idempotency-Key, the same when it is repeated after a crash; null without a key. */
  readonly attempt: string | null;
}

/** What a successful call may change, told to those who watch its tenant: declared by whatever writes. */
type Budgeted =
  | { readonly rate: "write" | "bulk"; readonly changes: readonly [Topic, ...Topic[]] }
  | { readonly rate?: Exclude<RateKind, "write" | "bulk">; readonly changes?: undefined };

/** All of an operation but its budget. */
interface OperationBase<P, Q, H, B, R> {
  readonly method: Method;
  /** OpenAPI path template, such as `/api/v1/memories/{memory_id}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Open operations answer without any credential. */
  readonly open?: boolean;
  /** Answered even where as many requests are in hand as may be: whoever watches the server asks for it. */
  readonly unheld?: boolean;
  /** Other paths that answer the same, kept for older clients; `{a}/{a_rest}` is a parameter with a slash in it. */
  readonly aliases?: readonly string[];
  /** Tenant in which it changes something where that is not the caller's; null for all of them. */
  changesIn?(input: OperationInput<P, Q, H, B>): string | null;
  /** Honours Idempotency-Key. */
  readonly idempotent?: boolean;
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly headers?: z.ZodType<H>;
  readonly body?: z.ZodType<B>;
  /** Member of the body, a list, whose items fail alone. */
  readonly itemsApart?: string;
  /** Type of a reply that is sent as it is read; JSON where it is left out. */
  readonly replyType?: "application/x-ndjson" | "text/event-stream";
  /** Schema of the reply; null for an empty one. */
  readonly reply: z.ZodType<R> | null;
  /** Every status a success may have; the first one unless `statusOf` says otherwise. */
  readonly statuses: readonly [number, ...number[]];
  /** The reply is one row, whose version is its ETag. */
  readonly versioned?: boolean;
  statusOf?(reply: R): number;
  /** Refusals of its own, besides those that every operation shares. */
  readonly refusals?: readonly ErrorCode[];
  run(ctx: Ctx, input: OperationInput<P, Q, H, B>): Promise<R | WithHeaders<R> | Streamed | Events>;
}

/** `rate` names whose budget a call counts against; reading when absent. */
export type OperationSpec<P, Q, H, B, R> = OperationBase<P, Q, H, B, R> & Budgeted;

/** A reply that is sent a part at a time, as it is read. */
export class Streamed {
  constructor(readonly parts: AsyncIterable<string>) {}
}

/** Server-sent events, for as long as their reader and the server stay. */
export class Events {
  constructor(readonly events: AsyncIterable<ServerEvent>) {}
}

/** One of them. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** A reply that also sets headers of its own. */
export class WithHeaders<R> {
  constructor(
    readonly reply: R,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
/** A reply with headers of its own. */
export const withHeaders = <R>(reply: R, headers: Readonly<Record<string, string>>): WithHeaders<R> =>
  new WithHeaders(reply, headers);

/** An operation with its types forgotten: what the server, the documentation and the tests iterate over. */
export interface Operation
  extends Omit<OperationBase<unknown, unknown, unknown, unknown, unknown>, "run" | "statusOf" | "changesIn"> {
  readonly rate?: RateKind;
  readonly changes?: readonly Topic[] | undefined;
  statusOf(reply: unknown): number;
  /** Null for all tenants; undefined for the caller's. */
  changesIn(input: OperationInput<unknown, unknown, unknown, unknown>): string | null | undefined;
  run(ctx: Ctx, input: OperationInput<unknown, unknown, unknown, unknown>): Promise<unknown>;
}

/**
 * Declares an operation; the compiler holds its verb to its schemas.
 *
 * @example
 * operation({
 *   method: "GET",
 *   path: "/api/v1/whoami",
 *   id: "whoami",
 *   tag: "System",
 *   summary: "The identity this call resolves to",
 *   reply: Whoami,
 *   statuses: [200],
 *   run: async (ctx) => whoami(ctx),
 * })
 */
export function operation<P = undefined, Q = undefined, H = undefined, B = undefined, R = undefined>(
  spec: OperationSpec<P, Q, H, B, R>,
): Operation {
  const { run, statusOf, changesIn, ...declared } = spec;
  return {
    ...declared,
    // Safe: the server passes exactly what `params`, `query`, `headers` and `body` of this same spec produced.
    run: (ctx, input) => run(ctx, input as OperationInput<P, Q, H, B>),
    // Safe: likewise.
    changesIn: (input) => changesIn?.(input as OperationInput<P, Q, H, B>),
    // Safe: the server passes exactly what `run` of this same spec returned.
    statusOf: (reply) => statusOf?.(reply as R) ?? spec.statuses[0],
  };
}
