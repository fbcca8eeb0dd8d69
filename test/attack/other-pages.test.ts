import { afterAll, describe, expect, test } from "bun:test";
import { Problem } from "../../src/core/schema/problem.ts";
import { operations } from "../../src/http/routes/all.ts";
import { isBinary } from "../support/app.ts";
import { openApp } from "../support/in-process.ts";

const ORIGIN = "https://app.example.org";
const { app } = await openApp({ flags: [`--allowed-origins=${ORIGIN}`] });
afterAll(() => app.stop());

type Sent = Readonly<Record<string, string>>;
const ask = (path: string, headers: Sent, method = "GET"): Promise<Response> =>
  app.handle(new Request(`http://localhost:8000${path}`, { method, headers }));

const from = (site: string, mode: string, dest: string): Sent => ({
  "Sec-Fetch-Site": site,
  "Sec-Fetch-Mode": mode,
  "Sec-Fetch-Dest": dest,
});

/** What Chromium sends along with what a page of another site, or of another port of this machine, has it ask for. */
const BY_A_PAGE: readonly (readonly [how: string, sent: Sent])[] = ["cross-site", "same-site"].flatMap((site) => [
  [`<img>, ${site}`, from(site, "no-cors", "image")],
  [`<script>, ${site}`, from(site, "no-cors", "script")],
  [`fetch without CORS, ${site}`, from(site, "no-cors", "empty")],
  [`prefetch, ${site}`, { ...from(site, "no-cors", "empty"), "Sec-Purpose": "prefetch" }],
  [`<iframe>, ${site}`, from(site, "navigate", "iframe")],
  [`<object>, ${site}`, from(site, "navigate", "object")],
  [`a link that is followed, ${site}`, { ...from(site, "navigate", "document"), "Sec-Fetch-User": "?1" }],
]);
const PATHS = [
  ...new Set(operations.filter(({ method }) => method === "GET").map(({ path }) => path.replace(/\{\w+\}/g, "x"))),
  "/metrics",
  "/mcp",
];

// The socket is the same in the executable; what is tested here lies before it.
describe.skipIf(isBinary)("a page from elsewhere", () => {
  test.each(BY_A_PAGE)("has no GET done by %s", async (_, sent) => {
    for (const path of PATHS) {
      const response = await ask(path, { Accept: "text/html,*/*;q=0.8", ...sent });
      expect(response.status, path).toBe(403);
      expect(Problem.parse(await response.json()).error).toMatchObject({ code: "ORIGIN_NOT_ALLOWED" });
    }
  });

  test("has nothing else done, whatever it calls its method and its site", async () => {
    for (const method of ["HEAD", "POST", "DELETE", "OPTIONS"])
      expect((await ask("/api/v1/memories", from("cross-site", "no-cors", "empty"), method)).status).toBe(403);
    for (const site of ["", "same-origin, cross-site", "cross-origin", "NONE"])
      expect((await ask("/api/v1/export", from(site, "no-cors", "empty"))).status).toBe(403);
    // A form of plain text: browsers name the origin, or that they hide it.
    for (const Origin of ["https://evil.example", "http://localhost:3000", "null"]) {
      const sent = { ...from("same-site", "navigate", "document"), Origin, "Content-Type": "text/plain" };
      expect((await ask("/api/v1/memories", sent, "POST")).status).toBe(403);
    }
  });

  test("may lead a person to the console and the docs, but embeds neither", async () => {
    for (const path of ["/", "/memories", "/skills", "/api/docs", "/api/openapi.json"]) {
      const accept = { Accept: "text/html,*/*;q=0.8" };
      expect((await ask(path, { ...accept, ...from("cross-site", "navigate", "document") })).status, path).toBe(200);
      expect((await ask(path, { ...accept, ...from("cross-site", "navigate", "iframe") })).status, path).toBe(403);
      expect((await ask(path, { ...accept, ...from("same-site", "no-cors", "empty") })).status, path).toBe(403);
    }
  });
});

describe.skipIf(isBinary)("what is answered as before", () => {
  test.each([
    ["a program", {}],
    ["the address bar", from("none", "navigate", "document")],
    ["the console itself", from("same-origin", "cors", "empty")],
    ["a page whose origin is allowed", { ...from("cross-site", "cors", "empty"), Origin: ORIGIN }],
  ])("%s", async (_, sent) => {
    for (const path of ["/api/v1/memories", "/api/v1/integrity", "/metrics"])
      expect((await ask(path, sent)).status, path).toBe(200);
  });
});
