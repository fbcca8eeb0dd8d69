import { isAddress, isLoopback } from "../../core/kernel/address.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { CONSOLE_PATHS } from "../console/paths.ts";
import { DOCS, SPEC } from "../openapi/docs-page.ts";
import type { Answer } from "../reply.ts";
import { targetOf } from "../request.ts";

export interface GuardRules {
  /** Host names besides addresses and `localhost`. */
  readonly allowed_hosts: readonly string[];
  /** Web origins that may call from a browser. */
  readonly allowed_origins: readonly string[];
}

const CORS_METHODS = "GET, POST, PUT, PATCH, DELETE";
const CORS_HEADERS =
  "Content-Type, X-API-Key, Authorization, X-Tenant-ID, Idempotency-Key, If-Match, X-Bulk-Attempt-Id";
const PREFLIGHT_SECONDS = 600;

/**
 * Throws HOST_NOT_ALLOWED and ORIGIN_NOT_ALLOWED for what only a browser led astray would send: a Host that is a foreign
 * name (DNS rebinding), an Origin that is neither this server nor configured, and what another page had fetched without
 * saying so. Answers preflights of configured origins; null lets the request through.
 */
export function guard(rules: GuardRules, request: Request): Answer | null {
  // Old HTTP knows no Host, and then the address is no whole URL either.
  const host = request.headers.get("host") ?? URL.parse(request.url)?.host ?? "";
  if (!hostAllowed(rules, host)) {
    throw new AppError("HOST_NOT_ALLOWED", "This Host name is not allowed. Add it with --allowed-hosts.");
  }
  const origin = request.headers.get("origin");
  if (origin === null) {
    refuseFromElsewhere(request);
    return null;
  }
  if (!originAllowed(rules, origin, host)) {
    throw new AppError("ORIGIN_NOT_ALLOWED", "This web origin is not allowed. Add it with --allowed-origins.");
  }
  return request.method === "OPTIONS" ? PREFLIGHT : null;
}

function hostAllowed({ allowed_hosts }: GuardRules, host: string): boolean {
  const name = withoutPort(host);
  const isPlain = name === "localhost" || (isAddress(name) && !ROUNDABOUT.test(name));
  return isPlain || allowed_hosts.some((known) => known.toLowerCase() === name && !ROUNDABOUT.test(name));
}

/** "No address", and addresses of the old kind within the new: they lead here too, and browsers trust no page of theirs enough for `Sec-Fetch-Site`. */
const ROUNDABOUT = /^0\.|^\[::(?:ffff:[0-9a-f.:]+)?\]$/i;

/** Encryption is a proxy's, which has names and addresses that are its own; on loopback another account may be what encrypts. */
const originAllowed = ({ allowed_origins }: GuardRules, origin: string, host: string): boolean =>
  origin === `http://${host}` ||
  (origin === `https://${host}` && !isLoopback(withoutPort(host))) ||
  allowed_origins.includes(origin);

const withoutPort = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

/**
 * Browsers send no Origin with what a page embeds, links to or fetches blindly; where it comes from they tell in
 * `Sec-Fetch-Site`, to which no page can add. Another port of this machine is the same site, and as foreign. Programs send
 * no such header. A link from elsewhere may open our pages, which ask again as themselves.
 */
function refuseFromElsewhere(request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === null || OWN_SITES.has(site) || (isNavigation(request) && isPage(targetOf(request).pathname))) return;
  throw new AppError(
    "ORIGIN_NOT_ALLOWED",
    "Another web page asked for this without its origin. Open it from the address bar, or have an origin of --allowed-origins fetch it.",
  );
}

/** What this server's own pages send, and what a person typed. */
export const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);
const PAGES: ReadonlySet<string> = new Set([...CONSOLE_PATHS, DOCS, SPEC]);

/** Whether this server has a page for browsers there. */
export const isPage = (pathname: string): boolean => PAGES.has(pathname);

/** Whether a browser opens something in a tab of its own. */
const isNavigation = ({ method, headers }: Request): boolean =>
  method === "GET" && headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";

const PREFLIGHT: Answer = {
  status: 204,
  body: null,
  headers: {
    "Access-Control-Allow-Methods": CORS_METHODS,
    "Access-Control-Allow-Headers": CORS_HEADERS,
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  },
};
