import { z } from "zod";
import { presentedKey, resolvePrincipal } from "../access/resolve.ts";
import { requireTenant } from "../access/tenant.ts";
import { AppError } from "../core/kernel/errors.ts";
import { sha256 } from "../core/kernel/hash.ts";
import type { KeptReply } from "../core/ports/account-stores.ts";
import type { Ctx, Services } from "../core/ports/context.ts";
import type { Door, Principal } from "../core/schema/access.ts";
import { withMeantFleets } from "../projects/fleets.ts";
import { lateBody } from "./body.ts";
import type { RequestSlots } from "./concurrency.ts";
import { RETRY_AFTER } from "./concurrency.ts";
import { withinTime } from "./deadline.ts";
import { eventBody } from "./events/event-body.ts";
import { STREAM_RETRY_AFTER } from "./events/places.ts";
import { idempotencyKey, REPLAYED, replayOr } from "./idempotency.ts";
import type { Operation } from "./operation.ts";
import { Events, Streamed, WithHeaders } from "./operation.ts";
import type { Quota } from "./rate-limits.ts";
import { quotaHeaders } from "./rate-limits.ts";
import type { Answer, HttpContext } from "./reply.ts";
import { finish, refusalOf, startRequestLog } from "./reply.ts";
import type { ReadRequest } from "./request.ts";
import { readRequest } from "./request.ts";
import { streamOf } from "./stream.ts";

/** Longest a request may take, its arrival included, before the caller is told, unless the server sets another bound. */
export const REQUEST_LIMIT_MS = 45_000;

/** One request as the router hands it over. */
export interface Incoming {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** Address of the peer; null inside a test. */
  readonly address: string | null;
  /** By HTTP itself, unless it is named. */
  readonly door?: Door;
  /** The agent that has it run, as it names itself. */
  readonly speaker?: string;
  /** What has been taken of its caller's budget for it. */
  readonly taken?: Quota | undefined;
}

/** Answers one request: identity, quota, validation, verb; measured, logged, and in the envelope when refused. */
export async function answer(edge: HttpContext, operation: Operation, incoming: Incoming): Promise<Response> {
  const arrival = startRequestLog(edge, incoming.request, operation.id);
  const hold = operation.unheld ? AT_ONCE : edge.hold;
  return finish(edge, arrival, await answerWithin(edge, operation, incoming, hold));
}

/** The same as a part of another request, which is measured, logged and, unless by `hold`, held as one. */
export async function answerWithin(
  edge: HttpContext,
  operation: Operation,
  incoming: Incoming,
  hold: RequestSlots = AT_ONCE,
): Promise<Answer> {
  const caller = await identify(edge.services, incoming.request.headers);
  const budget = budgetOf(caller, incoming);
  const quota = incoming.taken ?? (await edge.take(budget, operation.rate ?? "read"));
  const work = () => respond(edge, operation, incoming, { caller, quota });
  const found = await hold(budget, work).catch((full: unknown) => refusalOf(full, RETRY_AFTER));
  return { ...found, headers: { ...quotaHeaders(quota), ...found.headers } };
}

const AT_ONCE: RequestSlots = (_, work) => work();

/** Who asks, or why that cannot be told. */
export type Caller = { readonly principal: Principal } | { readonly refused: unknown };

/** Who sends such headers, or why nobody can be told. */
export async function identify(services: Services, headers: Headers): Promise<Caller> {
  return resolvePrincipal(services, headers).then(
    (principal) => ({ principal }),
    (refused: unknown) => ({ refused }),
  );
}

/** Who shares a budget: a credential, else an address, so that making keys up renews nothing. */
export function budgetOf(caller: Caller, { request, address }: Pick<Incoming, "request" | "address">): string {
  const credential = "principal" in caller ? credentialOf(caller.principal, request.headers) : null;
  return credential ?? `address ${address ?? "local"}`;
}

async function respond(
  edge: HttpContext,
  operation: Operation,
  incoming: Incoming,
  { caller, quota }: { caller: Caller; quota: Quota },
): Promise<Answer> {
  const { services, requestLimitMs = REQUEST_LIMIT_MS } = edge;
  try {
    if (!quota.allowed) throw rateLimited(quota);
    if ("refused" in caller) throw caller.refused;
    const ctx: Ctx = {
      ...services,
      principal: caller.principal,
      door: incoming.door ?? "http",
      speaker: incoming.speaker,
    };
    if (!operation.open) requireTenant(ctx);
    const deadline = performance.now() + requestLimitMs;
    const { tenant_id } = ctx.principal;
    const { request } = incoming;
    const reading = readRequest(operation, { ...incoming, tenant_id, values_max: ctx.limits.body_values_limit });
    const input = await withMeantFleets(ctx, await withinTime(reading, deadline, lateBody));
    await edge.takeTurn(budgetOf(caller, incoming));
    const run =
      operation.replyType === undefined
        ? runOnce(ctx, operation, input, request.headers)
        : runStreamed({ ...edge, ctx }, operation, input, incoming);
    return await withinTime(run, deadline, lateReply);
  } catch (cause) {
    return refusalOf(cause);
  }
}

/** Whoever needs no credential: keys that nobody checks tell such callers apart no better than none. */
const KEYLESS = "standalone";

/** Runs the verb, or, under an Idempotency-Key that was used for the same request, gives the reply of that time again. */
async function runOnce(ctx: Ctx, operation: Operation, input: ReadRequest, sent: Headers): Promise<Answer> {
  let headers: Answer["headers"] = {};
  const run = async (attempt: string | null): Promise<KeptReply> => {
    const given = { ...input, attempt };
    const found = await operation.run(ctx, given);
    tellChanges(ctx, operation, given);
    const reply = found instanceof WithHeaders ? found.reply : found;
    if (found instanceof WithHeaders) headers = found.headers;
    return { status: operation.statusOf(reply), body: reply === undefined ? null : JSON.stringify(reply) };
  };
  const key = operation.idempotent ? idempotencyKey(sent) : null;
  if (key === null) return versioned(operation, { ...(await run(null)), headers });
  const kept = { tenant_id: requireTenant(ctx), credential: credentialOf(ctx.principal, sent) ?? KEYLESS, key };
  const { params, query, body, refused } = input;
  const apart = refused.size > 0 ? { refused: [...refused] } : {};
  const same = { operation: operation.id, input: { params, query, body, ...apart } };
  const { replayed, ...reply } = await replayOr(ctx, kept, same, run);
  return versioned(operation, { ...reply, headers: replayed ? REPLAYED : headers });
}

/** The answer with the version of its row as a header: of a kept one, as it was then. */
function versioned(operation: Operation, answer: KeptReply & Pick<Answer, "headers">): Answer {
  if (!operation.versioned || answer.body === null) return answer;
  const { version } = Versioned.parse(JSON.parse(answer.body));
  return version === undefined ? answer : { ...answer, headers: { ...answer.headers, ETag: `"${version}"` } };
}
/** Replies that were kept by an older Cairn have none. */
const Versioned = z.object({ version: z.string().optional() });

/** Whoever watches the tenant is told what a call that did not fail may have changed. */
function tellChanges({ changes, principal }: Ctx, operation: Operation, input: Parameters<Operation["run"]>[1]): void {
  if (operation.changes === undefined) return;
  const elsewhere = operation.changesIn(input);
  const tenant_id = elsewhere === undefined ? principal.tenant_id : elsewhere;
  changes.publish(tenant_id, operation.changes);
}

/** Answers once the first part is there, so that what fails at once is still refused. */
async function runStreamed(
  edge: HttpContext & { readonly ctx: Ctx },
  operation: Operation,
  input: ReadRequest,
  incoming: Incoming,
): Promise<Answer> {
  const { ctx } = edge;
  const found = await operation.run(ctx, { ...input, attempt: null });
  if (found instanceof Events) return eventAnswer(edge, found, incoming);
  if (!(found instanceof Streamed)) throw new Error(`Operation ${operation.id} gave nothing to stream.`);
  const body = await streamOf(found.parts, ctx.log);
  return { status: operation.statusOf(found), body, headers: { "Content-Type": operation.replyType ?? "" } };
}

/** A stream of events lasts as long as its reader stays who he was. */
function eventAnswer(
  { services, ctx, takeStream, streamTimes }: HttpContext & { readonly ctx: Ctx },
  { events }: Events,
  incoming: Incoming,
): Answer {
  const { headers } = incoming.request;
  const { tenant_id, owner } = ctx.principal;
  const isAllowed = async () => {
    const now = await identify(services, headers);
    return "principal" in now && now.principal.tenant_id === tenant_id && now.principal.owner === owner;
  };
  try {
    const onEnd = takeStream(budgetOf({ principal: ctx.principal }, incoming));
    const body = eventBody({ events, times: streamTimes, isAllowed, onEnd });
    return { status: 200, body, headers: EVENT_HEADERS };
  } catch (full) {
    return refusalOf(full, STREAM_RETRY_AFTER);
  }
}

/** No proxy is to keep events back. */
const EVENT_HEADERS = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" } as const;

/** The refusal of a call that its caller's budget does not hold. */
export const rateLimited = ({ limit, retry_after }: Quota): AppError =>
  new AppError("RATE_LIMITED", `Rate limit exceeded: ${limit} a second. Try again in ${retry_after} s.`, {
    limit,
    retry_after,
  });

const lateReply = () =>
  new AppError("UPSTREAM_TIMEOUT", "The request took too long and may still finish. Check before you repeat it.");

/**
 * What a caller proved itself with: a key in use, what a gateway vouches for; null for whoever needs no proof. Keys are hashed
 * so that none lies in memory longer than its request.
 */
export function credentialOf({ auth_source, tenant_id, agent_id }: Principal, headers: Headers): string | null {
  switch (auth_source) {
    case "gateway-header":
      return `gateway ${JSON.stringify([tenant_id, agent_id])}`;
    case "api-key":
      return `key ${sha256(presentedKey(headers) ?? "")}`;
    default:
      return null;
  }
}
