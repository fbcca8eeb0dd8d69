import { Elysia } from "elysia";
import { resolvePrincipal } from "../access/resolve.ts";
import { AppError } from "../kernel/errors.ts";
import type { Services } from "../ports/context.ts";
import type { Edge } from "./answer.ts";
import { answer } from "./answer.ts";
import { mountDocs } from "./docs-page.ts";
import type { GuardRules } from "./guard.ts";
import { corsHeaders, guard, SECURITY_HEADERS } from "./guard.ts";
import type { Rates } from "./limits.ts";
import { createLimiter } from "./limits.ts";
import { createMetrics } from "./metrics.ts";
import type { Operation } from "./operation.ts";
import { toProblem } from "./problem.ts";
import { targetOf } from "./request.ts";

export interface ServerOptions {
  readonly guard: GuardRules;
  readonly rates: Rates;
  /** Longest a request may take; 45 s when absent. */
  readonly requestLimitMs?: number | undefined;
}

/** The HTTP edge over a list of operations; not yet listening. */
export function createServer(services: Services, operations: readonly Operation[], options: ServerOptions) {
  const { rates, requestLimitMs } = options;
  const edge: Edge = { services, take: createLimiter(services.clock, rates), metrics: createMetrics(), requestLimitMs };
  const server = new Elysia({ normalize: false });
  server.onRequest(({ request }) => guard(options.guard, request) ?? undefined);
  for (const operation of operations) {
    for (const path of [operation.path, ...(operation.aliases ?? [])]) {
      server.route(
        operation.method,
        path.replace(/\{(\w+)\}/g, ":$1"),
        ({ request, params, server: socket }) =>
          answer(edge, operation, {
            request,
            params: joined(params ?? {}),
            address: socket?.requestIP(request)?.address ?? null,
          }),
        { parse: "none" },
      );
    }
  }
  mountDocs(server, operations);
  server.get("/metrics", ({ request }) => renderMetrics(edge, request), { parse: "none" });
  const routes = routesOf(operations);
  for (const { path, method } of overshadowed(routes)) {
    server.route(method, path, ({ request }) => noSuchRoute(routes, request), { parse: "none" });
  }
  return server.all("/*", ({ request }) => noSuchRoute(routes, request), { parse: "none" });
}

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

/** Prometheus text, for whoever may call anything at all. */
async function renderMetrics({ services, metrics }: Edge, request: Request): Promise<Response> {
  try {
    const principal = await resolvePrincipal(services, request.headers);
    if (principal.tenant_id === null) throw new AppError("UNAUTHORIZED", "Metrics need a key. Send it in X-API-Key.");
    const { text, type } = await metrics.render(services);
    return new Response(text, { headers: { ...SECURITY_HEADERS, "Content-Type": type } });
  } catch (error) {
    return refusal(request, error);
  }
}

interface Route {
  readonly path: string;
  readonly method: Operation["method"];
  readonly params: Operation["params"];
  readonly pattern: RegExp;
}

const routesOf = (operations: readonly Operation[]): Route[] =>
  operations.flatMap(({ path, aliases = [], method, params }) =>
    [path, ...aliases].map((one) => ({
      path: one,
      method,
      params,
      pattern: new RegExp(`^${one.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/?$`),
    })),
  );

/** Whether a fixed word of an address can be what a route has a parameter for: `stats` is no memory id. */
const takes = ({ pattern, params }: Route, pathname: string): boolean =>
  params === undefined || params.safeParse({ ...pattern.exec(pathname)?.groups }).success;

const isFixed = ({ path }: Route): boolean => !path.includes("{");

/** The methods of an address; where it is a fixed path, only of those routes that take its words. */
function methodsAt(routes: readonly Route[], pathname: string): Operation["method"][] {
  const fitting = routes.filter(({ pattern }) => pattern.test(pathname));
  const own = fitting.some(isFixed) ? fitting.filter((route) => takes(route, pathname)) : fitting;
  return [...new Set(own.map(({ method }) => method))];
}

/** Methods that a fixed path does not have, but that the router would hand to a route which reads its word as an id. */
function overshadowed(routes: readonly Route[]): Pick<Route, "path" | "method">[] {
  return routes.filter(isFixed).flatMap(({ path }) => {
    const own = methodsAt(routes, path);
    const others = routes.filter(({ pattern, method }) => pattern.test(path) && !own.includes(method));
    return others.map(({ method }) => ({ path, method }));
  });
}

function noSuchRoute(routes: readonly Route[], request: Request): Response {
  const { pathname } = targetOf(request);
  const methods = methodsAt(routes, pathname);
  if (methods.length === 0) {
    const message = `There is no ${request.method} ${pathname}. See /api/docs for all routes.`;
    return refusal(request, new AppError("NO_SUCH_ROUTE", message));
  }
  const allow = methods.join(", ");
  const error = new AppError("METHOD_NOT_ALLOWED", `${request.method} is not allowed here; allowed: ${allow}.`);
  return refusal(request, error, { Allow: allow });
}

function refusal(request: Request, error: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, body } = toProblem(error);
  const cors = corsHeaders(request.headers.get("origin"));
  return Response.json(body, { status, headers: { ...SECURITY_HEADERS, ...cors, ...headers } });
}
