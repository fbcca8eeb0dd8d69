import { isAddress } from "../kernel/address.ts";
import { AppError } from "../kernel/errors.ts";
import { toProblem } from "./problem.ts";

export interface GuardRules {
  /** Host names besides addresses and `localhost`. */
  readonly allowed_hosts: readonly string[];
  /** Web origins that may call from a browser. */
  readonly allowed_origins: readonly string[];
}

/** Sent with every reply: nothing here is to be framed, sniffed or linked from elsewhere. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

const CORS_METHODS = "GET, POST, PUT, PATCH, DELETE";
const CORS_HEADERS = "Content-Type, X-API-Key, Authorization, X-Tenant-ID, Idempotency-Key, X-Bulk-Attempt-Id";
const CORS_EXPOSED =
  "X-Request-Id, X-Response-Time, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed, X-Truncated";
const PREFLIGHT_SECONDS = 600;

/**
 * Refuses what only a browser led astray would send: a Host that is a foreign name (DNS rebinding) and an Origin that is
 * neither this server nor configured. Answers preflights of configured origins. Null lets the request through.
 */
export function guard(rules: GuardRules, request: Request): Response | null {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (!hostAllowed(rules, host)) {
    return refusal(new AppError("HOST_NOT_ALLOWED", "This Host name is not allowed. Add it with --allowed-hosts."));
  }
  const origin = request.headers.get("origin");
  if (origin === null) return null;
  if (!originAllowed(rules, origin, host)) {
    return refusal(
      new AppError("ORIGIN_NOT_ALLOWED", "This web origin is not allowed. Add it with --allowed-origins."),
    );
  }
  return request.method === "OPTIONS" ? preflight(origin) : null;
}

function hostAllowed({ allowed_hosts }: GuardRules, host: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || isAddress(name) || allowed_hosts.some((known) => known.toLowerCase() === name);
}

const originAllowed = ({ allowed_origins }: GuardRules, origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}` || allowed_origins.includes(origin);

const refusal = (error: AppError): Response => {
  const { status, body } = toProblem(error);
  return Response.json(body, { status, headers: SECURITY_HEADERS });
};

const preflight = (origin: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...SECURITY_HEADERS,
      ...corsHeaders(origin),
      "Access-Control-Allow-Methods": CORS_METHODS,
      "Access-Control-Allow-Headers": CORS_HEADERS,
      "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
    },
  });

/** What lets a configured origin read a reply; empty for calls that come from no browser. */
export const corsHeaders = (origin: string | null): Record<string, string> =>
  origin === null
    ? {}
    : { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": CORS_EXPOSED, Vary: "Origin" };
