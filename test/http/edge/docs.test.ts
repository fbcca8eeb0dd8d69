import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createApp } from "../../../src/app.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { ERRORS } from "../../../src/core/kernel/errors.ts";
import { silentLogger } from "../../../src/core/kernel/log.ts";
import { openApiDocument } from "../../../src/http/openapi/document.ts";
import { operations } from "../../../src/http/routes/all.ts";
import { RELEASE } from "../../../src/version.ts";

const nowhere = { XDG_CONFIG_HOME: "/nonexistent" };
const config = await loadConfig(nowhere, ["--ephemeral", "--embedder=hash"]);
const app = await createApp(config, silentLogger);
afterAll(() => app.stop());

const ask = (path: string, method = "GET") => app.handle(new Request(`http://localhost${path}`, { method }));
const page = await (await ask("/api/docs")).text();

/** What the page makes a browser load or offers to follow. */
function addressesIn(html: string): string[] {
  const found: string[] = [];
  const keep = (name: string) => ({
    element: (element: HTMLRewriterTypes.Element) => void found.push(element.getAttribute(name) ?? ""),
  });
  new HTMLRewriter().on("[src]", keep("src")).on("[href]", keep("href")).transform(html);
  return found;
}

const ASSETS = { "/api/docs/swagger-ui.css": "text/css", "/api/docs/swagger-ui-bundle.js": "text/javascript" };
const SCRIPT = "/api/docs/script.js";

test("the page refers to this server alone", () => {
  expect(addressesIn(page).sort()).toEqual([...Object.keys(ASSETS), SCRIPT, "data:,"].sort());
  expect(page).not.toMatch(/(?:https?:)?\/\/[a-z0-9-]+\.[a-z]/i);
  expect(page).toContain('"url":"/api/openapi.json"');
});

test("its policy forbids every other host and lets its own script run", async () => {
  const policy = (await ask("/api/docs")).headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
  expect(scripts).toHaveLength(1);
  for (const code of scripts) expect(policy).toContain(createHash("sha256").update(code).digest("base64"));
});

test.each(Object.entries(ASSETS))("%s is served whole, typed and cacheable", async (path, type) => {
  const response = await ask(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toStartWith(type);
  expect(response.headers.get("Cache-Control")).toContain("max-age=");
  const text = await response.text();
  expect(text.length).toBeGreaterThan(100_000);
  if (type === "text/css") expect(text).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
});

test("the document is served as the table of operations describes it", async () => {
  const response = await ask("/api/openapi.json");
  expect(response.headers.get("Content-Type")).toStartWith("application/json");
  expect(await response.json()).toEqual(openApiDocument(operations));
});

test.each(["/api/docs", "/api/docs/", "/api/openapi.json", SCRIPT, ...Object.keys(ASSETS)])(
  "%s answers without a redirect, to HEAD as well",
  async (path) => {
    const [got, head] = [await ask(path), await ask(path, "HEAD")];
    expect([got.status, head.status]).toEqual([200, 200]);
    expect(head.headers.get("Content-Type")).toBe(got.headers.get("Content-Type"));
  },
);

test("the plugin adds no route of its own and leaves refusals in their envelope", async () => {
  const missing = ["/swagger", "/swagger/json", "/api/docs/json", "//api/openapi.json", "/api/docs/other.js"];
  for (const path of missing) {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "NO_SUCH_ROUTE" } });
  }
  const refused = await ask("/api/v1/version", "POST");
  expect(refused.status).toBe(405);
  expect(await refused.json()).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } });
});

test("what each error code means stands after the operations, once", () => {
  const { description } = openApiDocument(operations).info;
  expect(String(description)).not.toContain("DUPLICATE_MEMORY");
  expect(page.indexOf('id="swagger-ui"')).toBeLessThan(page.indexOf("<h2>Error codes</h2>"));
  for (const [code, { status, meaning }] of Object.entries(ERRORS))
    expect(page.split(`<td>${code}</td><td>${status}</td><td>${Bun.escapeHTML(meaning)}</td>`)).toHaveLength(2);
});

test("the page shows the release beside the version of the interface", async () => {
  expect(page).toContain(`<meta name="cairn-release" content="${RELEASE}" />`);
  expect(page.indexOf("swagger-ui-bundle.js")).toBeLessThan(page.indexOf(SCRIPT));
  const response = await ask(SCRIPT);
  expect(response.headers.get("Content-Type")).toStartWith("text/javascript");
  expect(await response.text()).toContain("VersionStamp");
});
