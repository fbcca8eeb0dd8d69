import { afterAll, expect, test } from "bun:test";
import { Document, DocumentWritten } from "../../../src/core/schema/document.ts";
import { Keystone } from "../../../src/core/schema/keystone.ts";
import { DOCUMENTS, documentPath, documentsApi } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = documentsApi(client);
const collection = "charts";
const address = { tenant_id: TENANT, collection };
const ifMatch = (tag: string) => ({ "if-match": tag });
const tagOf = ({ version }: { readonly version: string }): string => `"${version}"`;
const put = (doc_id: string, data: object, headers?: Record<string, string>) =>
  client.call("POST", DOCUMENTS, { body: { ...address, doc_id, data }, headers });
const remove = (doc_id: string, headers: Record<string, string>) =>
  client.call("DELETE", documentPath(doc_id), { query: address, headers });

test("replies about one document carry its version as their ETag, which changes with what it holds and its fleet", async () => {
  const written = await put("north", { scale: 1 });
  const first = DocumentWritten.parse(written.body);
  expect(written.headers.get("etag")).toBe(tagOf(first));
  const read = await client.call("GET", documentPath("north"), { query: address });
  expect(read.headers.get("etag")).toBe(tagOf(Document.parse(read.body)));
  expect((await api.list(collection))[0]?.version).toBe(first.version);
  const versions = [
    first.version,
    (await api.put(collection, "north", { scale: 2 })).version,
    (await api.put(collection, "north", { scale: 2 }, { fleet_id: "red" })).version,
  ];
  expect(new Set(versions).size).toBe(3);
  expect((await api.put(collection, "north", { scale: 2 }, { fleet_id: "red" })).version).toBe(versions[2] ?? "");
});

test("a write or a deletion of a stale version is refused with the document as it is", async () => {
  const read = await api.put(collection, "south", { scale: 1 });
  const { indexed: _indexed, ...now } = await api.put(collection, "south", { scale: 2 });
  for (const { status, body } of [
    await put("south", { scale: 3 }, ifMatch(tagOf(read))),
    await remove("south", ifMatch(tagOf(read))),
  ]) {
    expect(status).toBe(412);
    expect(body).toMatchObject({ error: { code: "PRECONDITION_FAILED", details: { current: now } } });
  }
  expect(await api.get(collection, "south")).toEqual(now);
  expect((await put("south", { scale: 3 }, ifMatch(tagOf(now)))).status).toBe(200);
  expect((await remove("south", ifMatch("*"))).status).toBe(204);
});

test("what is not there has no version, not even any", async () => {
  for (const tag of ["*", '"1f0c5a2e9b7d"']) {
    const { status, body } = await put("nowhere", { scale: 1 }, ifMatch(tag));
    expect(status).toBe(412);
    expect(body).toMatchObject({ error: { details: { current: null } } });
  }
  expect((await client.call("GET", documentPath("nowhere"), { query: address })).status).toBe(404);
});

test("of many who write over the same version at once, one does", async () => {
  const read = await api.put(collection, "race", { round: 0 });
  const replies = await Promise.all([1, 2, 3, 4].map((by) => put("race", { by }, ifMatch(tagOf(read)))));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  const won = replies.find(({ status }) => status === 200);
  const now = await api.get(collection, "race");
  expect(DocumentWritten.parse(won?.body).data).toEqual(now.data);
});

test("a rule is held to its version as any document is", async () => {
  const path = "/api/v1/keystones";
  const rule = { tenant_id: TENANT, doc_id: "tides", title: "Tides", scope: "tenant", weight: "low" };
  const write = (content: string, headers?: Record<string, string>) =>
    client.call("POST", path, { body: { ...rule, content }, headers });
  const first = await write("Look at the tides first.");
  const read = Keystone.parse(first.body);
  expect(first.headers.get("etag")).toBe(tagOf(read));
  const now = Keystone.parse((await write("Look at the tide table first.", ifMatch(tagOf(read)))).body);
  expect((await write("Never mind the tides.", ifMatch(tagOf(read)))).status).toBe(412);
  const removed = (tag: string) =>
    client.call("DELETE", `${path}/tides`, { query: { tenant_id: TENANT }, headers: ifMatch(tag) });
  expect((await removed(tagOf(read))).status).toBe(412);
  expect((await removed(tagOf(now))).status).toBe(200);
});
