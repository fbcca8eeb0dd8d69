import { afterAll, beforeAll, expect, test } from "bun:test";
import { Counters } from "../../../src/core/schema/system.ts";
import { routesOf } from "../../../src/http/route-table.ts";
import { operations } from "../../../src/http/routes/all.ts";
import type { Server } from "../../fault/server.ts";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";
import { Refusal } from "../../support/api/client.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { ask } from "../../support/api/raw-request.ts";
import { aMemory } from "../../support/builders.ts";

const DOTS = [".", "%2e", "%2E"];
const SPELLINGS = [...DOTS, ...DOTS.flatMap((first) => DOTS.map((second) => first + second))];

let server: Server;

beforeAll(async () => {
  server = await spawnServer({ folder: aFolder() });
  await server.client.call("POST", MEMORIES, { body: aMemory() });
});

afterAll(cleanUp);

const refusalAt = async (line: string, headers?: readonly string[]) => {
  const { status, body } = await ask(server.port, line, headers);
  return [status, body === "" ? null : Refusal.parse(JSON.parse(body)).error.code];
};

test.each(SPELLINGS)("a path with a segment %s is refused wherever it stands, whatever the method", async (dots) => {
  const wrong: string[] = [];
  for (const { path, method } of routesOf(operations, [])) {
    const segments = path.split("/").map((segment) => (segment.startsWith("{") ? "x" : segment));
    for (let i = 1; i <= segments.length; i++) {
      const instead = segments.with(Math.min(i, segments.length - 1), dots).join("/");
      const further = [...segments.slice(0, i), dots, ...segments.slice(i)].join("/");
      for (const target of [instead, further, `${further}/`, `${further}?tenant_id=default`]) {
        const [status, code] = await refusalAt(`${method} ${target}`);
        if (status !== 400 || code !== "BAD_REQUEST") wrong.push(`${method} ${target}: ${status} ${code}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect((await server.client.ok(Counters, "GET", "/api/v1/stats")).memory_count).toBe(1);
});

test("so is one of a method that no operation has, and one of an absolute address", async () => {
  expect(await refusalAt("PROPFIND /x/..")).toEqual([400, "BAD_REQUEST"]);
  expect(await refusalAt("OPTIONS /api/v1/memories/..")).toEqual([400, "BAD_REQUEST"]);
  expect(await refusalAt("GET http://localhost/api/v1/memories/../version")).toEqual([400, "BAD_REQUEST"]);
});

test("dots within a segment or a query are no such segment", async () => {
  expect((await ask(server.port, "GET /api/v1/version?path=/../x")).status).toBe(200);
  expect(await refusalAt("GET /api/v1/nowhere/a..b")).toEqual([404, "NO_SUCH_ROUTE"]);
  expect(await refusalAt("GET /api/v1/nowhere/...")).toEqual([404, "NO_SUCH_ROUTE"]);
});

test("whoever may not come at all is told that first", async () => {
  expect(await refusalAt("GET /api/v1/..", ["Host: evil.example"])).toEqual([403, "HOST_NOT_ALLOWED"]);
  expect(await refusalAt("GET /api/v1/..", ["Host: localhost", "Origin: https://evil.example"])).toEqual([
    403,
    "ORIGIN_NOT_ALLOWED",
  ]);
});

test.each([`${MEMORIES}/x\\..`, `${MEMORIES}//..`, `${MEMORIES}/x\\..\\`, `${MEMORIES}/..#x`])(
  "DELETE %s, which only the transport reads, deletes nothing",
  async (target) => {
    const [status] = await refusalAt(`DELETE ${target}`);
    expect([400, 404, 422]).toContain(Number(status));
    expect((await server.client.ok(Counters, "GET", "/api/v1/stats")).memory_count).toBe(1);
  },
);
