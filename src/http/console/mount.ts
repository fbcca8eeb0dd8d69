import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import type { Elysia } from "elysia";
import { once } from "../../core/kernel/once.ts";
import { RELEASE } from "../../version.ts";
import { hashSource } from "../headers.ts";
import { DOCS, SPEC } from "../openapi/docs-page.ts";
import type { ConsolePort } from "../own-origin/own-origin.ts";
import { programsOf } from "../own-origin/own-origin.ts";
import { atItsSocket } from "../own-origin/sockets.ts";
import type { Answer, HttpContext } from "../reply.ts";
import { finish, startRequestLog } from "../reply.ts";
import type { Call } from "../request.ts";
import { targetOf } from "../request.ts";
import pagePath from "./page.built" with { type: "file" };
import { CONSOLE_PATHS } from "./paths.ts";

/** Whatever is asked for by something else than a browser, at an address that only browsers know. */
type Elsewhere = (call: Call) => Response | Promise<Response>;

/** What there is beside the console. */
interface Around {
  readonly elsewhere: Elsewhere;
  readonly consolePort: ConsolePort | null | undefined;
}

/**
 * Serves the console to browsers. Programs are told at `/` where everything is; of the other addresses they hear by
 * `elsewhere` what they would without a console. Returns what answers at all addresses that there are not: the console,
 * which says so, to browsers, but for the addresses of programs.
 */
export function mountConsole(server: Elysia, edge: HttpContext, { elsewhere, consolePort }: Around): Elsewhere {
  const page = once(loadPage);
  for (const path of CONSOLE_PATHS) {
    const answer = async (call: Call) => {
      const { headers } = call.request;
      const isBrowser = asksForPage(headers);
      if (!isBrowser && path !== "/") return elsewhere(call);
      const arrival = startRequestLog(edge, call.request, "console");
      return finish(
        edge,
        arrival,
        isBrowser ? pageAnswer(await page(), headers) : links(programsOf(consolePort, atItsSocket(call))),
      );
    };
    server.route("GET", path, answer, { parse: "none" });
    server.route("HEAD", path, answer, { parse: "none" });
  }
  return async (call) => {
    const { method, headers } = call.request;
    const { pathname } = targetOf(call.request);
    if (!["GET", "HEAD"].includes(method) || !asksForPage(headers) || OF_PROGRAMS.test(pathname))
      return elsewhere(call);
    const found = pageAnswer(await page(), headers);
    const isPage = CONSOLE_PATHS.some((path) => `${path}/` === pathname);
    const arrival = startRequestLog(edge, call.request, "console");
    return finish(edge, arrival, isPage || found.status !== 200 ? found : { ...found, status: 404 });
  };
}

const asksForPage = (headers: Headers): boolean => headers.get("accept")?.includes("text/html") ?? false;

/** Addresses that a person types for what a program is told there. */
const OF_PROGRAMS = /^\/(?:api|mcp|admin|metrics|\.well-known)(?:\/|$)/;

/** What the address of the server itself tells programs, and the console where they call if not there. */
const links = (api: string | null): Answer => ({
  status: 200,
  body: JSON.stringify({
    name: "Cairn",
    release: RELEASE,
    links: { console: "/", docs: DOCS, openapi: SPEC, health: "/api/v1/health", version: "/api/v1/version" },
    ...(api === null ? {} : { api }),
  }),
  headers: { Vary: "Accept", "Cache-Control": "no-cache" },
});

interface ConsolePage {
  readonly html: string;
  /** As it was built. */
  readonly br: Blob;
  gzip(): Blob;
  readonly etag: string;
  readonly policy: string;
}

async function loadPage(): Promise<ConsolePage> {
  const br = await Bun.file(pagePath).bytes();
  const html = brotliDecompressSync(br).toString();
  return {
    html,
    br: new Blob([br]),
    gzip: once(() => new Blob([Bun.gzipSync(html)])),
    etag: `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`,
    policy: policyOf(html),
  };
}

/** Holds the page to what stands in it and to this server: no other script, style, picture or host. */
function policyOf(html: string): string {
  const hashes = (element: RegExp) => [...html.matchAll(element)].map(([, text = ""]) => hashSource(text));
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

/** Browsers take `br` from this machine and over TLS, from elsewhere `gzip` alone. */
const ENCODINGS = ["br", "gzip"] as const;

function pageAnswer(page: ConsolePage, sent: Headers): Answer {
  const { etag } = page;
  const shared = { Vary: "Accept, Accept-Encoding", "Cache-Control": "no-cache", ETag: etag };
  if (sent.get("if-none-match") === etag) return { status: 304, body: null, headers: shared };
  const headers = {
    ...shared,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": page.policy,
  };
  const taken = sent
    .get("accept-encoding")
    ?.split(",")
    .map((one) => one.split(";", 1)[0]?.trim());
  const encoding = ENCODINGS.find((one) => taken?.includes(one));
  if (encoding === undefined) return { status: 200, body: page.html, headers };
  const body = encoding === "br" ? page.br : page.gzip();
  return { status: 200, body, headers: { ...headers, "Content-Encoding": encoding } };
}
