import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { Memory } from "../../../src/core/schema/memory.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { Bounds } from "../../../src/core/schema/observing/bounds.ts";
import { SearchReply } from "../../../src/core/schema/retrieval.ts";
import { Counters } from "../../../src/core/schema/system.ts";
import type { Client } from "../../support/api/client.ts";
import { isBinary } from "../../support/app.ts";
import { mint } from "../../support/credentials.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import { sharedDatabase } from "../../support/postgres/engine.ts";

/** Only against a hang. */
setDefaultTimeout(120_000);

const SHARED_KEY = "the one shared key of this test";
const LIMIT = 12;
const FLAGS = [`--api-key=${SHARED_KEY}`, `--memories-limit=${LIMIT}`];
const NOBODY = { "X-API-Key": "" };

const ENGINES: readonly (readonly [name: string, open: () => Promise<InProcess>])[] = [
  ["SQLite", () => openApp({ flags: FLAGS })],
  [
    "Postgres",
    async () => {
      const flags = [...FLAGS, "--database-url=postgres://in.this.process/cairn"];
      return openApp({ folder: "/dev/null/cairn", flags, openDatabase: await sharedDatabase() });
    },
  ],
];

const content = (i: number) => `Statement number ${i} of the harbour office.`;

/** Everything that tells a caller a number of memories, but for the time at which it is told. */
async function counted({ app }: InProcess, client: Client, headers: Record<string, string>): Promise<unknown> {
  const usageOf = ({ usage }: Pick<Memory, "usage">) => usage;
  const page = await client.ok(MemoryPage, "GET", "/api/v1/memories");
  const found = await client.ok(SearchReply, "POST", "/api/v1/search", { body: { query: "harbour office", top_k: 1 } });
  const metrics = await app.handle(new Request("http://localhost/metrics", { headers }));
  return {
    limits: (await client.ok(Bounds, "GET", "/api/v1/limits")).memories,
    stats: await client.ok(Counters, "GET", "/api/v1/stats"),
    metrics: /^cairn_memories (\d+)$/m.exec(await metrics.text())?.[1],
    listed: page.items.map(usageOf),
    found: found.items.map(({ usage }) => usage),
    count: await client.ok(z.unknown(), "GET", "/api/v1/memories/count"),
    fleets: await client.ok(z.unknown(), "GET", "/api/v1/fleets"),
  };
}

// Headers of a key are what matters; the socket is the same in the executable.
describe.skipIf(isBinary).each(ENGINES)("over %s", (_, open) => {
  test("nobody is told how many rows there are that he may not see", async () => {
    const opened = await open();
    const { app, settle } = opened;
    const owner = opened.client.as({ "X-API-Key": SHARED_KEY });
    const headersOf = async (fields: Readonly<Record<string, unknown>>) => ({
      "X-API-Key": (await mint(owner, fields)).raw_key,
    });
    const sent = await headersOf({ agent_id: "ada", fleet_id: "blue", trust: 1 });
    const ada = opened.client.as(sent);
    const write = (fields: Readonly<Record<string, unknown>>) =>
      owner.ok(Memory, "POST", "/api/v1/memories", { body: fields });
    await ada.ok(Memory, "POST", "/api/v1/memories", { body: { content: content(0) } });
    await write({ content: content(1), agent_id: "bob", visibility: "scope_org" });
    await settle();
    const before = await counted(opened, ada, sent);
    const own = { memories_stored: 2, memories_limit: LIMIT, writes_remaining: LIMIT - 2 };
    expect(before).toMatchObject({
      limits: { limit: LIMIT, used: 2 },
      stats: { tenant_count: 1, memory_count: 2, agent_count: 2 },
      metrics: "2",
      listed: [own, own],
    });
    for (let i = 2; i < 6; i++) await write({ content: content(i), agent_id: "bob", visibility: "scope_agent" });
    await write({ content: content(6), agent_id: "cleo", fleet_id: "red", visibility: "scope_team" });
    await settle();
    expect(await counted(opened, ada, sent)).toEqual(before);
    const { usage } = await ada.ok(Memory, "POST", "/api/v1/memories", { body: { content: content(8) } });
    expect(usage).toEqual({ memories_stored: 3, memories_limit: LIMIT, writes_remaining: LIMIT - 3 });

    // Whoever has no key is told of nothing at all.
    expect(await opened.client.as(NOBODY).ok(Counters, "GET", "/api/v1/stats")).toEqual({
      tenant_count: 0,
      memory_count: 0,
      agent_count: 0,
    });
    // An administrator has to know how full the tenant is.
    const all = { memories_stored: 8, memories_limit: LIMIT, writes_remaining: LIMIT - 8 };
    const admin = await headersOf({ agent_id: "root", trust: 3, admin: true });
    expect(await counted(opened, opened.client.as(admin), admin)).toMatchObject({
      limits: { used: 8 },
      stats: { memory_count: 8 },
      metrics: "8",
    });
    const whole = await headersOf({});
    const [first] = (await opened.client.as(whole).ok(MemoryPage, "GET", "/api/v1/memories")).items;
    expect(first?.usage).toEqual(all);
    await app.stop();
  });

  test("a tenant that is full says so to everyone, as the next write would", async () => {
    const opened = await open();
    const owner = opened.client.as({ "X-API-Key": SHARED_KEY });
    const items = Array.from({ length: LIMIT - 1 }, (_, i) => ({ content: content(i), visibility: "scope_agent" }));
    await owner.call("POST", "/api/v1/memories/bulk", { body: { agent_id: "bob", items } });
    const { raw_key } = await mint(owner, { agent_id: "ada", trust: 1 });
    const ada = opened.client.as({ "X-API-Key": raw_key });
    const { usage } = await ada.ok(Memory, "POST", "/api/v1/memories", { body: { content: content(99) } });
    expect(usage).toEqual({ memories_stored: 1, memories_limit: LIMIT, writes_remaining: 0 });
    const { status, body } = await ada.refused("POST", "/api/v1/memories", { body: { content: content(100) } });
    expect([status, body.error.code]).toEqual([403, "PLAN_LIMIT_READ_ONLY"]);
    expect(JSON.stringify(body)).not.toContain(`${LIMIT - 1}`);
    await opened.app.stop();
  });
});
