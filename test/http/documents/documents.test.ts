import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { DOCUMENTS, docIdsOf, documentPath, documentsApi } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = documentsApi(client);

let named = 0;
let collection = "";
/** Every test has a collection of its own. */
beforeEach(() => {
  collection = `collection-${++named}`;
});
const address = () => ({ tenant_id: TENANT, collection });
const aBody = (fields: object = {}) => ({ ...address(), doc_id: "one", data: { a: 1 }, ...fields });

describe("a write", () => {
  test("answers 200 with the whole document, and whether search reaches it", async () => {
    const { status, body } = await client.call("POST", DOCUMENTS, { body: aBody({ fleet_id: "red" }) });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...address(),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fleet_id: "red",
      doc_id: "one",
      data: { a: 1 },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
      indexed: false,
    });
  });

  test("shows `indexed` on its own reply only", async () => {
    const { indexed, ...written } = await api.put(collection, "one", { summary: "A word about herons." });
    expect(indexed).toBe(true);
    expect(await api.get(collection, "one")).toEqual(written);
    expect(await api.list(collection)).toEqual([written]);
    expect(await api.query(collection)).toEqual([written]);
  });

  test("replaces data as a whole and the fleet with it, and keeps id and created_at", async () => {
    const first = await api.put(collection, "one", { a: 1, b: { c: 2 } }, { fleet_id: "red" });
    await Bun.sleep(2);
    const second = await api.put(collection, "one", { b: { d: 3 } });
    expect(second).toMatchObject({ id: first.id, created_at: first.created_at, fleet_id: null, data: { b: { d: 3 } } });
    expect(second.data).toEqual({ b: { d: 3 } });
    expect(second.updated_at > first.updated_at).toBe(true);
    expect(await api.list(collection)).toHaveLength(1);
  });

  test("of the same doc_id in another collection is another document", async () => {
    const first = await api.put(collection, "one", { a: 1 });
    const second = await api.put(`${collection}-b`, "one", { a: 2 });
    expect(second.id).not.toBe(first.id);
    expect((await api.get(collection, "one")).data).toEqual({ a: 1 });
  });

  test("keeps any JSON as it came", async () => {
    const data = {
      "": null,
      ключ: ["ä", -0.5, 1e21, true, {}, []],
      "a.b": { constructor: "x", "'; --": "\u{1f9e0}\n" },
    };
    await api.put(collection, "one", data);
    expect((await api.get(collection, "one")).data).toEqual(data);
  });

  test("leaves an audit row for each change, without its contents", async () => {
    await api.put(collection, "one", { secret: "aardvark one" });
    await api.put(collection, "one", { secret: "aardvark two" });
    await api.remove(collection, "one");
    const query = { target_id: `${collection}/one` };
    const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
    expect(items.map(({ action }) => action)).toEqual(["document.delete", "document.update", "document.create"]);
    const [gone, changed, made] = items;
    expect(made?.before).toBeNull();
    expect(changed?.before).toEqual(made?.after ?? null);
    expect(gone?.before).toEqual(changed?.after ?? null);
    expect(JSON.stringify(items)).not.toContain("aardvark");
  });

  test("of nearly a mebibyte is stored and read back", async () => {
    const data = { text: "y".repeat(1_000_000), rows: Array.from({ length: 1_000 }, (_, i) => ({ i })) };
    await api.put(collection, "big", data);
    expect((await api.get(collection, "big")).data).toEqual(data);
    expect(docIdsOf(await api.query(collection, { text: data.text }))).toEqual(["big"]);
  });

  test("of more than 4 MiB is refused with 413 and stores nothing", async () => {
    const body = aBody({ data: { text: "y".repeat(4 * 1024 * 1024) } });
    const { status, body: refusal } = await client.refused("POST", DOCUMENTS, { body });
    expect([status, refusal.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(await api.list(collection)).toEqual([]);
  });
});

describe("a write is refused with 422, and nothing is stored, for", () => {
  test.each<readonly [string, object, object]>([
    ["no collection", { collection: undefined }, { loc: ["body", "collection"], type: "missing" }],
    ["an empty collection", { collection: "" }, { loc: ["body", "collection"], type: "string_too_small" }],
    ["a collection of 201", { collection: "x".repeat(201) }, { loc: ["body", "collection"], type: "string_too_big" }],
    ["no doc_id", { doc_id: undefined }, { loc: ["body", "doc_id"], type: "missing" }],
    ["an empty doc_id", { doc_id: "" }, { loc: ["body", "doc_id"], type: "string_too_small" }],
    ["a doc_id of 501", { doc_id: "x".repeat(501) }, { loc: ["body", "doc_id"], type: "string_too_big" }],
    ["a doc_id that is a number", { doc_id: 7 }, { loc: ["body", "doc_id"], type: "string_type" }],
    ["no data", { data: undefined }, { loc: ["body", "data"], type: "missing" }],
    ["data that is a list", { data: [1] }, { loc: ["body", "data"], type: "record_type" }],
    ["data that is null", { data: null }, { loc: ["body", "data"], type: "record_type" }],
    ["a summary that is a number", { data: { summary: 7 } }, { loc: ["body", "data", "summary"] }],
    ["a summary that is a list", { data: { summary: ["a"] } }, { loc: ["body", "data", "summary"] }],
    ["a blank summary", { data: { summary: "  " } }, { loc: ["body", "data", "summary"] }],
    ["an empty summary", { data: { summary: "" } }, { loc: ["body", "data", "summary"] }],
    ["a fleet that is a list", { fleet_id: ["red"] }, { loc: ["body", "fleet_id"] }],
    ["the rules' collection", { collection: "_keystones" }, { loc: ["body", "collection"] }],
    ["a system collection", { collection: "_x" }, { loc: ["body", "collection"] }],
  ])("%s", async (_, fields, issue) => {
    const { status, body } = await client.refused("POST", DOCUMENTS, { body: aBody(fields) });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail[0]).toMatchObject(issue);
    expect(await api.list(collection)).toEqual([]);
    expect(await api.list("_x")).toEqual([]);
  });
});

test("names at their longest are allowed: doc_id of 500, collection of 200 characters", async () => {
  const [longest, doc_id] = [collection.padEnd(200, "é"), "ß/".repeat(250)];
  const written = await api.put(longest, doc_id, {});
  expect((await api.get(longest, doc_id)).id).toBe(written.id);
  expect((await api.remove(longest, doc_id)).status).toBe(204);
});

describe("a delete", () => {
  test("answers 204 without a body, then 404, and nothing finds the document", async () => {
    await api.put(collection, "one", { summary: "The only hoopoe.", kind: "bird" });
    const { status, body } = await api.remove(collection, "one");
    expect([status, body]).toEqual([204, null]);
    for (const method of ["GET", "DELETE"]) {
      const refused = await client.refused(method, documentPath("one"), { query: address() });
      expect([refused.status, refused.body.detail]).toEqual([404, "Document not found."]);
    }
    expect(await api.list(collection)).toEqual([]);
    expect(await api.query(collection, { kind: "bird" })).toEqual([]);
    expect((await api.search("hoopoe", { collection })).results).toEqual([]);
  });

  test("of a system collection is refused with 422 that names the query", async () => {
    const query = { tenant_id: TENANT, collection: "_keystones" };
    const { status, body } = await client.refused("DELETE", documentPath("rule"), { query });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail[0]).toMatchObject({ loc: ["query", "collection"] });
  });

  test.each(["GET", "DELETE"])("and %s need a collection", async (method) => {
    const { status, body } = await client.refused(method, documentPath("one"), { query: { tenant_id: TENANT } });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail[0]).toMatchObject({ loc: ["query", "collection"], type: "missing" });
  });
});

describe("a write with an Idempotency-Key", () => {
  const headers = { "Idempotency-Key": "once" };

  test("is done once, and a replay says so, in whatever order its members come", async () => {
    const first = await client.call("POST", DOCUMENTS, { body: aBody(), headers });
    await api.put(collection, "one", { a: 2 });
    const { doc_id, ...rest } = aBody();
    const again = await client.call("POST", DOCUMENTS, { body: { doc_id, ...rest }, headers });
    expect(again.body).toEqual(first.body);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await api.get(collection, "one")).data).toEqual({ a: 2 });
    const { status } = await client.refused("POST", DOCUMENTS, { body: aBody({ data: { a: 3 } }), headers });
    expect(status).toBe(422);
  });

  test("that is refused gives the key back", async () => {
    const fresh = { "Idempotency-Key": "twice" };
    const wrong = aBody({ data: { summary: 1 } });
    expect((await client.refused("POST", DOCUMENTS, { body: wrong, headers: fresh })).status).toBe(422);
    expect((await client.call("POST", DOCUMENTS, { body: aBody(), headers: fresh })).status).toBe(200);
  });
});
