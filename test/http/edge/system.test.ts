import { afterAll, describe, expect, test } from "bun:test";
import { homedir } from "node:os";
import { Counters, Health, Status, Version, Whoami } from "../../../src/core/schema/system.ts";
import { EXAMPLES } from "../../../src/http/openapi/examples.ts";
import { operations } from "../../../src/http/routes/all.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary, startApp, temporaryFolder } from "../../support/app.ts";
import { aMemory } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";
import { isPostgres } from "../../support/postgres/engine.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

test("the version is that of the interface, with the release beside it", async () => {
  const { version, release } = await client.ok(Version, "GET", "/api/v1/version");
  expect(version).toBe("2.27.0");
  expect(release).toMatch(/^\d+\.\d+\.\d+/);
});

test("whoami in standalone mode is the fixed tenant, nobody's agent, and what resolved it", async () => {
  expect(await client.ok(Whoami, "GET", "/api/v1/whoami")).toEqual({
    tenant_id: "default",
    agent_id: null,
    auth_source: "standalone",
    via_gateway: false,
  });
});

describe("health", () => {
  test("of a sound server is ok with 200 and names nothing unhealthy", async () => {
    const { status, body } = await client.call("GET", "/api/v1/health");
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      storage: "connected",
      redis: "not configured",
      event_bus: "ok",
      platform_init_errors: [],
      unhealthy_dependencies: [],
    });
  });

  test("without storage is unhealthy with 503 and says so", async () => {
    const broken = await openApp();
    await broken.app.services.storage.close();
    const { status, body } = await broken.client.call("GET", "/api/v1/health");
    expect(status).toBe(503);
    expect(Health.parse(body)).toMatchObject({
      status: "unhealthy",
      storage: "unreachable",
      unhealthy_dependencies: ["storage"],
    });
    const described = await broken.client.call("GET", "/api/v1/version");
    expect(described.status).toBe(200);
  });
});

describe("status", () => {
  test("tells what runs: version, mode, providers, dependencies, jobs", async () => {
    expect(await client.ok(Status, "GET", "/api/v1/status")).toMatchObject({
      version: "2.27.0",
      mode: "standalone",
      health: "ok",
      dependencies: { storage: "connected", redis: "not configured", event_bus: "ok" },
      storage: isPostgres ? { engine: "postgres", ephemeral: false } : { engine: "sqlite", ephemeral: true },
      embedding: { provider: "local", configured: true, phase: "ready", dimensions: 384 },
      llm: { provider: null, model: null, configured: false },
      jobs: { due: 0, failing: 0 },
      platform_init_errors: [],
    });
  });

  test("shows no secret and no path, in no open reply", async () => {
    const folder = temporaryFolder();
    const secrets = ["sesame-sesame", "gate-proof-gate"];
    const flags = [`--api-key=${secrets[0]}`, `--gateway-secret=${secrets[1]}`];
    const guarded = await startApp({ folder: folder.path, flags });
    try {
      for (const { method, path } of operations.filter(({ open }) => open)) {
        const { status, body } = await guarded.client.call(method, path);
        expect(status).toBeLessThan(500);
        for (const secret of [...secrets, folder.path, homedir()]) expect(JSON.stringify(body)).not.toContain(secret);
      }
      expect((await guarded.client.ok(Status, "GET", "/api/v1/status")).storage.ephemeral).toBe(false);
    } finally {
      await guarded.stop();
      folder.remove();
    }
  });

  test.skipIf(isBinary)("counts the jobs that wait, and none once they are done", async () => {
    await api.bulk([{ content: "A row that still waits for its vector and for being read." }]);
    expect((await client.ok(Status, "GET", "/api/v1/status")).jobs).toMatchObject({ due: 2, failing: 0 });
    await app.settle();
    expect((await client.ok(Status, "GET", "/api/v1/status")).jobs).toMatchObject({ due: 0, failing: 0 });
  });
});

test("the public counters map names to integers, and follow writes and deletes", async () => {
  const before = await client.ok(Counters, "GET", "/api/v1/stats");
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["tenant_count", "memory_count", "agent_count"]));
  const { id } = await api.write({ agent_id: "a newcomer" });
  await api.write({ agent_id: "a newcomer" });
  const after = await client.ok(Counters, "GET", "/api/v1/stats");
  expect(after.memory_count).toBe(before.memory_count + 2);
  expect(after.agent_count).toBe(before.agent_count + 1);
  await api.remove(id);
  expect((await client.ok(Counters, "GET", "/api/v1/stats")).memory_count).toBe(before.memory_count + 1);
});

describe("without standalone mode and a key", () => {
  test("whoami is anonymous, open operations answer, every other one is 401 in the envelope", async () => {
    const closed = await openApp({ flags: ["--no-standalone"] });
    try {
      expect(await closed.client.ok(Whoami, "GET", "/api/v1/whoami")).toMatchObject({
        tenant_id: null,
        agent_id: null,
        auth_source: "anonymous",
      });
      expect(operations.filter(({ open }) => open).length).toBeGreaterThanOrEqual(5);
      for (const { id, method, path, open } of operations) {
        const query = open ? EXAMPLES[id]?.query : undefined;
        const at = path.replace(/\{\w+\}/g, crypto.randomUUID());
        const { status, body } = await closed.client.call(method, at, { query });
        const expected = open ? expect.any(Object) : { error: { code: "UNAUTHORIZED" } };
        expect([path, status, body]).toMatchObject([path, open ? 200 : 401, expected]);
      }
      const { status } = await closed.client.refused("POST", MEMORIES, { body: aMemory() });
      expect(status).toBe(401);
      expect((await closed.client.ok(Counters, "GET", "/api/v1/stats")).memory_count).toBe(0);
    } finally {
      await closed.app.stop();
    }
  });
});

describe("what is not there", () => {
  test.each([
    "/api",
    "/api/v1",
    "/api/v2/memories",
    "/api/v1/memory",
    "/api/v1/memories/a/b/c",
    "/%00",
    "/api/v1/%F0%9F%8E%89",
  ])("GET %s is 404 NO_SUCH_ROUTE", async (path) => {
    const { status, body } = await client.refused("GET", path);
    expect([status, body.error.code]).toEqual([404, "NO_SUCH_ROUTE"]);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("%s of a path that does not exist is 404 as well", async (method) => {
    const { status, body } = await client.refused(method, "/api/v1/nothing", { raw: "not even JSON" });
    expect([status, body.error.code]).toEqual([404, "NO_SUCH_ROUTE"]);
  });

  test("the path is not echoed as markup", async () => {
    const { body, headers } = await client.refused("GET", "/api/v1/<script>alert(1)</script>");
    expect(headers.get("Content-Type")).toStartWith("application/json");
    expect(JSON.stringify(body)).not.toContain("<script>");
  });
});

/** Methods that each path allows, by the table of operations. */
const METHODS_OF = Map.groupBy(operations, ({ path }) => path);
const PATHS = [...METHODS_OF].map(([path, at]) => [path, at.map(({ method }) => method as string)] as const);

describe("a method that a path does not have", () => {
  test.each(PATHS)("on %s is 405 with those it has in Allow", async (path, methods) => {
    const address = path.replace(/\{\w+\}/g, crypto.randomUUID());
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => !methods.includes(one))) {
      const reply = await client.call(method, address, method === "GET" ? {} : { body: {} });
      // A fixed path such as /documents/search is the doc_id of a document too.
      if (reply.status === 422) continue;
      expect([reply.status, reply.body]).toMatchObject([405, { error: { code: "METHOD_NOT_ALLOWED" } }]);
      const allowed = (reply.headers.get("Allow") ?? "").split(", ");
      expect(allowed).toEqual(expect.arrayContaining(methods));
      expect(allowed).not.toContain(method);
    }
  });
});

test.each(["/metrics", "/api/docs", "/api/openapi.json"])(
  "%s is for reading: any other method is 405",
  async (path) => {
    const { status, headers } = await client.refused("POST", path, { body: {} });
    expect([status, headers.get("Allow")]).toEqual([405, "GET"]);
  },
);

test("a refusal for want of a route carries the budget like every other reply", async () => {
  for (const [method, path] of [["GET", "/api/v1/nothing"] as const, ["PUT", MEMORIES] as const]) {
    const { headers } = await client.call(method, path);
    for (const name of ["Limit", "Remaining", "Reset"]) expect(headers.get(`X-RateLimit-${name}`)).toMatch(/^\d+$/);
  }
});

test.each(["stats", "count", "bulk", "bulk-delete"])("/memories/%s is never taken for a memory's id", async (word) => {
  const { status, headers } = await client.refused("DELETE", `${MEMORIES}/${word}`, {
    query: { tenant_id: "default" },
  });
  expect([status, headers.get("Allow")]).toEqual([405, word.startsWith("bulk") ? "POST" : "GET"]);
});

describe("every reply", () => {
  test("names its request, each another, and how long it took", async () => {
    const replies = [await client.call("GET", "/api/v1/version"), await client.refused("POST", MEMORIES, { body: {} })];
    const ids = replies.map(({ headers }) => headers.get("X-Request-Id") ?? "");
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).not.toBe("");
    for (const { headers } of replies) expect(headers.get("X-Response-Time")).toMatch(/^[\d.]+ms$/);
  });

  test("that has a body is JSON", async () => {
    for (const path of ["/api/v1/version", MEMORIES, "/api/v1/nothing"]) {
      expect((await client.call("GET", path)).headers.get("Content-Type")).toStartWith("application/json");
    }
  });
});

test("what a folder holds is there again after a restart", async () => {
  const folder = temporaryFolder();
  try {
    const first = await startApp({ folder: folder.path });
    const written = await memoriesApi(first.client).write({ content: "The archive of Uppsala burned in 1702." });
    await first.stop();
    const second = await startApp({ folder: folder.path });
    const again = memoriesApi(second.client);
    expect((await again.list()).items).toEqual([{ ...written, entity_links: expect.any(Array) }]);
    const { items } = await again.search("archive of Uppsala");
    expect(items[0]).toMatchObject({ id: written.id, similarity: expect.any(Number) });
    await second.stop();
  } finally {
    folder.remove();
  }
});

test.each([
  ["collections", "GET"],
  ["search", "POST"],
])("/documents/%s tells that it allows %s alone, though a document may be called so", async (word, allowed) => {
  const { status, headers } = await client.refused("OPTIONS", `/api/v1/documents/${word}`);
  expect([status, headers.get("Allow")]).toEqual([405, allowed]);
});
