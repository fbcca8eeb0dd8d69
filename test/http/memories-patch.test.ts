import { afterAll, describe, expect, test } from "bun:test";
import { Memory } from "../../src/schema/memory.ts";
import { StatusChanged } from "../../src/schema/memory-change.ts";
import { startApp } from "../support/app.ts";
import { aStatement, TENANT } from "../support/builders.ts";
import type { CallOptions, Reply } from "../support/client.ts";
import { idsOf, MEMORIES, memoriesApi } from "../support/memories-api.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const optionsOf = (body: object, query: CallOptions["query"] = {}): CallOptions => ({
  body,
  query: { tenant_id: TENANT, ...query },
});
const patch = (id: string, body: object, query?: CallOptions["query"]): Promise<Memory> =>
  client.ok(Memory, "PATCH", `${MEMORIES}/${id}`, optionsOf(body, query));
const refusePatch = (id: string, body: object, query?: CallOptions["query"]) =>
  client.refused("PATCH", `${MEMORIES}/${id}`, optionsOf(body, query));

describe("a patch", () => {
  test.each([
    ["weight", 0.9],
    ["title", "A title of its own"],
    ["memory_type", "decision"],
    ["status", "archived"],
    ["visibility", "scope_org"],
    ["source_uri", "https://example.org/8"],
    ["predicate", "is_at"],
    ["object_value", "the pier"],
    ["subject_entity_id", "01920000-0000-7000-8000-000000000001"],
    ["expires_at", "2090-01-01T00:00:00.000Z"],
    ["ts_valid_start", "2024-01-01T00:00:00.000Z"],
    ["ts_valid_end", "2025-01-01T00:00:00.000Z"],
  ])("of %s changes that and nothing else", async (field, value) => {
    const written = await api.write({ metadata: { a: 1 }, run_id: "patched" });
    const patched = await patch(written.id, { [field]: value });
    expect(patched).toEqual({ ...written, [field]: value, usage: null });
    expect(await api.get(written.id)).toMatchObject({ [field]: value, content: written.content });
  });

  test.each(["title", "source_uri", "predicate", "object_value", "subject_entity_id", "expires_at", "ts_valid_start"])(
    "of %s to null clears it",
    async (field) => {
      const value = field === "subject_entity_id" ? crypto.randomUUID() : "2090-01-01T00:00:00.000Z";
      const { id } = await api.write();
      expect(await patch(id, { [field]: value })).toHaveProperty(field, value);
      expect(await patch(id, { [field]: null })).toHaveProperty(field, null);
    },
  );

  test("to a deprecated type stores a fact", async () => {
    const { id } = await api.write({ memory_type: "task" });
    expect((await patch(id, { memory_type: "commitment" })).memory_type).toBe("fact");
  });

  test("adds entity links and takes none away", async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()].map((entity_id) => ({
      entity_id,
      role: "subject",
    }));
    const { id } = await api.write({ entity_links: [first] });
    const { entity_links } = await patch(id, { entity_links: [second, { ...first, role: "object" }] });
    expect(entity_links).toEqual([first, second] as typeof entity_links);
  });
});

describe("a changed content", () => {
  test("is found by its new words and meaning, and no more by the old ones", async () => {
    const { id } = await api.write({ content: "The pangolin hides under the stairs.", agent_id: "pat" });
    const before = await api.get(id);
    const patched = await patch(id, { content: "  The axolotl swims in the fountain. " });
    expect(patched.content).toBe("The axolotl swims in the fountain.");
    expect(patched.metadata?.embedding_pending).toBeUndefined();
    const after = await api.get(id);
    expect(after.content_hash).not.toBe(before.content_hash);
    expect(after.embedding_preview).not.toEqual(before.embedding_preview);
    const [found] = (await api.search("axolotl in the fountain", { filter_agent_id: "pat" })).items;
    expect(found?.similarity).toBeGreaterThan(0.5);
    const { diagnostic } = await api.search("pangolin", { filter_agent_id: "pat", diagnostic: true });
    expect(diagnostic?.all_candidates[0]).toMatchObject({ id, fts_match: false });
  });

  test("that is the same text is no change of vector or hash", async () => {
    const { id, content } = await api.write();
    const before = await api.get(id);
    await patch(id, { content: ` ${content} `, weight: 0.8 });
    expect(await api.get(id)).toEqual({ ...before, weight: 0.8 });
  });

  test.each(["outdated", "conflicted"])("brings an %s row back to active, unless told otherwise", async (status) => {
    const { id } = await api.write({ status });
    expect((await patch(id, { content: aStatement("a new truth") })).status).toBe("active");
    await patch(id, { status });
    expect((await patch(id, { content: aStatement("another"), status: "confirmed" })).status).toBe("confirmed");
  });

  test("that stands elsewhere is refused with its id", async () => {
    const [{ id }, other] = [await api.write(), await api.write()];
    const { status, body } = await refusePatch(id, { content: other.content });
    expect([status, body.error.code]).toEqual([409, "DUPLICATE_MEMORY"]);
    expect(body.error.details).toEqual({ existing_id: other.id, reason: "exact_content_hash" });
  });
});

describe("metadata", () => {
  const aRowWith = async (metadata: object) => (await api.write({ metadata })).id;

  test("merges by top-level key unless told otherwise", async () => {
    const id = await aRowWith({ kept: 1, changed: { deep: 1 } });
    const { metadata } = await patch(id, { metadata: { changed: { other: 2 }, added: [3] } });
    expect(metadata).toEqual({ kept: 1, changed: { other: 2 }, added: [3] });
  });

  test("is replaced whole on request, by query or body; the body wins", async () => {
    const id = await aRowWith({ gone: 1 });
    expect((await patch(id, { metadata: { a: 1 } }, { metadata_mode: "replace" })).metadata).toEqual({ a: 1 });
    expect((await patch(id, { metadata: { b: 2 }, metadata_mode: "replace" })).metadata).toEqual({ b: 2 });
    const both = { metadata: { c: 3 }, metadata_mode: "merge" };
    expect((await patch(id, both, { metadata_mode: "replace" })).metadata).toEqual({ b: 2, c: 3 });
  });

  test("null clears it only when it replaces", async () => {
    const id = await aRowWith({ a: 1 });
    expect(await refusePatch(id, { metadata: null })).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST" } },
    });
    expect((await patch(id, { metadata: null, metadata_mode: "replace" })).metadata).toBeNull();
  });

  test("an empty patch of it changes nothing", async () => {
    const id = await aRowWith({ a: 1 });
    expect((await patch(id, { metadata: {} })).metadata).toEqual({ a: 1 });
  });

  test("keys that twenty callers set at once are all kept", async () => {
    const id = await aRowWith({ first: true });
    const keys = Array.from({ length: 20 }, (_, i) => `key-${i}`);
    await Promise.all(keys.map((key) => patch(id, { metadata: { [key]: key } })));
    expect((await api.get(id)).metadata).toEqual({ first: true, ...Object.fromEntries(keys.map((key) => [key, key])) });
  });

  test.each([
    ["query", {}, { metadata_mode: "merge" }],
    ["body", { metadata_mode: "replace" }, {}],
  ])("a mode in the %s without metadata is 422", async (_, body, query) => {
    const id = await aRowWith({ a: 1 });
    const reply = await refusePatch(id, { weight: 0.1, ...body }, query);
    expect([reply.status, reply.body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect((await api.get(id)).weight).toBe(0.5);
  });

  test("keys that only Cairn sets are dropped", async () => {
    const id = await aRowWith({ a: 1 });
    expect((await patch(id, { metadata: { embedding_pending: true } })).metadata).toEqual({ a: 1 });
  });
});

describe("a patch is refused, and changes nothing,", () => {
  test.each<readonly [string, object, number, object]>([
    ["when it is empty", {}, 400, { error: { code: "BAD_REQUEST" } }],
    ["for short content", { content: "short" }, 422, { detail: [{ loc: ["body", "content"], ctx: { minimum: 10 } }] }],
    ["for long content", { content: "x".repeat(10_001) }, 422, { detail: [{ type: "string_too_big" }] }],
    [
      "for a reserved type",
      { memory_type: "insight" },
      422,
      { detail: [{ loc: ["body", "memory_type"], input: "insight" }] },
    ],
    ["for a weight above one", { weight: 2 }, 422, { detail: [{ loc: ["body", "weight"], ctx: { maximum: 1 } }] }],
    ["for the status deleted", { status: "deleted" }, 422, { detail: [{ loc: ["body", "status"], type: "enum" }] }],
    [
      "for an unknown mode",
      { metadata: {}, metadata_mode: "deep" },
      422,
      { detail: [{ loc: ["body", "metadata_mode"] }] },
    ],
    ["for a list", [], 422, { detail: [{ loc: ["body"], type: "object_type" }] }],
  ])("%s", async (_, body, status, refusal) => {
    const { id } = await api.write();
    const before = await api.get(id);
    expect(await refusePatch(id, body)).toMatchObject({ status, body: refusal });
    expect(await api.get(id)).toEqual(before);
  });

  test("of an unknown, a deleted or another agent's private row with the same 404", async () => {
    const { id: hidden } = await api.write({ visibility: "scope_agent", agent_id: "ada" });
    const { id: gone } = await api.write();
    await api.remove(gone);
    for (const id of [crypto.randomUUID(), hidden, gone]) {
      const { status, body } = await refusePatch(id, { weight: 1 }, { agent_id: "bob" });
      expect([status, body.error]).toEqual([404, { code: "NOT_FOUND", message: "No such memory." }]);
    }
    expect((await api.get(hidden, { agent_id: "ada" })).weight).toBe(0.5);
  });

  test("for another tenant, without a tenant, or for what is no uuid", async () => {
    const { id } = await api.write();
    const call = async (path: string, query: CallOptions["query"]): Promise<Reply> =>
      client.refused("PATCH", `${MEMORIES}/${path}`, { body: { weight: 1 }, query });
    expect(await call(id, { tenant_id: "other" })).toMatchObject({
      status: 403,
      body: { error: { code: "TENANT_MISMATCH" } },
    });
    expect(await call(id, {})).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", "tenant_id"] }] } });
    expect(await call("seven", { tenant_id: TENANT })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["path", "memory_id"] }] },
    });
  });
});

test("a row made private is gone for the others at once", async () => {
  const { id } = await api.write({ agent_id: "ada", content: "The tapir knows a secret about the harbour." });
  await patch(id, { visibility: "scope_agent" });
  expect(idsOf(await api.list({ written_by: "ada" }))).not.toContain(id);
  expect(idsOf(await api.search("tapir secret harbour", { top_k: 20 }))).not.toContain(id);
  expect(idsOf(await api.search("tapir secret harbour", { caller_agent_id: "ada" }))[0]).toBe(id);
});

describe("a status set by hand", () => {
  const change = (id: string, status: string) =>
    client.ok(StatusChanged, "PATCH", `${MEMORIES}/${id}/status`, optionsOf({ status }));

  test("answers where the row was and is", async () => {
    const { id } = await api.write();
    expect(await change(id, "cancelled")).toEqual({ memory_id: id, old_status: "active", new_status: "cancelled" });
    expect((await api.get(id)).status).toBe("cancelled");
  });

  test("of deleted deletes", async () => {
    const { id } = await api.write();
    expect(await change(id, "deleted")).toMatchObject({ old_status: "active", new_status: "deleted" });
    expect((await api.remove(id)).status).toBe(404);
  });

  test("that does not exist is refused, as is an unknown row", async () => {
    const { id } = await api.write();
    expect((await client.refused("PATCH", `${MEMORIES}/${id}/status`, optionsOf({ status: "gone" }))).status).toBe(422);
    const unknown = `${MEMORIES}/${crypto.randomUUID()}/status`;
    expect((await client.refused("PATCH", unknown, optionsOf({ status: "active" }))).status).toBe(404);
  });
});
