import { createHash } from "node:crypto";
import type { Elysia } from "elysia";
import { once } from "../../core/kernel/once.ts";
import { RELEASE } from "../../version.ts";
import { DOCS, SPEC } from "../openapi/docs-page.ts";
import type { Answer, HttpContext } from "../reply.ts";
import { finish, startRequestLog } from "../reply.ts";
import type { Call } from "../request.ts";
import pagePath from "./page.built" with { type: "file" };
import { CONSOLE_PATHS } from "./paths.ts";

/** Whatever is asked for by something else than a browser, at an address that only browsers know. */
type Elsewhere = (call: Call) => Response | Promise<Response>;

/**
 * Serves the console to browsers. Programs are told at `/` where everything is; of the other addresses they hear by
 * `elsewhere` what they would without a console.
 */
export function mountConsole(server: Elysia, edge: HttpContext, elsewhere: Elsewhere): void {
  const page = once(loadPage);
  for (const path of CONSOLE_PATHS) {
    const answer = async (call: Call) => {
      const { headers } = call.request;
      const isBrowser = headers.get("accept")?.includes("text/html") ?? false;
      if (!isBrowser && path !== "/") return elsewhere(call);
      const arrival = startRequestLog(edge, call.request, "console");
      return finish(edge, arrival, isBrowser ? pageAnswer(await page(), headers) : LINKS);
    };
    server.route("GET", path, answer, { parse: "none" });
    server.route("HEAD", path, answer, { parse: "none" });
  }
}

/** What the address of the server itself tells programs. */
const LINKS: Answer = {
  status: 200,
  body: JSON.stringify({
    name: "Cairn",
    release: RELEASE,
    links: { console: "/", docs: DOCS, openapi: SPEC, health: "/api/v1/health", version: "/api/v1/version" },
  }),
  headers: { Vary: "Accept", "Cache-Control": "no-cache" },
};

interface ConsolePage {
  readonly html: string;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly policy: string;
}

async function loadPage(): Promise<ConsolePage> {
  const html = await Bun.file(pagePath).text();
  return {
    html,
    compressed: Bun.gzipSync(html),
    etag: `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`,
    policy: policyOf(html),
  };
}

/** Holds the page to what stands in it and to this server: no other script, style, picture or host. */
function policyOf(html: string): string {
  const hashes = (element: RegExp) =>
    [...html.matchAll(element)].map(
      ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
    );
  return [
    "default-src 'none'",
    `script-src ${hashes(/<script[^>]*>([\s\S]*?)<\/script>/g).join(" ")}`,
    `style-src ${hashes(/<style>([\s\S]*?)<\/style>/g).join(" ")}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

function pageAnswer({ html, compressed, etag, policy }: ConsolePage, sent: Headers): Answer {
  const shared = { Vary: "Accept, Accept-Encoding", "Cache-Control": "no-cache", ETag: etag };
  if (sent.get("if-none-match") === etag) return { status: 304, body: null, headers: shared };
  const headers = { ...shared, "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy };
  if (!sent.get("accept-encoding")?.includes("gzip")) return { status: 200, body: html, headers };
  return { status: 200, body: new Blob([compressed]), headers: { ...headers, "Content-Encoding": "gzip" } };
}
