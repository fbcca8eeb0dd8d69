import { afterAll, describe, expect, test } from "bun:test";
import { BulkResult } from "../../../src/core/schema/memory.ts";
import { contentsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary, startApp } from "../../support/app.ts";
import { aStatement, TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const BULK = `${MEMORIES}/bulk`;
const anItem = (fields: Record<string, unknown> = {}) => ({ content: aStatement("bulk"), ...fields });

describe("a bulk write", () => {
  test("stores every item and answers 200 with one result each, in order", async () => {
    const items = [anItem(), anItem(), anItem()];
    const body = { tenant_id: TENANT, fleet_id: "bulk-order", items };
    const { status } = await client.call("POST", BULK, { body, headers: { "X-Bulk-Attempt-Id": "order-1" } });
    expect(status).toBe(200);
    const { items: stored } = await api.list({ fleet_id: "bulk-order", order: "asc" });
    expect(stored.map(({ content }) => content)).toEqual(items.map(({ content }) => content));
  });

  test("names each item by its attempt and index, with every field of a result", async () => {
    const reply = await api.bulk([anItem(), anItem()], {}, { "X-Bulk-Attempt-Id": "names:1" });
    expect(reply).toMatchObject({ created: 2, duplicates: 0, errors: 0 });
    expect(Number.isInteger(reply.bulk_ms)).toBe(true);
    expect(reply.results).toEqual(
      reply.results.map(({ id, embedding_pending }, index) => ({
        index,
        client_request_id: `names:1:${index}`,
        status: "created",
        id,
        duplicate_of: null,
        error: null,
        embedding_pending,
      })),
    );
    for (const { id } of reply.results) expect(await api.get(id ?? "")).toMatchObject({ status: "active" });
  });

  test("without an attempt id gets a name of its own each time", async () => {
    const [first, second] = [await api.bulk([anItem()]), await api.bulk([anItem()])];
    expect(first.results[0]?.client_request_id).toMatch(/^.+:0$/);
    expect(first.results[0]?.client_request_id).not.toBe(second.results[0]?.client_request_id);
  });

  test("gives all items the agent and fleet of the batch, and its visibility where they name none", async () => {
    const shared = { agent_id: "bulk-agent", fleet_id: "bulk-fleet", visibility: "scope_org" };
    await api.bulk([anItem(), anItem({ visibility: "scope_agent", agent_id: "mallory" })], shared);
    const mine = await api.list({ fleet_id: "bulk-fleet", agent_id: "bulk-agent" });
    expect(mine.items.map(({ visibility }) => visibility).sort()).toEqual(["scope_agent", "scope_org"]);
    for (const item of mine.items) expect(item).toMatchObject({ agent_id: "bulk-agent", fleet_id: "bulk-fleet" });
  });

  test("keeps two agents apart that call their attempts alike", async () => {
    const headers = { "X-Bulk-Attempt-Id": "alike" };
    const write = (agent_id: string) =>
      client.ok(BulkResult, "POST", BULK, {
        headers,
        body: { tenant_id: TENANT, agent_id, visibility: "scope_agent", items: [anItem()] },
      });
    const [first, other] = [await write("attempt-a"), await write("attempt-b")];
    expect([first.created, other.created]).toEqual([1, 1]);
    expect(other.results[0]).toMatchObject({ status: "created", client_request_id: "alike:0" });
    expect((await write("attempt-b")).results[0]).toMatchObject({
      status: "duplicate_attempt",
      id: other.results[0]?.id,
    });
  });

  test("keeps the fields of an item, folds its tags and names what it ignored", async () => {
    const item = anItem({
      memory_type: "task",
      weight: 0.9,
      run_id: "bulk-run",
      status: "pending",
      metadata: { a: 1 },
    });
    await api.bulk([{ ...item, tags: ["x"], colour: "red" }]);
    await app.settle();
    const { items } = await api.list({ run_id: "bulk-run" });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ ...item, metadata: { a: 1, tags: ["x"] } });
    expect(items[0]?.system_metadata).toMatchObject({ ignored_fields: ["colour"] });
  });

  test("takes a hundred items", async () => {
    const reply = await api.bulk(Array.from({ length: 100 }, () => anItem()));
    expect(reply.created).toBe(100);
    expect(new Set(reply.results.map(({ id }) => id)).size).toBe(100);
  });
});

describe("a bad item fails alone", () => {
  test.each([
    ["without content", { content: undefined }, /content/],
    ["with short content", { content: " short " }, /content: .*too short.*it has 5\. .*'User: likes tea'/],
    ["with null content", { content: null }, /content/],
    ["with content of 10,001 characters", { content: "x".repeat(10_001) }, /content: .*too long/],
    ["of a reserved type", { memory_type: "rule" }, /memory_type.*reserved/],
    ["of an unknown type", { memory_type: "rumour" }, /memory_type/],
    ["with a weight above one", { weight: 7 }, /weight/],
    ["of an unknown status", { status: "deleted" }, /status/],
    ["with a moment in words", { expires_at: "soon" }, /expires_at/],
    ["with two faults", { weight: -1, status: "gone" }, /weight.*; .*status/],
  ])("when it is one %s: 207, its error says why, the others are stored", async (_, fault, error) => {
    const fleet_id = `fleet-${crypto.randomUUID()}`;
    const [before, after] = [anItem(), anItem()];
    const body = { tenant_id: TENANT, fleet_id, items: [before, anItem(fault), after] };
    const reply = await client.call("POST", BULK, { body });
    expect(reply.status).toBe(207);
    expect(reply.body).toMatchObject({ created: 2, duplicates: 0, errors: 1 });
    expect(reply.body).toMatchObject({
      results: [{ status: "created" }, { status: "error", id: null, duplicate_of: null }, { status: "created" }],
    });
    expect(Object(reply.body).results[1].error).toMatch(error);
    expect(contentsOf(await api.list({ fleet_id })).sort()).toEqual([before.content, after.content].sort());
  });

  test("all of them at once are 207 and store nothing", async () => {
    const before = await api.count();
    const { status, body } = await client.call("POST", BULK, {
      body: { tenant_id: TENANT, items: [{ content: "a" }, { content: "b" }] },
    });
    expect(status).toBe(207);
    expect(body).toMatchObject({ created: 0, errors: 2 });
    expect(await api.count()).toBe(before);
  });
});

describe("duplicates", () => {
  test("of stored memories and within the batch are reported, never dropped in silence", async () => {
    const [content, fresh] = [aStatement("stored before"), aStatement("sent twice")];
    const { id } = await api.write({ content, agent_id: "ada" });
    const reply = await api.bulk([{ content }, { content: fresh }, { content: ` ${fresh} ` }], { agent_id: "ada" });
    expect(reply).toMatchObject({ created: 1, duplicates: 2, errors: 0 });
    const first = reply.results[1]?.id;
    expect(reply.results).toMatchObject([
      { status: "duplicate_content", id, duplicate_of: id, error: null },
      { status: "created" },
      { status: "duplicate_content", id: first, duplicate_of: first },
    ]);
  });

  test("a retry of an attempt stores nothing twice and answers with the same ids", async () => {
    const items = [anItem(), anItem()];
    const headers = { "X-Bulk-Attempt-Id": "retry-1" };
    const first = await api.bulk(items, {}, headers);
    const before = await api.count();
    const again = await api.bulk(items, {}, headers);
    expect(again).toMatchObject({ created: 0, duplicates: 2, errors: 0 });
    // Their vectors may have come between the two calls.
    const expected = first.results.map((result, index) => ({
      ...result,
      status: "duplicate_attempt" as const,
      duplicate_of: null,
      embedding_pending: again.results[index]?.embedding_pending ?? true,
    }));
    expect(again.results).toEqual(expected);
    expect(await api.count()).toBe(before);
  });

  test("a retry with what the first attempt did not bring stores only that", async () => {
    const headers = { "X-Bulk-Attempt-Id": "retry-2" };
    const [good, mended] = [anItem(), anItem()];
    await api.bulk([good, { content: "bad" }], {}, headers);
    const again = await api.bulk([good, mended], {}, headers);
    expect(again.results.map(({ status }) => status)).toEqual(["duplicate_attempt", "created"]);
  });

  test("other content at a place of an attempt that is taken does not replace the first", async () => {
    const headers = { "X-Bulk-Attempt-Id": "retry-3" };
    const { results } = await api.bulk([anItem()], {}, headers);
    const other = aStatement("a changed mind");
    const again = await api.bulk([{ content: other }], {}, headers);
    expect(again.results[0]).toMatchObject({ status: "duplicate_attempt", id: results[0]?.id });
    expect((await api.search(other, { top_k: 20 })).items.map(({ content }) => content)).not.toContain(other);
  });
});

describe("a malformed envelope is refused whole with 422:", () => {
  test.each([
    ["no items", {}, { loc: ["body", "items"], type: "missing" }],
    ["an empty list", { items: [] }, { loc: ["body", "items"], type: "array_too_small", ctx: { minimum: 1 } }],
    [
      "101 items",
      { items: Array.from({ length: 101 }, () => anItem()) },
      { loc: ["body", "items"], type: "array_too_big", ctx: { maximum: 100 } },
    ],
    ["items that are no list", { items: {} }, { loc: ["body", "items"], type: "array_type" }],
    ["an item that is no object", { items: [anItem(), "x"] }, { loc: ["body", "items", "1"], input: "x" }],
    ["an unknown visibility", { items: [anItem()], visibility: "all" }, { loc: ["body", "visibility"], type: "enum" }],
  ])("%s", async (_, fields, issue) => {
    const before = await api.count();
    const { status, body } = await client.refused("POST", BULK, { body: { tenant_id: TENANT, ...fields } });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail[0]).toMatchObject(issue);
    expect(await api.count()).toBe(before);
  });

  test.each(["has space", "ä", "x".repeat(129), "semi;colon"])("the attempt id '%s'", async (attempt) => {
    const { status, body } = await client.refused("POST", BULK, {
      body: { tenant_id: TENANT, items: [anItem()] },
      headers: { "X-Bulk-Attempt-Id": attempt },
    });
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({ loc: ["header", "x-bulk-attempt-id"] });
  });
});

test("a bulk write for another tenant is refused with 403 and stores nothing", async () => {
  const before = await api.count();
  const { status, body } = await client.refused("POST", BULK, { body: { tenant_id: "other", items: [anItem()] } });
  expect([status, body.error.code]).toEqual([403, "TENANT_MISMATCH"]);
  expect(await api.count()).toBe(before);
});

test("a tenant that fills up in the middle refuses only the items beyond", async () => {
  const small = await startApp({ flags: ["--memories-limit=2"] });
  try {
    const reply = await memoriesApi(small.client).bulk([anItem(), anItem(), anItem()]);
    expect(reply).toMatchObject({ created: 2, errors: 1 });
    expect(reply.results[2]).toMatchObject({ status: "error", id: null, error: expect.stringContaining("limit of 2") });
    expect(await memoriesApi(small.client).count()).toBe(2);
  } finally {
    await small.stop();
  }
});

describe("until its vector is there, an item", () => {
  // The executable works through its jobs at once, so only here can a test look in between.
  test.skipIf(isBinary)("says so, and is found by its words alone", async () => {
    await app.settle();
    const content = "The zeppelin moors at the quay of Friedrichshafen.";
    const { results } = await api.bulk([{ content, metadata: { mine: 1 } }], { fleet_id: "pending" });
    const [row] = (await api.list({ fleet_id: "pending" })).items;
    expect(row?.metadata).toEqual({ mine: 1, embedding_pending: true });
    expect(row?.system_metadata).toMatchObject({ embedding_pending: true });
    const detail = await api.get(results[0]?.id ?? "");
    expect(detail).toMatchObject({ embedding_preview: null, embedding_stats: null });
    const [found] = (await api.search("where does the zeppelin moor?")).items;
    expect(found).toMatchObject({ content, similarity: null, metadata: { embedding_pending: true } });
    expect((await api.search("Friedrichshaf", { top_k: 20 })).items.map((item) => item.content)).not.toContain(content);
  });

  test("and once it is, the mark is gone and meaning finds it", async () => {
    const content = "The submarine dives beneath the harbour of Kiel.";
    // A type of its own: by chance some other row's parts of words may be nearer.
    await api.bulk([{ content, metadata: { mine: 1 }, memory_type: "plan" }], { fleet_id: "embedded" });
    await app.settle();
    const [row] = (await api.list({ fleet_id: "embedded" })).items;
    expect(row?.metadata).toEqual({ mine: 1 });
    expect(row?.system_metadata).not.toHaveProperty("embedding_pending");
    // The hash embedder knows parts of words, keyword search only whole ones.
    const [found] = (await api.search("submar divi harbo", { min_similarity: 0.1, memory_type: "plan" })).items;
    expect(found).toMatchObject({ content, similarity: expect.any(Number) });
  });
});
