import { presentedKey, resolvePrincipal } from "../access/resolve.ts";
import { requireTenant } from "../access/tenant.ts";
import { AppError } from "../kernel/errors.ts";
import { sha256 } from "../kernel/hash.ts";
import { newId } from "../kernel/ids.ts";
import { describeCause } from "../kernel/log.ts";
import type { KeptReply } from "../ports/account-stores.ts";
import type { Ctx, Services } from "../ports/context.ts";
import type { Principal } from "../schema/access.ts";
import { corsHeaders, SECURITY_HEADERS } from "./guard.ts";
import { idempotencyKey, replayOr } from "./idempotency.ts";
import type { createLimiter, Quota } from "./limits.ts";
import { quotaHeaders } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import type { Operation } from "./operation.ts";
import { WithHeaders } from "./operation.ts";
import { toProblem } from "./problem.ts";
import { readRequest } from "./request.ts";

/** Longest a request may take before the caller is told to try again, unless the server sets another bound. */
const REQUEST_LIMIT_MS = 45_000;

/** What every request of the process shares. */
export interface Edge {
  readonly services: Services;
  readonly take: ReturnType<typeof createLimiter>;
  readonly metrics: Metrics;
  readonly requestLimitMs: number | undefined;
}

/** One request as the router hands it over. */
export interface Incoming {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** Address of the peer; null inside a test. */
  readonly address: string | null;
}

interface Answer {
  readonly status: number;
  /** JSON text; null for an empty body. */
  readonly body: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code?: string;
  readonly cause?: unknown;
}

/** Answers one request: identity, quota, validation, verb; measured, logged, and in the envelope when refused. */
export async function answer(edge: Edge, operation: Operation, incoming: Incoming): Promise<Response> {
  const startedAt = performance.now();
  const request_id = newId(edge.services.clock);
  const caller = await identify(edge.services, incoming.request.headers);
  const quota = edge.take(budgetOf(caller, incoming), operation.rate ?? "read");
  const found = await respond(edge, operation, incoming, { caller, quota });
  const took_ms = Math.round((performance.now() - startedAt) * 10) / 10;
  edge.metrics.observe(operation.id, found.status, took_ms / 1000);
  const line = { request_id, operation: operation.id, status: found.status, took_ms, code: found.code };
  if (found.status >= 500) edge.services.log.error("request", { ...line, cause: describeCause(found.cause) });
  else edge.services.log.info("request", line);
  return new Response(found.body, {
    status: found.status,
    headers: {
      ...SECURITY_HEADERS,
      ...corsHeaders(incoming.request.headers.get("origin")),
      ...quotaHeaders(quota),
      ...(found.body === null ? {} : { "Content-Type": "application/json" }),
      ...found.headers,
      "X-Request-Id": request_id,
      "X-Response-Time": `${took_ms}ms`,
    },
  });
}

type Caller = { readonly principal: Principal } | { readonly refused: unknown };

async function identify(services: Services, headers: Headers): Promise<Caller> {
  return resolvePrincipal(services, headers).then(
    (principal) => ({ principal }),
    (refused: unknown) => ({ refused }),
  );
}

/**
 * Who shares a budget: a key in use, what a gateway vouches for, else an address, so that making keys up renews nothing.
 * Keys are hashed so that none lies in memory longer than its request.
 */
function budgetOf(caller: Caller, { request, address }: Incoming): string {
  const principal = "principal" in caller ? caller.principal : null;
  switch (principal?.auth_source) {
    case "gateway-header":
      return `gateway ${JSON.stringify([principal.tenant_id, principal.agent_id])}`;
    case "api-key":
      return `key ${sha256(presentedKey(request.headers) ?? "")}`;
    default:
      return `address ${address ?? "local"}`;
  }
}

async function respond(
  { services, requestLimitMs }: Edge,
  operation: Operation,
  incoming: Incoming,
  { caller, quota }: { caller: Caller; quota: Quota },
): Promise<Answer> {
  try {
    if (!quota.allowed) throw rateLimited(quota);
    if ("refused" in caller) throw caller.refused;
    const ctx: Ctx = { ...services, principal: caller.principal };
    if (!operation.open) requireTenant(ctx);
    const input = await readRequest(operation, incoming.request, incoming.params);
    let headers: Answer["headers"];
    const run = async (): Promise<KeptReply> => {
      const found = await operation.run(ctx, input);
      const reply = found instanceof WithHeaders ? found.reply : found;
      if (found instanceof WithHeaders) headers = found.headers;
      return { status: operation.statusOf(reply), body: reply === undefined ? null : JSON.stringify(reply) };
    };
    const key = operation.idempotent ? idempotencyKey(incoming.request.headers) : null;
    if (key === null) return { ...(await withinTime(run(), requestLimitMs)), ...(headers ? { headers } : {}) };
    const kept = { tenant_id: requireTenant(ctx), key };
    const { params, query, body } = input;
    // The agent belongs to the request: what one wrote must never answer another.
    const same = { operation: operation.id, agent_id: ctx.principal.agent_id, input: { params, query, body } };
    const { replayed, ...reply } = await withinTime(replayOr(ctx, kept, same, run), requestLimitMs);
    return replayed ? { ...reply, headers: { "Idempotency-Replayed": "true" } } : reply;
  } catch (cause) {
    const { status, body } = toProblem(cause);
    return { status, body: JSON.stringify(body), code: body.error.code, cause };
  }
}

const rateLimited = ({ limit, retry_after }: Quota): AppError =>
  new AppError("RATE_LIMITED", `Rate limit exceeded: ${limit} a second. Try again in ${retry_after} s.`, {
    limit,
    retry_after,
  });

async function withinTime<T>(work: Promise<T>, limitMs = REQUEST_LIMIT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = "The request took too long and may still finish. Check before you repeat it.";
    timer = setTimeout(() => reject(new AppError("UPSTREAM_TIMEOUT", message)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
