import { afterAll, describe, expect, test } from "bun:test";
import { Problem } from "../../../src/core/schema/problem.ts";
import { operations } from "../../../src/http/routes/all.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { aMemory, aStatement } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";

const ORIGIN = "https://app.example.org";
const { app } = await openApp({ flags: [`--allowed-origins=${ORIGIN}`, "--allowed-hosts=cairn.internal"] });
afterAll(() => app.stop());

type Headers_ = Readonly<Record<string, string>>;
const ask = (path: string, headers: Headers_ = {}, method = "GET", body?: string) =>
  app.handle(new Request(`http://localhost:8000${path}`, { method, headers, ...(body === undefined ? {} : { body }) }));
const codeOf = async (response: Response) => [response.status, Problem.parse(await response.json()).error.code];

/** A path of every kind that this server answers, with the status it has. */
const PATHS: readonly (readonly [path: string, status: number, method: string])[] = [
  ["/api/v1/version", 200, "GET"],
  [MEMORIES, 200, "GET"],
  [`${MEMORIES}/7?tenant_id=default`, 422, "GET"],
  [`${MEMORIES}/${crypto.randomUUID()}?tenant_id=default`, 404, "GET"],
  ["/api/v1/nothing", 404, "GET"],
  ["/", 200, "GET"],
  ["/nothing", 404, "GET"],
  [MEMORIES, 405, "PUT"],
  ["/api/docs", 200, "GET"],
  ["/api/docs/swagger-ui.css", 200, "GET"],
  ["/api/docs/swagger-ui-bundle.js", 200, "GET"],
  ["/api/openapi.json", 200, "GET"],
  ["/metrics", 200, "GET"],
];

// The socket is the same in the executable; what is tested here lies before it.
describe.skipIf(isBinary)("every reply", () => {
  test.each(PATHS)("of %s (%d) forbids sniffing, framing, referring and embedding", async (path, status, method) => {
    const refused = { Origin: "https://evil.example" };
    const rebound = { Host: "evil.example" };
    for (const headers of [{}, refused, rebound]) {
      const response = await ask(path, headers, method);
      expect(response.status).toBe(headers === refused || headers === rebound ? 403 : status);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
        "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "x-response-time": expect.stringMatching(/ms$/),
      });
    }
  });

  test("with data is never kept by a cache", async () => {
    for (const path of [MEMORIES, "/api/v1/whoami", "/api/v1/nothing", "/metrics"]) {
      expect((await ask(path)).headers.get("Cache-Control")).toBe("no-store");
    }
  });
});

describe.skipIf(isBinary)("the Host", () => {
  test.each([
    "localhost",
    "localhost:8000",
    "LOCALHOST",
    "127.0.0.1:9",
    "10.1.2.3",
    "[::1]:8000",
    "[::1]",
    "cairn.internal",
    "Cairn.Internal:80",
  ])("'%s' is let in", async (host) => {
    expect((await ask("/api/v1/version", { Host: host })).status).toBe(200);
  });

  test.each([
    "evil.example",
    "evil.example:8000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil-127.0.0.1",
    "cairn.internal.evil.example",
    "x.cairn.internal",
    "localhost@evil.example",
    "0x7f000001",
    "2130706433",
    "0.0.0.0:8000",
    "0.1.2.3",
    "[::]:8000",
    "[::ffff:127.0.0.1]:8000",
    "[::ffff:7f00:1]",
    "",
  ])("'%s' is refused on every path: a name may be pointed here by its owner", async (host) => {
    for (const path of ["/api/v1/version", MEMORIES, "/api/docs", "/api/openapi.json", "/metrics", "/nothing"]) {
      expect(await codeOf(await ask(path, { Host: host }))).toEqual([403, "HOST_NOT_ALLOWED"]);
    }
  });

  test("that is refused writes nothing", async () => {
    const content = aStatement();
    const body = JSON.stringify(aMemory({ content }));
    expect((await ask(MEMORIES, { Host: "evil.example" }, "POST", body)).status).toBe(403);
    expect((await ask(MEMORIES, { Origin: "https://evil.example" }, "POST", body)).status).toBe(403);
    expect(await (await ask(MEMORIES)).text()).not.toContain(content);
  });
});

describe.skipIf(isBinary)("the Origin", () => {
  test.each([
    "null",
    "https://evil.example",
    "http://app.example.org",
    "https://app.example.org:444",
    "https://app.example.org.evil.example",
    "https://xapp.example.org",
    "http://localhost:3000",
    "http://localhost",
    "file://",
    "",
  ])("'%s' is refused, and gets no leave to read the refusal", async (origin) => {
    for (const method of ["GET", "OPTIONS"]) {
      const response = await ask(MEMORIES, { Origin: origin }, method);
      expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
      expect(await codeOf(response)).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
    }
  });

  test("of this server itself is let in", async () => {
    expect((await ask(MEMORIES, { Origin: "http://localhost:8000", Host: "localhost:8000" })).status).toBe(200);
  });

  test("that is configured may read replies and refusals, with the headers that matter", async () => {
    for (const path of [MEMORIES, `${MEMORIES}/7?tenant_id=default`, "/api/v1/nothing"]) {
      const { headers } = await ask(path, { Origin: ORIGIN });
      expect(headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
      expect(headers.get("Vary")).toContain("Origin");
      for (const name of ["X-Request-Id", "Retry-After", "X-RateLimit-Remaining", "Idempotency-Replayed"]) {
        expect(headers.get("Access-Control-Expose-Headers")).toContain(name);
      }
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    }
  });

  test("that is configured may read every header that an operation's description tells of", async () => {
    const { headers } = await ask(MEMORIES, { Origin: ORIGIN });
    const told = operations.flatMap(({ description }) => description?.match(/\bX-[A-Z][A-Za-z-]+/g) ?? []);
    expect(told).toContain("X-Deleted-At");
    const exposed = headers.get("Access-Control-Expose-Headers")?.split(", ") ?? [];
    expect(exposed).toEqual(expect.arrayContaining(told));
  });

  test("that is configured gets its preflight answered for every method and header of the interface", async () => {
    const response = await ask(MEMORIES, { Origin: ORIGIN, "Access-Control-Request-Method": "POST" }, "OPTIONS");
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      expect(response.headers.get("Access-Control-Allow-Methods")).toContain(method);
    }
    const allowed = response.headers.get("Access-Control-Allow-Headers");
    for (const name of [
      "X-API-Key",
      "Authorization",
      "Content-Type",
      "X-Tenant-ID",
      "Idempotency-Key",
      "X-Bulk-Attempt-Id",
    ]) {
      expect(allowed).toContain(name);
    }
  });

  test("left out, as programs do, opens nothing to browsers", async () => {
    const { headers } = await ask(MEMORIES);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

test.skipIf(isBinary)("without configured origins every web page is refused", async () => {
  const closed = await openApp();
  const request = new Request("http://localhost/api/v1/version", { headers: { Origin: ORIGIN } });
  expect(await codeOf(await closed.app.handle(request))).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
  await closed.app.stop();
});
