import { Elysia } from "elysia";
import stylesPath from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundlePath from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { ERRORS } from "../../core/kernel/errors.ts";
import { once } from "../../core/kernel/once.ts";
import { API_VERSION, RELEASE } from "../../version.ts";
import { hashSource } from "../headers.ts";
import type { Operation } from "../operation.ts";
import type { Answer, HttpContext } from "../reply.ts";
import { finish, refusalOf, startRequestLog } from "../reply.ts";
import scriptPath from "./docs-script.js" with { type: "file" };
import { openApiDocument } from "./document.ts";
import { EXAMPLE_IDS } from "./examples.ts";

export const DOCS = "/api/docs";
export const SPEC = "/api/openapi.json";
const SCRIPT = `${DOCS}/script.js`;
const BUNDLE = `${DOCS}/swagger-ui-bundle.js`;
const STYLES = `${DOCS}/swagger-ui.css`;
const ASSET_MAX_AGE_S = 86_400;
/** Keeps browsers from asking for /favicon.ico. */
const NO_ICON = '<link rel="icon" href="data:," />';

/** Tells the page's script what release it shows, and which ids of the examples are placeholders. */
const TOLD_TO_SCRIPT =
  `<meta name="cairn-release" content="${RELEASE}" />` +
  `<meta name="cairn-example-ids" content="${Bun.escapeHTML(JSON.stringify(EXAMPLE_IDS))}" />`;

/** Where the page and what it loads are served. */
export const DOCS_PATHS = [DOCS, SPEC, BUNDLE, STYLES, SCRIPT] as const;

/** Serves the OpenAPI document and the page that shows it. The page and its assets come from this server alone. */
export function mountDocs(server: Elysia, edge: HttpContext, operations: readonly Operation[]): void {
  const document = once(() => JSON.stringify(openApiDocument(operations)));
  const page = once(renderPage);
  const serve = (path: (typeof DOCS_PATHS)[number], make: () => Answer | Promise<Answer>) => {
    const answer = async ({ request }: { request: Request }) => {
      const arrival = startRequestLog(edge, request, "docs");
      return finish(edge, arrival, await Promise.try(make).catch((error: unknown) => refusalOf(error)));
    };
    server.route("GET", path, answer, { parse: "none" });
    server.route("HEAD", path, answer, { parse: "none" });
  };
  serve(SPEC, () => ({ status: 200, body: document(), headers: headers("application/json", "no-cache") }));
  serve(DOCS, async () => pageAnswer(await page()));
  serve(BUNDLE, () => asset(bundlePath, "text/javascript; charset=utf-8"));
  serve(SCRIPT, () => asset(scriptPath, "text/javascript; charset=utf-8"));
  serve(STYLES, () => asset(stylesPath, "text/css; charset=utf-8"));
}

const asset = (path: string, type: string): Answer => ({
  status: 200,
  body: Bun.file(path),
  headers: headers(type, `public, max-age=${ASSET_MAX_AGE_S}`),
});

const headers = (type: string, cache: string) => ({ "Content-Type": type, "Cache-Control": cache });

/** The plugin's page, with the script it would load from a CDN replaced by ours. */
async function renderPage(): Promise<string> {
  // Imported only now: it costs 14 ms, which every start would pay.
  const { swagger } = await import("@elysiajs/swagger");
  const plugin = new Elysia().use(
    swagger({
      provider: "swagger-ui",
      path: DOCS,
      // The plugin drops the first slash to make the address relative; the page needs the absolute one.
      specPath: `/${SPEC}`,
      theme: STYLES,
      documentation: { info: { title: "Cairn", version: API_VERSION, description: `Interface of Cairn ${RELEASE}` } },
      swaggerOptions: { validatorUrl: "none", deepLinking: true, displayRequestDuration: true, tryItOutEnabled: true },
    }),
  );
  const response = await plugin.handle(new Request(`http://localhost${DOCS}`));
  return new HTMLRewriter()
    .on("head", { element: (head) => void head.append(`${TOLD_TO_SCRIPT}${NO_ICON}`, { html: true }) })
    .on("script[src]", {
      element: (script) => {
        script.setAttribute("src", BUNDLE).removeAttribute("crossorigin");
        script.after(`<script src="${SCRIPT}"></script>`, { html: true });
      },
    })
    .on("body", { element: (body) => void body.append(errorTable(), { html: true }) })
    .transform(await response.text());
}

/** What is wider than a phone scrolls in a box of its own. */
const NARROW =
  "#error-codes :is(th, td) { padding-right: 1.5em; } #error-codes table { display: block; }" +
  ":is(#error-codes table, .swagger-ui .responses-inner, .swagger-ui .table-container) { overflow-x: auto; }";

/** What each error code means, after the operations. */
function errorTable(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, meaning, next }]) => [code, String(status), meaning, next]);
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${Bun.escapeHTML(cell)}</td>`).join("")}</tr>`);
  const head = ["Code", "Status", "Meaning", "What to do"].map((title) => `<th>${title}</th>`).join("");
  return (
    `<style>${NARROW}</style><section id="error-codes" class="swagger-ui"><div class="wrapper"><h2>Error codes</h2>` +
    `<table><thead><tr>${head}</tr></thead><tbody>${lines.join("")}</tbody></table></div></section>`
  );
}

/** The policy holds the page to this server even where its script would fetch elsewhere. */
function pageAnswer(html: string): Answer {
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => hashSource(code));
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${inline.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    status: 200,
    body: html,
    headers: { ...headers("text/html; charset=utf-8", "no-cache"), "Content-Security-Policy": policy.join("; ") },
  };
}
