import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { DOCUMENTS, documentPath, documentsApi } from "../../support/api/documents.ts";
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

describe("an odd doc_id is written, read and deleted under its own name:", () => {
  test.each([
    ...[
      "a/b?c",
      "/",
      "a//b",
      "a b",
      " ",
      "100%",
      "%2F",
      "%zz",
      "ü/ñ",
      "数据",
      "💥🧠",
      "a#b&c=d",
      "a+b",
      "a\\b",
      "'\"<>",
    ],
    ...["search", "query", "null", "constructor", "a\nb", "a:b@c", "x;y", "..a", "forge/slug"],
  ])("%j", async (doc_id) => {
    const written = await api.put(collection, doc_id, { name: doc_id });
    expect(written.doc_id).toBe(doc_id);
    expect(await api.get(collection, doc_id)).toMatchObject({ id: written.id, doc_id, data: { name: doc_id } });
    expect((await api.remove(collection, doc_id)).status).toBe(204);
    expect(await api.list(collection)).toEqual([]);
  });

  test("a slash is %2F in the path", async () => {
    await api.put(collection, "a/b?c", {});
    const { status } = await client.call("GET", `${DOCUMENTS}/a%2Fb%3Fc`, { query: address() });
    expect(status).toBe(200);
  });

  test.each([".", "..", "collections"])("%j, which an address cannot name, by its row's id", async (doc_id) => {
    const { id } = await api.put(collection, doc_id, {});
    expect((await api.get(collection, id)).doc_id).toBe(doc_id);
    expect((await api.remove(collection, id)).status).toBe(204);
    expect(await api.list(collection)).toEqual([]);
  });
});

describe("a document is reached by doc_id or id,", () => {
  test("doc_id first, when it equals the id of another row", async () => {
    const other = await api.put(collection, "other", { mine: false });
    const named = await api.put(collection, other.id, { mine: true });
    expect(named.id).not.toBe(other.id);
    expect(await api.get(collection, other.id)).toMatchObject({ id: named.id, data: { mine: true } });
    expect((await api.remove(collection, other.id)).status).toBe(204);
    expect(await api.get(collection, other.id)).toMatchObject({ doc_id: "other" });
  });

  test("but never through another collection", async () => {
    const { id } = await api.put(collection, "one", {});
    for (const doc_id of ["one", id]) {
      const query = { tenant_id: TENANT, collection: "elsewhere" };
      expect((await client.refused("GET", documentPath(doc_id), { query })).status).toBe(404);
      expect((await client.refused("DELETE", documentPath(doc_id), { query })).status).toBe(404);
    }
    expect(await api.list(collection)).toHaveLength(1);
  });

  test("and a write under another's id makes a document of its own", async () => {
    const { id } = await api.put(collection, "one", { a: 1 });
    await api.put(collection, id, { a: 2 });
    expect((await api.get(collection, "one")).data).toEqual({ a: 1 });
  });
});
