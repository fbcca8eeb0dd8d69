import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DOCUMENTS, docIdsOf, documentsApi } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = documentsApi(client);
const SEARCH = `${DOCUMENTS}/search`;

type Data = Record<string, unknown>;
const LIBRARY: readonly (readonly [collection: string, doc_id: string, data: Data, fleet_id?: string])[] = [
  ["books", "garden", { summary: "Growing tomatoes on a balcony", body: "Mind the capercaillie." }, "red"],
  ["books", "bread", { summary: "Baking sourdough bread", chapters: [{ title: "Oven of Zanzibar" }] }, "blue"],
  ["books", "silent", { body: "A bittern without a summary." }],
  ["films", "harbour", { summary: "A thriller in a harbour", notes: { deep: { er: ["tomatoes", "qx-4471"] } } }],
  ["films", "INV-2231", { summary: "An invoice comes to life" }, "red"],
];

beforeAll(async () => {
  for (const [collection, doc_id, data, fleet_id] of LIBRARY) await api.put(collection, doc_id, data, { fleet_id });
});

const found = async (query: string, fields?: Data): Promise<string[]> =>
  docIdsOf((await api.search(query, fields)).results);

describe("a search", () => {
  test("answers with the same list twice, best first, as it lies in the collection", async () => {
    const reply = await api.search("growing tomatoes", { top_k: 50 });
    expect(reply.items).toEqual(reply.results);
    expect(reply.count).toBe(reply.results.length);
    expect(reply.collection).toBeNull();
    expect(reply.results[0]).toMatchObject({ collection: "books", doc_id: "garden", data: LIBRARY[0]?.[2] ?? {} });
    const scores = reply.results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { score, similarity } of reply.results) {
      expect(score).toBeWithin(0, 1.000_001);
      expect(similarity).toBeWithin(-1.000_001, 1.000_001);
    }
  });

  test.each<readonly [string, string, string]>([
    ["the words of the summary", "bake some bread", "bread"],
    ["a rare word beside it", "capercaillie", "garden"],
    ["a rare word in a list of objects", "zanzibar", "bread"],
    ["a code far down", "QX-4471", "harbour"],
    ["the doc_id itself", "INV-2231", "INV-2231"],
    ["a rare word among common ones", "what about the Capercaillie there", "garden"],
  ])("finds by %s", async (_, query, doc_id) => {
    expect((await found(query))[0]).toBe(doc_id);
  });

  test("never shows a document without a summary, which list, query and read do", async () => {
    expect(await found("a bittern without a summary", { top_k: 50 })).not.toContain("silent");
    expect(docIdsOf(await api.list("books"))).toContain("silent");
    expect(docIdsOf(await api.query("books", { body: "A bittern without a summary." }))).toEqual(["silent"]);
    expect((await api.get("books", "silent")).doc_id).toBe("silent");
  });

  test("keeps to a collection and says which", async () => {
    const reply = await api.search("tomatoes", { collection: "films", top_k: 50 });
    expect(reply.collection).toBe("films");
    expect(docIdsOf(reply.results).sort()).toEqual(["INV-2231", "harbour"]);
    expect(await found("tomatoes", { collection: "unheard-of" })).toEqual([]);
  });

  test("keeps to a fleet", async () => {
    expect((await found("tomatoes", { fleet_id: "red", top_k: 50 })).sort()).toEqual(["INV-2231", "garden"]);
    expect(await found("tomatoes", { fleet_id: "red", collection: "books" })).toEqual(["garden"]);
    expect(await found("tomatoes", { fleet_id: "green" })).toEqual([]);
    expect(await found("tomatoes", { fleet_id: null, collection: null, top_k: 50 })).toHaveLength(4);
  });

  test("brings five unless told, one and fifty when told", async () => {
    for (let i = 0; i < 60; i++) await api.put("crowd", `c${i}`, { summary: `Starling ${i} of the flock` });
    expect(await found("starling", { collection: "crowd" })).toHaveLength(5);
    expect(await found("starling", { collection: "crowd", top_k: 1 })).toHaveLength(1);
    expect(await found("starling", { collection: "crowd", top_k: 50 })).toHaveLength(50);
  });

  test("finds a fleet's document behind a crowd of nearer ones, by meaning alone", async () => {
    for (let i = 0; i < 300; i++)
      await api.put("flood", `f${i}`, { summary: `Migrating storks ${i}` }, { fleet_id: "many" });
    await api.put("flood", "lone", { summary: "Some other bird migrates" }, { fleet_id: "few" });
    expect(await found("storks migrating", { fleet_id: "few" })).toEqual(["lone"]);
    expect(await found("storkish", { fleet_id: "few" })).toEqual(["lone"]);
  });
});

describe("what a write takes away is not found any more:", () => {
  test("a document whose summary went, by meaning and by any of its words", async () => {
    const data = { summary: "The migration of cranes", body: "over lake Hornborga" };
    await api.put("gone", "one", data);
    expect(await found("cranes", { collection: "gone" })).toEqual(["one"]);
    const { indexed } = await api.put("gone", "one", { body: data.body });
    expect(indexed).toBe(false);
    for (const query of ["cranes", "the migration of cranes", "Hornborga", "one"])
      expect(await found(query, { collection: "gone", top_k: 50 })).toEqual([]);
  });

  test("the words of a summary that was replaced", async () => {
    await api.put("replaced", "one", { summary: "All about wagtails" });
    await api.put("replaced", "one", { summary: "All about dippers" });
    const [hit] = (await api.search("wagtails", { collection: "replaced" })).results;
    const [better] = (await api.search("dippers", { collection: "replaced" })).results;
    expect(better?.score ?? 0).toBeGreaterThan(hit?.score ?? 1);
    expect(hit?.data).toEqual({ summary: "All about dippers" });
  });

  test("and comes back with its summary", async () => {
    await api.put("back", "one", { summary: "A lapwing" });
    await api.put("back", "one", {});
    await api.put("back", "one", { summary: "A lapwing again" });
    expect(await found("lapwing", { collection: "back" })).toEqual(["one"]);
  });

  test("a summary of null counts as none", async () => {
    expect((await api.put("null", "one", { summary: null, body: "whimbrel" })).indexed).toBe(false);
    expect(await found("whimbrel", { collection: "null" })).toEqual([]);
  });
});

test("a skill is found by its description when it has no summary", async () => {
  const written = await api.put("skills", "tidy-up", { description: "Clean a messy workshop", content: "Sweep." });
  expect(written.indexed).toBe(true);
  expect((await found("messy workshop", { collection: "skills" }))[0]).toBe("tidy-up");
  expect((await api.put("tools", "tidy-up", { description: "Clean a messy workshop" })).indexed).toBe(false);
});

test.each(['"', 'AND OR NOT "', "NEAR(a b)", "summary:x", "*", "'; drop table documents; --", "💥", "数据"])(
  "the query %j is read as words",
  async (query) => {
    expect((await client.call("POST", SEARCH, { body: { tenant_id: TENANT, query } })).status).toBe(200);
  },
);

describe("a search is refused for", () => {
  test.each<readonly [string, object, number, readonly string[] | null]>([
    ["no query", { query: undefined }, 422, ["body", "query"]],
    ["an empty query", { query: "" }, 422, ["body", "query"]],
    ["a query of 5001", { query: "x".repeat(5_001) }, 422, ["body", "query"]],
    ["a top_k of 0", { top_k: 0 }, 422, ["body", "top_k"]],
    ["a top_k of 51", { top_k: 51 }, 422, ["body", "top_k"]],
    ["half a top_k", { top_k: 1.5 }, 422, ["body", "top_k"]],
    ["an empty collection", { collection: "" }, 422, ["body", "collection"]],
    ["a collection of 201", { collection: "x".repeat(201) }, 422, ["body", "collection"]],
    ["a blank query", { query: "  " }, 400, null],
  ])("%s", async (_, fields, expected, loc) => {
    const { status, body } = await client.refused("POST", SEARCH, {
      body: { tenant_id: TENANT, query: "tomatoes", ...fields },
    });
    expect(status).toBe(expected);
    if (loc) expect(body.detail[0]).toMatchObject({ loc });
  });
});
