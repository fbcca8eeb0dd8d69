import { Elysia } from "elysia";
import { resolvePrincipal } from "../access/resolve.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Services } from "../core/ports/context.ts";
import type { McpHandler } from "../core/ports/mcp.ts";
import { answer } from "./answer.ts";
import type { ConnectionLoad } from "./concurrency.ts";
import { createRequestSlots, RECONNECT_AFTER, tooManyConnections } from "./concurrency.ts";
import { mountConsole } from "./console/mount.ts";
import { dottedAddresses } from "./dotted-addresses.ts";
import type { StreamTimes } from "./events/event-body.ts";
import { STREAM_TIMES } from "./events/event-body.ts";
import { createStreamPlaces } from "./events/places.ts";
import type { GuardRules } from "./guard/guard.ts";
import { guard } from "./guard/guard.ts";
import { awayFromLocalName } from "./guard/local-name.ts";
import { requireOwnUser } from "./guard/own-user.ts";
import { createAnswersPerTurn } from "./load/answers-per-turn.ts";
import { createTurns } from "./load/turns.ts";
import { createMetrics } from "./metrics.ts";
import { MCP_PATHS, mcpRoute } from "./mount-mcp.ts";
import { DOCS_PATHS, mountDocs } from "./openapi/docs-page.ts";
import type { Operation } from "./operation.ts";
import { endOfLeftOverWorker } from "./own-origin/left-over-worker.ts";
import type { ConsolePort } from "./own-origin/own-origin.ts";
import { atConsolePort, towardsConsole } from "./own-origin/own-origin.ts";
import { arriving, atItsSocket } from "./own-origin/sockets.ts";
import type { Rates, Take } from "./rate-limits.ts";
import { createSharedLimiter, quotaHeaders } from "./rate-limits.ts";
import type { Answer, HttpContext } from "./reply.ts";
import { finish, refusalOf, startRequestLog } from "./reply.ts";
import type { Call, Socket } from "./request.ts";
import { targetOf } from "./request.ts";
import { counting } from "./request-counts.ts";
import { createRequestLines } from "./request-lines.ts";
import type { Route } from "./route-table.ts";
import { allowedAt, methodsAt, routesOf, shadowedRoutes } from "./route-table.ts";
import { truncateText } from "./truncate-issues.ts";

export interface ServerOptions {
  readonly guard: GuardRules;
  readonly rates: Rates;
  /** How many requests may be in hand at a time. */
  readonly requestsLimit: number;
  /** Who knows of the connections; nobody where no socket listens. */
  readonly crowd?: ConnectionLoad | undefined;
  /** Where browsers have the console, if not where programs call. */
  readonly consolePort?: ConsolePort | null | undefined;
  /** Answers what is sent to /mcp. */
  readonly mcp: McpHandler;
  /** Longest a request may take; 45 s when absent. */
  readonly requestLimitMs?: number | undefined;
  /** Beats and life of a stream of events; 10 s and 30 minutes when absent. */
  readonly streamTimes?: StreamTimes | undefined;
}

const METRICS = "/metrics";

/** The HTTP edge over a list of operations; not yet listening. */
export function createServer(services: Services, operations: readonly Operation[], options: ServerOptions) {
  const { rates, requestLimitMs, requestsLimit, streamTimes = STREAM_TIMES } = options;
  let take = createSharedLimiter(services, rates);
  // Who had spent a budget before everything was put back has it again.
  services.snapshots.onRestored(() => {
    take = createSharedLimiter(services, rates);
  });
  const hold = createRequestSlots(requestsLimit);
  const edge = {
    services,
    take: ((...call) => take(...call)) satisfies Take,
    hold,
    takeTurn: createTurns(),
    metrics: createMetrics(counting(services.requestCounts, operations)),
    tellRequest: createRequestLines(services.log, new Set([...operations.map(({ id }) => id), "mcp"])),
    endsConnection: createAnswersPerTurn(),
    requestLimitMs,
    takeStream: createStreamPlaces(),
    streamTimes,
  };
  const routes = routesOf(operations, [METRICS, "/", ...DOCS_PATHS]);
  const dotted = (request: Request, socket: Socket) =>
    preRoute(edge, options, { request, server: socket }) ?? noSuchAddress(edge, request, addressOf(request, socket));
  const table = dottedAddresses(routes, dotted);
  const server = new Elysia({ normalize: false, serve: { routes: table } });
  server.onRequest(
    ({ request, server: socket }) => preRoute(edge, options, { request, server: socket }, requireName) ?? undefined,
  );
  server.onError(({ request, error }) => finish(edge, startRequestLog(edge, request, "unknown"), refusalOf(error)));
  for (const operation of operations) {
    for (const path of [operation.path, ...(operation.aliases ?? [])]) {
      server.route(
        operation.method,
        path.replace(/\{(\w+)\}/g, ":$1"),
        ({ request, params, server: socket }) =>
          answer(edge, operation, { request, params: joined(params ?? {}), address: addressOf(request, socket) }),
        { parse: "none" },
      );
    }
  }
  mountDocs(server, edge, operations);
  const missing = ({ request, server: socket }: Call) => noSuchRoute(edge, routes, request, addressOf(request, socket));
  const lost = mountConsole(server, edge, { elsewhere: missing, consolePort: options.consolePort });
  const mcp = mcpRoute(edge, operations, options.mcp);
  for (const path of MCP_PATHS)
    server.all(path, ({ request, server: socket }) => mcp(request, addressOf(request, socket)), { parse: "none" });
  server.get(METRICS, ({ request }) => renderMetrics(edge, request), { parse: "none" });
  for (const { path, method } of shadowedRoutes(routes)) server.route(method, path, missing, { parse: "none" });
  server.all("/*", lost, { parse: "none" });
  return Object.assign(server, {
    /** Opens one more socket of the same server. Throws where the address is taken. */
    listenAlso: (address: MoreAddress): Bun.Server<unknown> =>
      Bun.serve({ ...address, routes: table, fetch: (request, socket) => server.fetch(arriving(request, socket)) }),
  });
}

type MoreAddress = Pick<
  Bun.Serve.HostnamePortServeOptions<unknown>,
  "hostname" | "port" | "reusePort" | "idleTimeout"
> &
  Pick<Bun.Serve.Options<unknown>, "maxRequestBodySize" | "development">;

const REST = "_rest";

/** An alias may take a slash within a parameter as it is written, as `{slug}/{slug_rest}`. */
function joined(params: Readonly<Record<string, string>>): Record<string, string> {
  const whole = Object.entries(params).filter(([name]) => !name.endsWith(REST));
  return Object.fromEntries(
    whole.map(([name, value]) => [
      name,
      [value, params[`${name}${REST}`]].filter((part) => part !== undefined).join("/"),
    ]),
  );
}

export type Server = ReturnType<typeof createServer>;

const addressOf = (request: Request, socket: Socket | null): string | null =>
  atItsSocket({ request, server: socket }).server?.requestIP(request)?.address ?? null;

/** What is answered before any route: refusals of the guard, preflights, and whoever is one too many. */
function preRoute(
  edge: HttpContext,
  rules: Pick<ServerOptions, "guard" | "crowd" | "consolePort">,
  arrived: Call,
  check = (_: Request): void => {},
): Response | null {
  const { request } = arrived;
  const call = atItsSocket(arrived);
  try {
    const probed = atConsolePort(rules.consolePort, call);
    if (probed) return finish(edge, startRequestLog(edge, request, "guard"), probed);
    const preflight = guard(rules.guard, request);
    requireOwnUser(edge.services, request, call.server);
    check(request);
    const elsewhere =
      endOfLeftOverWorker(request) ?? awayFromLocalName(call) ?? towardsConsole(rules.consolePort, call);
    if (elsewhere) return finish(edge, startRequestLog(edge, request, "guard"), elsewhere);
    if (preflight) return finish(edge, startRequestLog(edge, request, "preflight"), preflight);
    if (!rules.crowd?.tooMany()) return null;
    const refusal = refusalOf(tooManyConnections(rules.crowd.limit), RECONNECT_AFTER);
    return finish(edge, startRequestLog(edge, request, "crowd"), refusal);
  } catch (error) {
    return finish(edge, { ...startRequestLog(edge, request, "guard"), cors: {} }, refusalOf(error));
  }
}

/**
 * Not every `.` and `..` is refused by the table of the transport: behind a backslash, an empty segment or very many
 * segments it is resolved, and what arrives is the address of all things with a slash behind it. Whoever meant to delete
 * one must not delete them all.
 */
function requireName(request: Request): void {
  const { pathname } = targetOf(request);
  if (request.method === "DELETE" && pathname.endsWith("/")) throw noRoute(request.method, pathname);
}

/** Prometheus text: of the whole for the owner of the machine, of its tenant, as far as it counts that, for every other caller. */
async function renderMetrics(edge: HttpContext, request: Request): Promise<Response> {
  const arrival = startRequestLog(edge, request, "metrics");
  return finish(edge, arrival, await metricsFor(edge, request).catch((error: unknown) => refusalOf(error)));
}

async function metricsFor({ services, metrics }: HttpContext, { headers }: Request): Promise<Answer> {
  const principal = await resolvePrincipal(services, headers);
  if (principal.tenant_id === null) throw new AppError("UNAUTHORIZED", "Metrics need a key. Send it in X-API-Key.");
  const { text, type } = await metrics.render({ ...services, principal, door: "http" }, principal.tenant_id);
  return { status: 200, body: text, headers: { "Content-Type": type } };
}

/** The refusal of an address or method that no operation has. */
function noSuchRoute(edge: HttpContext, routes: readonly Route[], request: Request, address: string | null) {
  const { pathname } = targetOf(request);
  const { error, allow } = refusalFor(routes, request.method, pathname);
  return turnAway(edge, request, address, { name: "no_such_route", error, headers: allow });
}

/** The refusal of an address that the transport would take for another one. */
const noSuchAddress = (edge: HttpContext, request: Request, address: string | null): Promise<Response> =>
  turnAway(edge, request, address, { name: "dotted_address", error: dottedPath(), headers: {} });

/** What is no operation counts against the budget of the caller's address. */
async function turnAway(
  edge: HttpContext,
  request: Request,
  address: string | null,
  refusal: { name: string; error: AppError; headers: Answer["headers"] },
): Promise<Response> {
  const quota = await edge.take(`address ${address ?? "local"}`, "read");
  const { name, error, headers } = refusal;
  const told = { ...quotaHeaders({ ...quota, allowed: true }), ...headers };
  return finish(edge, startRequestLog(edge, request, name), refusalOf(error, told));
}

function refusalFor(routes: readonly Route[], method: string, pathname: string) {
  const methods: readonly string[] = methodsAt(routes, pathname);
  if (methods.length === 0 || methods.includes(method)) {
    return { error: noRoute(method, pathname), allow: {} };
  }
  const allow = allowedAt(routes, pathname).join(", ");
  const message = `${method} is not allowed here; allowed: ${allow}.`;
  return { error: new AppError("METHOD_NOT_ALLOWED", message), allow: { Allow: allow } };
}

const noRoute = (method: string, pathname: string): AppError =>
  new AppError("NO_SUCH_ROUTE", `There is no ${method} ${truncateText(pathname)}. See /api/docs for all routes.`);

const dottedPath = (): AppError =>
  new AppError("BAD_REQUEST", "A path may have no segment `.` or `..`, nor one of their percent-encoded spellings.");
