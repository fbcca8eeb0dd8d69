import { afterAll, describe, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { ERRORS } from "../../../src/core/kernel/errors.ts";
import { sha256 } from "../../../src/core/kernel/hash.ts";
import { Problem } from "../../../src/core/schema/problem.ts";
import { operation } from "../../../src/http/operation.ts";
import { createServer } from "../../../src/http/server.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { refusalOf } from "../../support/credentials.ts";
import type { InProcessOptions } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));
async function open(options: InProcessOptions = {}) {
  const opened = await openApp(options);
  stops.push(() => opened.app.stop());
  return opened;
}

const WAIT_GUARD_MS = 180_000;
const hanging = { ...hashEmbedder(), embed: () => new Promise<never>(() => {}) };

describe.skipIf(isBinary)("when Cairn itself fails, the refusal is", () => {
  test("504 for a request beyond its time", async () => {
    const { client } = await open({ embedder: hanging, requestLimitMs: 50 });
    expect(refusalOf(await client.refused("POST", MEMORIES, { body: aMemory() }))).toEqual([504, "UPSTREAM_TIMEOUT"]);
  });

  test("500 without a word of the cause for what nobody foresaw", async () => {
    const { app } = await open();
    const broken = operation({
      method: "GET",
      path: "/api/v1/broken",
      id: "broken",
      tag: "Test",
      summary: "Breaks",
      reply: null,
      statuses: [204],
      run: () => Promise.reject(new Error("select secret from vault")),
    });
    const rates = { write: 0, bulk: 0, search: 0, read: 0 };
    const server = createServer(app.services, [broken], {
      mcp: async () => new Response(null, { status: 404 }),
      guard: { allowed_hosts: [], allowed_origins: [] },
      rates,
      requestsLimit: 10,
    });
    const response = await server.handle(new Request("http://localhost/api/v1/broken"));
    const text = await response.text();
    expect([response.status, Problem.parse(JSON.parse(text)).error.code]).toEqual([500, "INTERNAL_ERROR"]);
    expect(text).not.toContain("vault");
    expect(response.headers.get("X-Request-Id")).toEqual(expect.any(String));
  });

  test.concurrent(
    "409 for a repeated request whose first one never ends",
    async () => {
      const { app, client } = await open();
      const headers = { "Idempotency-Key": "endless" };
      const body = aMemory();
      const { clock, storage } = app.services;
      const input = { params: undefined, query: undefined, body };
      const same = JSON.stringify({ input: sorted(input), operation: "writeMemory" });
      await storage.replies.claim(
        { tenant_id: TENANT, credential: "standalone", key: "endless" },
        sha256(same),
        clock.now(),
      );
      expect(refusalOf(await client.refused("POST", MEMORIES, { body, headers }))).toEqual([409, "CONFLICT"]);
      expect(await memoriesApi(client).count()).toBe(0);
    },
    WAIT_GUARD_MS,
  );

  test.concurrent(
    "none for a patch while the model hangs: the new text is stored and found by its words",
    async () => {
      let hangs = false;
      const real = hashEmbedder();
      const embedder = {
        ...real,
        embed: (...call: Parameters<typeof real.embed>) => (hangs ? hanging.embed() : real.embed(...call)),
      };
      const { client } = await open({ embedder });
      const api = memoriesApi(client);
      const { id } = await api.write();
      hangs = true;
      const options = { query: { tenant_id: TENANT }, body: { content: "The numbat sleeps in a hollow log." } };
      const { status, body } = await client.call("PATCH", `${MEMORIES}/${id}`, options);
      expect([status, body]).toMatchObject([200, { metadata: { embedding_pending: true } }]);
      hangs = false;
      expect((await api.search("numbat")).items.map((item) => [item.id, item.similarity])).toEqual([[id, null]]);
    },
    WAIT_GUARD_MS,
  );
});

describe("a fault in a request", () => {
  const faultsOf = async (path: string, body: unknown) => {
    const { client } = await open();
    const { status, body: refusal } = await client.refused("POST", path, { body });
    return [status, refusal.detail];
  };

  test("is located in texts alone, positions in lists too", async () => {
    const body = { tenant_id: TENANT, ids: [crypto.randomUUID(), "seven"] };
    expect(await faultsOf(`${MEMORIES}/bulk-delete`, body)).toEqual([
      422,
      [expect.objectContaining({ loc: ["body", "ids", "1"] })],
    ]);
  });

  test("by what is missing is called so, whatever it should have been", async () => {
    const body = { tenant_id: TENANT, doc_id: "rule", title: "A rule", content: "Follow it." };
    const missing = { type: "missing", msg: "Field required", input: null };
    expect(await faultsOf("/api/v1/keystones", body)).toEqual([
      422,
      [
        expect.objectContaining({ ...missing, loc: ["body", "scope"] }),
        expect.objectContaining({ ...missing, loc: ["body", "weight"] }),
      ],
    ]);
  });

  test("by a value of several kinds is told which they are", async () => {
    const rule = { tenant_id: TENANT, doc_id: "rule", title: "A rule", content: "Follow it.", scope: "tenant" };
    for (const weight of ["heavy", 101, 1.5, null]) {
      const told = [
        expect.objectContaining({ loc: ["body", "weight"], msg: expect.stringMatching(/low, med, high|100/) }),
      ];
      expect(await faultsOf("/api/v1/keystones", { ...rule, weight })).toEqual([422, told]);
    }
  });
});

test("a compressed body is 415 and stores nothing", async () => {
  const { client } = await open();
  const headers = { "Content-Encoding": "gzip" };
  const raw = Bun.gzipSync(Buffer.from(JSON.stringify(aMemory())));
  const reply = await client.refused("POST", MEMORIES, { raw, headers });
  expect(refusalOf(reply)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  expect(
    (await client.call("POST", MEMORIES, { body: aMemory(), headers: { "Content-Encoding": "identity" } })).status,
  ).toBe(201);
  expect(await memoriesApi(client).count()).toBe(1);
});

/** As the request is hashed: keys in order, members without a value written as null. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

test("every code of the table is thrown somewhere, and asserted by some test", async () => {
  const textOf = async (folder: string, but: RegExp) => {
    const files = [...new Bun.Glob("**/*.ts").scanSync(folder)].filter((file) => !but.test(file));
    return (await Promise.all(files.map((file) => Bun.file(`${folder}/${file}`).text()))).join("\n");
  };
  const source = await textOf("src", /kernel\/errors\.ts$/);
  const tests = await textOf("test", /^$/);
  const codes = Object.keys(ERRORS);
  expect(codes.filter((code) => !source.includes(`"${code}"`))).toEqual([]);
  expect(codes.filter((code) => !tests.includes(`"${code}"`))).toEqual([]);
});
