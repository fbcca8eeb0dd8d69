import { Elysia } from "elysia";
import { resolvePrincipal } from "../access/resolve.ts";
import { AppError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { describeCause } from "../kernel/log.ts";
import type { Services } from "../ports/context.ts";
import { mountDocs } from "./docs-page.ts";
import type { Operation } from "./operation.ts";
import { toProblem } from "./problem.ts";
import { readRequest } from "./request.ts";

/** Longest a request may take before the caller is told to try again. */
const REQUEST_TIMEOUT_MS = 45_000;

/** The HTTP edge over a list of operations; not yet listening. */
export function createServer(services: Services, operations: readonly Operation[]) {
  const server = new Elysia({ normalize: false });
  for (const operation of operations) {
    const path = operation.path.replace(/\{(\w+)\}/g, ":$1");
    server.route(operation.method, path, ({ request, params }) => answer(services, operation, request, params ?? {}), {
      parse: "none",
    });
  }
  const allowed = allowedMethods(operations);
  mountDocs(server, operations);
  return server.all("/*", ({ request }) => noSuchRoute(allowed, request), { parse: "none" });
}

export type Server = ReturnType<typeof createServer>;

async function answer(
  services: Services,
  operation: Operation,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  const startedAt = performance.now();
  const request_id = newId(services.clock);
  const { response, code, cause } = await respond(services, operation, request, params);
  const took = (performance.now() - startedAt).toFixed(1);
  response.headers.set("X-Request-Id", request_id);
  response.headers.set("X-Response-Time", `${took}ms`);
  const line = { request_id, operation: operation.id, status: response.status, took_ms: Number(took), code };
  if (response.status >= 500) services.log.error("request", { ...line, cause: describeCause(cause) });
  else services.log.info("request", line);
  return response;
}

interface Answer {
  readonly response: Response;
  readonly code?: string;
  readonly cause?: unknown;
}

async function respond(
  services: Services,
  operation: Operation,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Answer> {
  try {
    const principal = await resolvePrincipal(services, request.headers);
    if (!operation.open && principal.tenant_id === null) throw unauthorized();
    const input = await readRequest(operation, request, params);
    const reply = await withinTime(operation.run({ ...services, principal }, input));
    const status = operation.statusOf(reply);
    return { response: reply === undefined ? new Response(null, { status }) : Response.json(reply, { status }) };
  } catch (cause) {
    const { status, body } = toProblem(cause);
    return { response: Response.json(body, { status }), code: body.error.code, cause };
  }
}

const unauthorized = (): AppError =>
  new AppError(
    "UNAUTHORIZED",
    "This call needs a credential. Send a key in X-API-Key, or start Cairn in standalone mode.",
  );

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new AppError(
      "UPSTREAM_TIMEOUT",
      "The request took too long and may still finish. Check before you repeat it.",
    );
    timer = setTimeout(() => reject(error), REQUEST_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Routes = readonly { readonly pattern: RegExp; readonly method: string }[];

const allowedMethods = (operations: readonly Operation[]): Routes =>
  operations.map(({ path, method }) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}/?$`),
    method,
  }));

function noSuchRoute(routes: Routes, request: Request): Response {
  const { pathname } = new URL(request.url);
  const methods = routes.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method);
  if (methods.length === 0) {
    const error = new AppError(
      "NO_SUCH_ROUTE",
      `There is no ${request.method} ${pathname}. See /api/docs for all routes.`,
    );
    return Response.json(toProblem(error).body, { status: 404 });
  }
  const allow = [...new Set(methods)].join(", ");
  const error = new AppError("METHOD_NOT_ALLOWED", `${request.method} is not allowed here; allowed: ${allow}.`);
  return Response.json(toProblem(error).body, { status: 405, headers: { Allow: allow } });
}
