import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { z } from "zod";
import { PAGES } from "../../../src/console/shell/pages.ts";
import { CONSOLE_PATHS } from "../../../src/http/console/paths.ts";
import { RELEASE } from "../../../src/version.ts";
import { openApp } from "../../support/in-process.ts";

const { app } = await openApp();
afterAll(() => app.stop());

const BROWSER = { Accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
const COMPRESSED_MAX_BYTES = 120_000;
const ask = (path: string, headers: Record<string, string> = {}) =>
  app.handle(new Request(`http://localhost${path}`, { headers }));

describe("the console", () => {
  test("has a page at each path where the server serves it", () => {
    expect(PAGES.map(({ path }) => path).toSorted()).toEqual([...CONSOLE_PATHS].toSorted());
  });

  test.each([...CONSOLE_PATHS])("is the page that browsers get at %s", async (path) => {
    const response = await ask(path, BROWSER);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain('<div id="console">');
  });

  test.each(["/memoris", "/memories/all", "/index.html"])(
    "says to browsers that there is nothing at %s",
    async (path) => {
      const response = await ask(path, BROWSER);
      expect([response.status, response.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(response.headers.get("Content-Security-Policy")).toStartWith("default-src 'none'");
      expect(await response.text()).toContain('<div id="console">');
      for (const told of [
        await ask(path),
        await app.handle(new Request(`http://localhost${path}`, { method: "POST", headers: BROWSER })),
      ])
        expect([told.status, await told.json()]).toMatchObject([404, { error: { code: "NO_SUCH_ROUTE" } }]);
    },
  );

  test("is a page's also with a slash behind its address", async () => {
    expect((await ask("/memories/", BROWSER)).status).toBe(200);
  });

  test.each(["/api/v1/memoris", "/api/", "/mcp/x", "/admin/x", "/metrics/x", "/.well-known/x"])(
    "leaves %s to what programs are told, whoever asks",
    async (path) => {
      const response = await ask(path, BROWSER);
      expect([response.status, await response.json()]).toMatchObject([404, { error: { code: "NO_SUCH_ROUTE" } }]);
    },
  );

  test("is held by its policy to the script and styles that stand in it", async () => {
    const response = await ask("/", BROWSER);
    const html = await response.text();
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    for (const [, element = "", text = ""] of html.matchAll(/<(script|style)[^>]*>([\s\S]*?)<\/\1>/g)) {
      const hash = createHash("sha256").update(text).digest("base64");
      expect(policy).toContain(`${element}-src 'sha256-${hash}'`);
    }
    expect(policy).toStartWith("default-src 'none'");
    expect(policy).not.toContain("unsafe");
  });

  test("names no other host and loads no other file", async () => {
    const html = await (await ask("/", BROWSER)).text();
    expect(html.match(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!data:)/g)).toBeNull();
    expect(html.match(/@import|url\((?!["']?(?:data:|#))/g)).toBeNull();
  });

  test("is small, and sent compressed to who takes that", async () => {
    const plain = await (await ask("/", BROWSER)).text();
    const sentAs = async (taken: string) => {
      const response = await ask("/", { ...BROWSER, "Accept-Encoding": taken });
      return { encoding: response.headers.get("Content-Encoding"), body: await response.bytes() };
    };
    const small = await sentAs("gzip, deflate, br, zstd");
    expect([small.encoding, brotliDecompressSync(small.body).toString()]).toEqual(["br", plain]);
    expect(small.body.byteLength).toBeLessThan(COMPRESSED_MAX_BYTES);
    const elsewhere = await sentAs("gzip, deflate");
    expect([elsewhere.encoding, gunzipSync(elsewhere.body).toString()]).toEqual(["gzip", plain]);
  });

  test("is not sent again to who has it", async () => {
    const etag = (await ask("/", BROWSER)).headers.get("ETag") ?? "";
    const { status, body } = await ask("/memories", { ...BROWSER, "If-None-Match": etag });
    expect([status, body]).toEqual([304, null]);
  });

  test.each(CONSOLE_PATHS.filter((path) => path !== "/"))("is nothing that programs would find at %s", async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
});

describe("the address of the server itself", () => {
  test.each([undefined, "*/*", "application/json"])("tells programs that accept %p where all is", async (accept) => {
    const response = await ask("/", accept === undefined ? {} : { Accept: accept });
    expect([response.status, response.headers.get("Vary")]).toEqual([200, "Accept"]);
    const { links, release } = Front.parse(await response.json());
    expect(release).toBe(RELEASE);
    for (const path of Object.values(links)) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  });
});

const Front = z.object({ name: z.literal("Cairn"), release: z.string(), links: z.record(z.string(), z.string()) });
