import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { KeyMinted } from "../../../src/core/schema/account.ts";
import { BulkResult, Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import { StatusChanged } from "../../../src/core/schema/memory-change.ts";
import { MemoryPage, MemoryStats } from "../../../src/core/schema/memory-query.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import {
  ClientFault,
  pluginCall,
  pluginItems,
  pluginScore,
  pythonClient,
  railStore,
} from "../../support/api/published-clients.ts";
import { startApp } from "../../support/app.ts";
import { aStatement, TENANT } from "../../support/builders.ts";

// The published clients against the real app with the real model: they judge by its scores.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);
const plugin = pluginCall(client);

/** What a client makes of a call that must fail. */
async function faultOf(call: Promise<unknown>): Promise<ClientFault> {
  const fault = await call.catch((error: unknown) => error);
  if (fault instanceof ClientFault) return fault;
  throw new Error(`Not the fault of a client: ${fault}`);
}

describe("the Python client", () => {
  const python = pythonClient(client, { session: "3f1c" });

  test("writes with a session, the cost of its turn and tags; what means nothing here is named, not refused", async () => {
    const origin = { tokens_in: 1200, tokens_out: 80, turns: 2, source: "sdk" };
    const fields = { agent_id: "py", fleet_id: "red", metadata: { topic: "release" }, tags: ["q3"], origin };
    const written = await python.write("The Q3 revenue target is four million dollars.", fields);
    expect(written).toMatchObject({ tenant_id: TENANT, agent_id: "py", metadata: { topic: "release", tags: ["q3"] } });
    expect(written).toMatchObject({ similarity: null, weight: 0.5, memory_type: "fact" });
    expect(written.system_metadata).toMatchObject({ ignored_fields: ["origin"] });
  });

  test("searches with five results, fleets, an author, a caller and a diagnostic", async () => {
    const found = await python.search("What is the revenue target?");
    expect(found.items[0]?.content).toContain("four million");
    const extras = { fleet_ids: ["red"], filter_agent_id: "py", caller_agent_id: "py", diagnostic: true };
    const narrowed = await python.search("What is the revenue target?", extras);
    expect(narrowed).toMatchObject({ recall_tracked: false, diagnostic: expect.any(Object), warnings: null });
    expect(narrowed.items.map(({ agent_id }) => agent_id)).toEqual(["py"]);
  });

  test("finds nothing as an empty list", async () => {
    expect((await python.search("anything at all", { filter_agent_id: "nobody" })).items).toEqual([]);
  });

  test("recalls a summary with its memories once", async () => {
    const { summary, memories, items } = await python.recall("What is the revenue target?", { caller_agent_id: "py" });
    expect(summary).toContain("four million");
    expect(memories[0]?.content).toContain("four million");
    expect(items).toBeUndefined();
  });

  test("reads health and counters, although it sends a content type without a body", async () => {
    expect((await python.health()).status).toBe("ok");
    const before = await python.stats();
    await python.write(aStatement("the counters"));
    const { tenant_count, memory_count, agent_count } = await python.stats();
    expect([tenant_count, memory_count]).toEqual([1, before.memory_count + 1]);
    expect(agent_count).toBeGreaterThanOrEqual(before.agent_count);
  });

  test("understands each refusal by its status and message", async () => {
    const short = await faultOf(python.write("short"));
    expect([short.kind, short.status, short.message]).toEqual(["api", 422, expect.stringContaining("too short")]);
    const stranger = await faultOf(pythonClient(client, { key: `mc_${"x".repeat(43)}` }).write(aStatement()));
    expect([stranger.kind, stranger.status, stranger.message]).toEqual(["auth", 401, expect.stringContaining("key")]);
    const foreign = await faultOf(python.search("anything", { tenant_id: "other" }));
    expect([foreign.kind, foreign.status, foreign.message]).toEqual(["auth", 403, expect.stringContaining("tenant")]);
  });

  test("is told in whole seconds when to come back", async () => {
    const limited = await startApp({ flags: ["--rate-writes=1"] });
    try {
      const hasty = pythonClient(limited.client);
      await hasty.write(aStatement());
      const { kind, message, more } = await faultOf(hasty.write(aStatement()));
      expect([kind, message]).toEqual(["rate limit", expect.stringContaining("Rate limit")]);
      expect(more.retryAfter).toBe(1);
    } finally {
      await limited.stop();
    }
  });
});

describe("caura-rail", () => {
  const rail = railStore(client, { agent_id: "rail", fleet_id: "ops" });

  test("commits privately and gets its own facts back, which nobody else does", async () => {
    const { status, id } = await rail.write("We deploy the billing service to Frankfurt.");
    expect(status).toBe("written");
    expect(await api.get(id, { agent_id: "rail" })).toMatchObject({ visibility: "scope_agent", fleet_id: "ops" });
    const facts = await rail.recall("Where is billing deployed?");
    expect(facts[0]).toMatchObject({ id, agent_id: "rail" });
    const other = await railStore(client, { agent_id: "other", fleet_id: "ops" }).recall("Where is billing deployed?");
    expect(other.map((fact) => fact.id)).not.toContain(id);
  });

  test.each(["scope_agent", "scope_team", "scope_org"])("takes the same fact of %s for stored", async (visibility) => {
    const fact = `Our plan for ${visibility} is to ship on Thursday.`;
    const { id } = await rail.write(fact, visibility);
    expect(await rail.write(fact, visibility)).toEqual({ status: "deduplicated", id, reason: "exact_content_hash" });
  });

  test("takes the same fact in other clothes for stored, but not another number", async () => {
    const { id } = await rail.write("Our contract with Nordbank ends on 30 June.");
    const again = await rail.write("our contract with Nordbank ends on 30 June");
    expect(again).toEqual({ status: "deduplicated", id, reason: "semantic_similarity" });
    expect((await rail.write("Our contract with Nordbank ends on 31 June.")).status).toBe("written");
  });

  test("sees a refusal that a retry cannot mend as final", async () => {
    const { kind, status, more } = await faultOf(rail.write("We use X"));
    expect([kind, status, more.retryable]).toEqual(["store", 422, false]);
  });

  test("recalls with the longest query, cut after 5,000 characters however many bytes they have", async () => {
    expect(await rail.recall("😀".repeat(5_000), 20)).toBeArray();
    expect((await rail.write("🚀".repeat(10_000))).status).toBe("written");
  });
});

describe("the OpenClaw plugin", () => {
  const post = (path: string, body: Record<string, unknown>, headers = {}) =>
    plugin("POST", path, { body: { tenant_id: TENANT, ...body }, headers });

  beforeAll(async () => {
    const auto = { agent_id: "main-7f3a", fleet_id: "claw", memory_type: "episode" };
    await post("/memories", {
      ...auto,
      content: "Please restart the staging gateway.",
      tags: ["auto-ingest", "user-message"],
    });
    await post("/memories", { ...auto, content: "Staging gateway was restarted at noon.", tags: ["auto-compaction"] });
  });

  test.each([1, 2, 3])("passes its smoke test, start %d", async (start) => {
    const content = `memclaw-smoke-${1_764_000_000_000 + start}`;
    const smoke = { agent_id: "__health_check__", content, memory_type: "fact", tags: ["__smoke_test__"] };
    const { id } = Memory.parse(await post("/memories", smoke));
    const [top] = pluginItems(await post("/search", { query: content, top_k: 1 }));
    expect(top).toMatchObject({ id, content, metadata: { tags: ["__smoke_test__"] } });
    expect(pluginScore(top)).toBeGreaterThanOrEqual(0.7);
    expect(await plugin("DELETE", `/memories/${id}`, { query: { tenant_id: TENANT } })).toEqual({ ok: true });
    expect(plugin("GET", `/memories/${id}`, { query: { tenant_id: TENANT } })).rejects.toThrow("Caura API 404");
  });

  test("takes a turn that it wrote before for stored by the 409 in the text of the error", async () => {
    const turn = { agent_id: "main-7f3a", fleet_id: "claw", content: "Please restart the staging gateway." };
    expect(post("/memories", { ...turn, memory_type: "episode", tags: ["auto-ingest"] })).rejects.toThrow(
      /\bCaura API 409\b/,
    );
  });

  test("recalls before a turn, its own memories only", async () => {
    const query = "What happened to the staging gateway?";
    const items = pluginItems(await post("/search", { query, top_k: 5, filter_agent_id: "main-7f3a" }));
    expect(items[0]).toMatchObject({ memory_type: "episode", content: expect.stringContaining("staging gateway") });
    expect(items[0]).toMatchObject({ agent_id: "main-7f3a", created_at: expect.any(String) });
  });

  test("passes every argument of its tool on to search and recall", async () => {
    const filters = { memory_type_filter: "episode", status_filter: "active", fleet_ids: ["claw"] };
    const body = { query: "staging gateway", agent_id: "main-7f3a", fleet_id: "claw", top_k: 3, ...filters };
    const found = await post("/search", body);
    expect(pluginItems(found)).toHaveLength(2);
    expect(found).toMatchObject({ warnings: [{ code: "unrecognized_parameters" }] });
    expect(await post("/recall", body)).toMatchObject({ summary: expect.any(String), memory_count: 2 });
    expect(pluginItems(await post("/search", { query: "__caura_probe__", top_k: 1 }))).toBeArray();
  });

  test("writes in bulk with keys of its own, and once more with the tenant's key when the agent's is rejected", async () => {
    const minted = await client.ok(KeyMinted, "POST", "/api/v1/keys", { body: { agent_id: "claw-1" } });
    await client.call("DELETE", `/api/v1/keys/${minted.id}`);
    const items = [{ content: aStatement("the harbour"), memory_type: "fact", weight: 0.9 }, { content: "short" }];
    const extras = { op: "write", include_brief: false, write_mode: "fast", memory_type: "fact" };
    const body = { tenant_id: TENANT, agent_id: "claw-1", items, ...extras };
    const headers = { "X-Bulk-Attempt-Id": crypto.randomUUID() };
    const once = await plugin("POST", "/memories/bulk", { body, headers, agentKey: minted.raw_key });
    expect(BulkResult.parse(once)).toMatchObject({ created: 1, errors: 1 });
    const again = BulkResult.parse(await plugin("POST", "/memories/bulk", { body, headers }));
    expect(again.results[0]).toMatchObject({ status: "duplicate_attempt", id: BulkResult.parse(once).results[0]?.id });
  });

  test("reads, updates, moves and deletes by id", async () => {
    const { id } = await api.write({ agent_id: "main-7f3a" });
    const tenant_id = TENANT;
    const read = await plugin("GET", `/memories/${id}`, { query: { tenant_id } });
    expect(MemoryDetail.parse(read)).toMatchObject({ id, agent_id: "main-7f3a" });
    const change = {
      content: aStatement("the new pier"),
      weight: 0.8,
      title: "Pier",
      metadata: { a: 1 },
      memory_type: "decision",
    };
    const query = { tenant_id, agent_id: "unknown-agent" };
    expect(Memory.parse(await plugin("PATCH", `/memories/${id}`, { body: change, query }))).toMatchObject(change);
    const moved = await plugin("PATCH", `/memories/${id}/status`, {
      body: { status: "confirmed" },
      query: { tenant_id },
    });
    expect(StatusChanged.parse(moved)).toEqual({ memory_id: id, old_status: "active", new_status: "confirmed" });
    expect(await plugin("DELETE", `/memories/${id}`, { query: { tenant_id } })).toEqual({ ok: true });
  });

  test("lists and counts with every argument as text", async () => {
    const window = { created_after: "2020-01-01T00:00:00Z", created_before: "2100-01-01T00:00:00Z" };
    const filters = {
      memory_type: "episode",
      status: "active",
      weight_min: "0.3",
      weight_max: "0.7",
      fleet_id: "claw",
    };
    const identity = { tenant_id: TENANT, agent_id: "main-7f3a", scope: "agent" };
    const order = { sort: "weight", order: "asc", limit: "50", include_deleted: "false", written_by: "main-7f3a" };
    const listed = await plugin("GET", "/memories", { query: { ...identity, ...window, ...filters, ...order } });
    expect(MemoryPage.parse(listed).items).toHaveLength(2);
    for (const scope of ["agent", "fleet", "all"]) {
      const query = { ...identity, scope, fleet_id: "claw", memory_type: "episode", status: "active" };
      expect(MemoryStats.parse(await plugin("GET", "/memories/stats", { query }))).toMatchObject({ total: 2 });
    }
  });

  test("pages through a list by its cursor", async () => {
    const query = { tenant_id: TENANT, fleet_id: "claw", limit: "1" };
    const first = MemoryPage.parse(await plugin("GET", "/memories", { query }));
    const next = await plugin("GET", "/memories", { query: { ...query, cursor: String(first.next_cursor) } });
    expect(MemoryPage.parse(next).items[0]?.id).not.toBe(first.items[0]?.id);
  });

  test("reads tool texts as a map of names to texts", async () => {
    const tools = await plugin("GET", "/tool-descriptions");
    expect(z.record(z.string(), z.string().min(10)).parse(tools)).not.toEqual({});
  });
});
