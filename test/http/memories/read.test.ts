import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { MEMORY_STATUSES } from "../../../src/core/schema/memory.ts";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement, TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

/** Every field of the read by id that the interface names, and the version; ranking has no place there. */
const DETAIL_FIELDS =
  `id tenant_id fleet_id agent_id agent_display_name memory_type title content weight source_uri run_id
  metadata system_metadata content_hash created_at expires_at deleted_at subject_entity_id predicate object_value
  ts_valid_start ts_valid_end status visibility recall_count last_recalled_at supersedes_id entity_links
  embedding_preview embedding_stats version`.split(/\s+/);

describe("the read by id", () => {
  test("shows every field, and nothing of ranking", async () => {
    const { id } = await api.write();
    const detail = await api.get(id);
    expect(Object.keys(detail).sort()).toEqual([...DETAIL_FIELDS].sort());
    expect(detail).toMatchObject({ id, deleted_at: null, supersedes_id: null, expires_at: null });
  });

  test("shows what the write answered", async () => {
    const entity_links = [{ entity_id: crypto.randomUUID(), role: "subject" }];
    const written = await api.write({ metadata: { a: [1] }, weight: 0.3, fleet_id: "red", entity_links });
    const detail = await api.get(written.id);
    const shared = Object.entries(written).filter(([field]) => field in detail);
    expect(shared.length).toBe(DETAIL_FIELDS.length - 4);
    expect(detail).toMatchObject(Object.fromEntries(shared));
  });

  test.each([
    ["a fleet", "red"],
    ["no fleet", null],
  ])("hashes tenant, fleet and content of a row with %s", async (_, fleet_id) => {
    const { id, content } = await api.write({ fleet_id });
    const hash = createHash("sha256")
      .update(`${TENANT}:${fleet_id ?? ""}:${content}`)
      .digest("hex");
    expect((await api.get(id)).content_hash).toBe(hash);
  });

  test("shows the first twenty numbers of the vector, and what the rest is like", async () => {
    const { id } = await api.write();
    const { embedding_preview, embedding_stats } = await api.get(id);
    expect(embedding_preview).toHaveLength(20);
    expect(embedding_stats?.dimensions).toBe(384);
    expect(embedding_stats?.min).toBeLessThanOrEqual(Math.min(...(embedding_preview ?? [])) + 1e-6);
    expect(embedding_stats?.max).toBeGreaterThanOrEqual(Math.max(...(embedding_preview ?? [])) - 1e-6);
    expect(embedding_stats?.non_zero).toBeGreaterThan(0);
  });

  test("takes an id in capitals for the same id", async () => {
    const { id } = await api.write();
    expect((await api.get(id.toUpperCase())).id).toBe(id);
  });

  test("does not count as a recall", async () => {
    const { id } = await api.write();
    await api.get(id, { agent_id: "ada" });
    await app.settle();
    expect((await api.get(id)).recall_count).toBe(0);
  });
});

describe("by id, both reading and deleting", () => {
  const UNKNOWN = "01920000-0000-7000-8000-000000000000";
  const methods = ["GET", "DELETE"] as const;

  test.each(methods)("%s of an unknown id is 404", async (method) => {
    const { status, body } = await client.refused(method, `${MEMORIES}/${UNKNOWN}`, { query: { tenant_id: TENANT } });
    expect([status, body.error]).toEqual([404, { code: "NOT_FOUND", message: "No such memory." }]);
  });

  test.each(methods)("%s of what is no uuid is 422 with the place and the value", async (method) => {
    const { status, body } = await client.refused(method, `${MEMORIES}/seven`, { query: { tenant_id: TENANT } });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail).toMatchObject([{ loc: ["path", "memory_id"], type: "uuid_format", input: "seven" }]);
  });

  test.each(methods)("%s for another tenant is 403 and leaves the row alone", async (method) => {
    const { id, content } = await api.write();
    const reply = await client.refused(method, `${MEMORIES}/${id}`, { query: { tenant_id: "other" } });
    expect([reply.status, reply.body.error.code]).toEqual([403, "TENANT_MISMATCH"]);
    expect(JSON.stringify(reply.body)).not.toContain(content);
    expect((await api.get(id)).deleted_at).toBeNull();
  });
});

describe("a deleted memory", () => {
  test("is answered with an empty 204, and the second time with 404", async () => {
    const { id } = await api.write();
    const { status, body } = await api.remove(id);
    expect([status, body]).toEqual([204, null]);
    expect(await api.remove(id)).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
  });

  test("is seen by no read, list, search, recall or count", async () => {
    const content = "The lighthouse of Skagen blinks twice a minute.";
    const { id } = await api.write({ content, fleet_id: "gone", run_id: "gone" });
    const { id: kept } = await api.write({ content: `${content} Or so.`, fleet_id: "gone", run_id: "gone" });
    await api.remove(id);
    expect((await client.refused("GET", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT } })).status).toBe(404);
    expect(idsOf(await api.list({ fleet_id: "gone" }))).toEqual([kept]);
    expect(idsOf(await api.list({ fleet_id: "gone", status: "active" }))).toEqual([kept]);
    expect(await api.count({ fleet_id: "gone" })).toBe(1);
    expect(idsOf(await api.search("lighthouse of Skagen", { top_k: 20 }))).not.toContain(id);
    expect(idsOf(await api.search("lighthouse of Skagen", { status: "deleted" }))).toEqual([]);
    expect((await api.recall("lighthouse of Skagen")).summary).not.toContain(id);
  });

  test("stays in the list that asks for it, and in no diagnostic", async () => {
    const { id } = await api.write({ content: "The ferry to Bornholm sails at noon.", fleet_id: "shown" });
    await api.remove(id);
    const { items } = await api.list({ include_deleted: true, fleet_id: "shown" });
    expect(items).toMatchObject([{ id, status: "deleted" }]);
    const { diagnostic } = await api.search("ferry to Bornholm", { diagnostic: true });
    expect(diagnostic?.all_candidates.map((candidate) => candidate.id)).not.toContain(id);
  });

  test("gives its place back", async () => {
    const { id, usage } = await api.write();
    await api.remove(id);
    expect((await api.write()).usage).toEqual(usage);
  });
});

describe("the count", () => {
  beforeAll(async () => {
    const statuses = [...MEMORY_STATUSES.filter((status) => status !== "deleted"), "active"];
    for (const status of statuses) await api.write({ status, fleet_id: "count", content: aStatement(status) });
    const { id } = await api.write({ fleet_id: "count" });
    await api.remove(id);
    await api.write({ fleet_id: "count", expires_at: "2020-01-01", status: "confirmed" });
  });

  test("without a status is that of the live set: active, confirmed and pending", async () => {
    expect(await api.count({ fleet_id: "count" })).toBe(5);
    expect(await api.count({ fleet_id: "count", tenant_id: TENANT })).toBe(5);
  });

  test.each([
    ["active", 2],
    ["pending", 1],
    ["confirmed", 2],
    ["cancelled", 1],
    ["outdated", 1],
    ["conflicted", 1],
    ["archived", 1],
    ["deleted", 1],
  ])("of status %s is exactly that: %d", async (status, expected) => {
    expect(await api.count({ fleet_id: "count", status })).toBe(expected);
  });

  test("of a fleet without memories is 0", async () => {
    expect(await api.count({ fleet_id: "nobody" })).toBe(0);
  });

  test.each(["gone", "ACTIVE", ""])("of the status '%s' is 422", async (status) => {
    const { status: code, body } = await client.refused("GET", `${MEMORIES}/count`, { query: { status } });
    expect(code).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ["query", "status"], type: "enum", input: status }]);
  });

  test("of another tenant is 403", async () => {
    const { status, body } = await client.refused("GET", `${MEMORIES}/count`, { query: { tenant_id: "other" } });
    expect([status, body.error.code]).toEqual([403, "TENANT_MISMATCH"]);
  });
});

describe("the stats", () => {
  beforeAll(async () => {
    const fields = [
      { agent_id: "ada", memory_type: "fact" },
      { agent_id: "ada", memory_type: "decision", status: "confirmed" },
      { agent_id: "bob", memory_type: "decision", status: "archived" },
      { agent_id: "bob", memory_type: "task", visibility: "scope_org" },
      { agent_id: "ada", memory_type: "task", visibility: "scope_agent" },
    ];
    for (const one of fields) await api.write({ fleet_id: "stats", ...one });
    const { id } = await api.write({ fleet_id: "stats", agent_id: "bob", memory_type: "plan" });
    await api.remove(id);
  });

  test("add up what the caller sees, and count deleted rows apart", async () => {
    expect(await api.stats({ fleet_id: "stats" })).toEqual({
      total: 4,
      by_type: { fact: 1, decision: 2, task: 1 },
      by_agent: { ada: 2, bob: 2 },
      by_status: { active: 2, confirmed: 1, archived: 1 },
      by_tenant: { [TENANT]: 4 },
      deleted: 1,
      total_including_deleted: 5,
    });
  });

  test("never mix deleted rows into the totals, even when asked to include them", async () => {
    const { total, by_type, deleted, total_including_deleted } = await api.stats({
      fleet_id: "stats",
      include_deleted: true,
    });
    expect({ total, deleted, total_including_deleted }).toEqual({ total: 4, deleted: 1, total_including_deleted: 5 });
    expect(by_type).not.toHaveProperty("plan");
  });

  test("with agent_id are those of that agent's own memories, private ones included", async () => {
    expect(await api.stats({ fleet_id: "stats", agent_id: "ada" })).toMatchObject({
      total: 3,
      by_agent: { ada: 3 },
      by_type: { fact: 1, decision: 1, task: 1 },
      deleted: 0,
    });
  });

  test.each([
    ["memory_type", { memory_type: "decision" }, 2],
    ["status", { status: "archived" }, 1],
    ["both", { memory_type: "decision", status: "confirmed" }, 1],
    ["a type that does not exist", { memory_type: "rumour" }, 0],
  ])("filter by %s", async (_, query, total) => {
    const stats = await api.stats({ fleet_id: "stats", ...query });
    expect(stats.total).toBe(total);
    expect(Object.values(stats.by_agent).reduce((sum, n) => sum + n, 0)).toBe(total);
  });

  test("of another tenant are 403, and an unknown scope is 422", async () => {
    const path = `${MEMORIES}/stats`;
    expect(await client.refused("GET", path, { query: { tenant_id: "other" } })).toMatchObject({
      status: 403,
      body: { error: { code: "TENANT_MISMATCH" } },
    });
    const { status, body } = await client.refused("GET", path, { query: { scope: "galaxy" } });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ["query", "scope"], type: "enum", input: "galaxy" }]);
  });
});
