import { createHash } from "node:crypto";

/** Sent with every reply: nothing here is to be framed, sniffed or linked from elsewhere. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

const CORS_EXPOSED =
  "ETag, X-Request-Id, X-Response-Time, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed, X-Truncated, X-Next-Offset, X-Deleted-At, X-Deleted-Count";

/** What lets a configured origin read a reply; empty for calls that come from no browser. */
export const corsHeaders = (origin: string | null): Record<string, string> =>
  origin === null
    ? {}
    : { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": CORS_EXPOSED, Vary: "Origin" };

/** An inline script or style as a content security policy names it: by its SHA-256. */
export const hashSource = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
