import { requireTenant } from "../access/tenant.ts";
import { AppError } from "../core/kernel/errors.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { Called, CallInput, McpHandler } from "../core/ports/mcp.ts";
import { SpokenName } from "../core/schema/common.ts";
import type { Caller } from "./answer.ts";
import { answerWithin, budgetOf, identify, REQUEST_LIMIT_MS, rateLimited } from "./answer.ts";
import { lateBody, measuredBody, readBytes } from "./body.ts";
import { RETRY_AFTER } from "./concurrency.ts";
import { withinTime } from "./deadline.ts";
import type { Operation } from "./operation.ts";
import type { Quota } from "./rate-limits.ts";
import { quotaHeaders } from "./rate-limits.ts";
import type { Answer, HttpContext } from "./reply.ts";
import { finish, refusalOf, startRequestLog } from "./reply.ts";

/** Where MCP is served. */
export const MCP_PATHS = ["/mcp", "/mcp/"] as const;

/** Headers by which a caller proves who it is; every call that it makes over MCP carries them. */
const CREDENTIALS = ["x-api-key", "authorization", "x-tenant-id", "x-agent-id", "x-gateway-secret", "x-org-role"];

/** Answers a request to /mcp: identity, quota and body limit as for every route; the guard has been passed before. */
export function mcpRoute(edge: HttpContext, operations: readonly Operation[], handle: McpHandler) {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return async (request: Request, address: string | null): Promise<Response> => {
    const arrival = startRequestLog(edge, request, "mcp");
    const { request_id } = arrival;
    const caller = await identify(edge.services, request.headers);
    const budget = budgetOf(caller, { request, address });
    // Taken before the body is read, which costs most of what a request costs that is refused.
    const quota = await edge.take(budget, "read");
    const work = () =>
      respond(edge, { request, address, byId, request_id, caller, quota }, handle).catch((error: unknown) =>
        refusalOf(error, quotaHeaders(quota)),
      );
    const found = await edge.hold(budget, work).catch((full: unknown) => refusalOf(full, RETRY_AFTER));
    return finish(edge, arrival, found);
  };
}

interface Incoming {
  readonly request: Request;
  readonly address: string | null;
  readonly byId: ReadonlyMap<string, Operation>;
  readonly request_id: string;
  readonly caller: Caller;
  /** What was taken of its budget; the first operation that a tool runs is paid with it where it reads. */
  readonly quota: Quota;
}

async function respond(edge: HttpContext, incoming: Incoming, handle: McpHandler): Promise<Answer> {
  const { request, caller: known, quota } = incoming;
  if (request.method !== "POST") return notAllowed(request.method);
  if (!quota.allowed) throw rateLimited(quota);
  if ("refused" in known) throw known.refused;
  const { services, requestLimitMs = REQUEST_LIMIT_MS } = edge;
  const { principal } = known;
  requireTenant({ ...services, principal });
  const bytes = await withinTime(readBytes(request), performance.now() + requestLimitMs, lateBody);
  const text = new TextDecoder().decode(bytes);
  measuredBody(text, services.limits.body_values_limit);
  const calls: Call[] = [];
  const { agent_id, fleet_id, trust, auth_source } = principal;
  const via_gateway = auth_source === "gateway-header";
  const caller = { agent_id, fleet_id, trust, via_gateway, invoke: invokeAs(edge, incoming, calls) };
  const { url, headers: sent, signal } = request;
  const response = await handle({ url, headers: sent, text, body: parsed(text), signal, caller });
  const reply = await response.text();
  const headers = calls.at(-1)?.quota ?? quotaHeaders(quota);
  return {
    status: response.status,
    body: reply === "" ? null : reply,
    headers: { ...headers, ...passedOn(response.headers) },
    ran: calls.map(({ operation }) => operation).join(" ") || undefined,
    code: calls.findLast(({ code }) => code !== undefined)?.code,
  };
}

/** What MCP itself says in headers. */
const PASSED_ON = ["Content-Type", "Mcp-Session-Id"];
const passedOn = (headers: Headers): Record<string, string> =>
  Object.fromEntries(PASSED_ON.map((name) => [name, headers.get(name)] as const).filter(isGiven));
const isGiven = (pair: readonly [string, string | null]): pair is readonly [string, string] => pair[1] !== null;

/** An operation that a tool ran. */
interface Call {
  readonly operation: string;
  readonly code: string | undefined;
  readonly quota: Record<string, string>;
}

function notAllowed(method: string): Answer {
  const error = new AppError("METHOD_NOT_ALLOWED", `${method} is not allowed here: MCP has no sessions. Send POST.`);
  return refusalOf(error, { Allow: "POST" });
}

/** What is no JSON is left to MCP to refuse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Runs operations as whoever sent a request. Under its Idempotency-Key the first, second and further write of one request each
 * have a key of their own, so that the whole request may be repeated.
 */
function invokeAs(edge: HttpContext, { request, address, byId, request_id, quota }: Incoming, calls: Call[]) {
  const key = request.headers.get("idempotency-key");
  let writes = 0;
  const payFor = payingFirst(quota);
  return async (id: string, { params = {}, query = {}, body, version, speaker }: CallInput): Promise<Called> => {
    const operation = byId.get(id);
    if (!operation) throw new Error(`There is no operation '${id}'.`);
    const sent = sentWith(request.headers, version);
    if (key !== null && operation.idempotent) sent.set("idempotency-key", `${key}:${++writes}`);
    if (body !== undefined) sent.set("content-type", "application/json");
    const inner = new Request(`http://127.0.0.1${pathOf(operation.path, params)}${searchOf(query)}`, {
      method: operation.method,
      headers: sent,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const startedAt = performance.now();
    const over = { door: "mcp", speaker: nameOf(speaker), taken: payFor(operation) } as const;
    const found = await answerWithin(edge, operation, { request: inner, params, address, ...over });
    const { status, code, cause } = found;
    edge.metrics.observe(id, status, (performance.now() - startedAt) / 1000);
    if (status >= 500)
      edge.services.log.error("request", { request_id, operation: id, status, code, cause: describeCause(cause) });
    calls.push({ operation: id, code, quota: quotaOf(found.headers) });
    const reply = typeof found.body === "string" && found.body !== "" ? JSON.parse(found.body) : null;
    return { status, headers: new Headers({ ...found.headers }), body: reply };
  };
}

/** Pays for the first operation that reads with what was taken for the whole request. */
function payingFirst(quota: Quota): (operation: Operation) => Quota | undefined {
  let left: Quota | undefined = quota;
  return ({ rate = "read" }) => {
    const taken = rate === "read" ? left : undefined;
    if (taken) left = undefined;
    return taken;
  };
}

/** What is shown of whoever gives no name, or one that no line can show. */
const NAMELESS = "mcp-agent";
const nameOf = (speaker: string | undefined): string => SpokenName.safeParse(speaker).data ?? NAMELESS;

const quotaOf = (headers: Answer["headers"] = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("X-RateLimit-")));

/** What proves who asks, and the version that the row is to have. */
function sentWith(headers: Headers, version: string | undefined): Headers {
  const sent = new Headers();
  for (const name of CREDENTIALS) {
    const value = headers.get(name);
    if (value !== null) sent.set(name, value);
  }
  if (version !== undefined) sent.set("if-match", `"${version}"`);
  return sent;
}

const pathOf = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));

function searchOf(query: NonNullable<CallInput["query"]>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? "" : `?${given}`;
}
