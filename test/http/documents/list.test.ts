import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DOCUMENTS, docIdsOf, documentsApi } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = documentsApi(client);
const QUERY = `${DOCUMENTS}/query`;

type Data = Record<string, unknown>;
/** What the filters and sorts below tell apart, in order of writing. */
const POPULATION: readonly (readonly [doc_id: string, data: Data, fleet_id?: string])[] = [
  ["null", { v: null, s: null }],
  ["false", { v: false, s: false }],
  ["true", { v: true, s: true, both: 1 }, "red"],
  ["text true", { v: "true", s: "b" }],
  ["one", { v: 1, s: 1, both: 1 }, "red"],
  ["text one", { v: "1", s: "10" }, "blue"],
  ["ten", { v: 10, s: 10 }],
  ["minus two", { v: -2.5, s: -2.5 }, "blue"],
  ["empty text", { v: "", s: "" }],
  ["text null", { v: "null", s: "null" }],
  ["object", { v: { a: 1, b: [2, { c: null }] }, both: 1 }],
  ["other object", { v: { a: 1, b: [2] } }],
  ["list", { v: [1, 2] }],
  ["other list", { v: [2, 1] }],
  ["long", { v: "x".repeat(1_000) }],
  ["without", { other: 1 }],
];
const NEWEST_FIRST = POPULATION.map(([doc_id]) => doc_id).toReversed();

beforeAll(async () => {
  for (const [doc_id, data, fleet_id] of POPULATION) {
    await api.put("all", doc_id, data, { fleet_id });
    await Bun.sleep(2);
  }
  await api.put("elsewhere", "one", { v: 1 });
});

describe("the list", () => {
  test("shows one collection, newest change first", async () => {
    expect(docIdsOf(await api.list("all"))).toEqual(NEWEST_FIRST);
  });

  test("brings a document written again to the front", async () => {
    for (const doc_id of ["x", "y", "x"]) {
      await api.put("again", doc_id, {});
      await Bun.sleep(2);
    }
    expect(docIdsOf(await api.list("again"))).toEqual(["x", "y"]);
  });

  test("of an unknown collection is empty", async () => {
    expect(await api.list("unheard-of")).toEqual([]);
  });

  test("keeps to a fleet", async () => {
    expect(docIdsOf(await api.list("all", { fleet_id: "red" }))).toEqual(["one", "true"]);
    expect(await api.list("all", { fleet_id: "green" })).toEqual([]);
  });

  test("is paged without gap or repetition", async () => {
    const pages = [];
    for (let offset = 0; offset < 20; offset += 3) pages.push(...docIdsOf(await api.list("all", { limit: 3, offset })));
    expect(pages).toEqual(NEWEST_FIRST);
  });

  test("shows 50 unless told, 1 and 1000 when told", async () => {
    for (let i = 0; i < 51; i++) await api.put("many", `d${i}`, {});
    expect(await api.list("many")).toHaveLength(50);
    expect(await api.list("many", { limit: 1 })).toHaveLength(1);
    expect(await api.list("many", { limit: 1_000 })).toHaveLength(51);
    expect(await api.query("many")).toHaveLength(20);
    expect(await api.query("many", {}, { limit: 1_000 })).toHaveLength(51);
  });

  test.each<readonly [Record<string, string | number>, string]>([
    [{ limit: 0 }, "limit"],
    [{ limit: 1_001 }, "limit"],
    [{ limit: "ten" }, "limit"],
    [{ offset: -1 }, "offset"],
    [{ collection: "" }, "collection"],
    [{ fleet_id: "" }, "fleet_id"],
  ])("refuses %j with 422", async (fields, name) => {
    const query = { tenant_id: TENANT, collection: "all", ...fields };
    const { status, body } = await client.refused("GET", DOCUMENTS, { query });
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({ loc: ["query", name] });
  });
});

describe("a query finds equal values of equal type:", () => {
  test.each<readonly [string, Data, readonly string[]]>([
    ["null is null", { v: null }, ["null"]],
    ["false", { v: false }, ["false"]],
    ["true is not the text", { v: true }, ["true"]],
    ["the text is not true", { v: "true" }, ["text true"]],
    ["1 is not the text", { v: 1 }, ["one"]],
    ["the text is not 1", { v: "1" }, ["text one"]],
    ["a fraction", { v: -2.5 }, ["minus two"]],
    ["the empty text", { v: "" }, ["empty text"]],
    ["the text null", { v: "null" }, ["text null"]],
    ["0 is not false", { v: 0 }, []],
    ["a list, in its order", { v: [1, 2] }, ["list"]],
    ["an object, whatever the order of its keys", { v: { b: [2, { c: null }], a: 1 } }, ["object"]],
    ["no part of an object", { v: { a: 1 } }, []],
    ["a long text", { v: "x".repeat(1_000) }, ["long"]],
    ["a long text but for its end", { v: `${"x".repeat(999)}y` }, []],
    ["several members, all of them", { both: 1, v: true }, ["true"]],
    ["several members that contradict", { both: 1, v: 10 }, []],
    ["one member of many documents", { both: 1 }, ["object", "one", "true"]],
    ["a member that nobody has", { unheard: null }, []],
    ["a member named like one of Object", { constructor: 1 }, []],
    ["nothing in particular", {}, NEWEST_FIRST],
  ])("%s", async (_, where, expected) => {
    expect(docIdsOf(await api.query("all", where))).toEqual([...expected]);
  });

  test("without where, with null for it, and with a fleet", async () => {
    expect(docIdsOf(await api.query("all"))).toEqual(NEWEST_FIRST);
    expect(docIdsOf(await api.query("all", undefined, { where: null, order_by: null }))).toEqual(NEWEST_FIRST);
    expect(docIdsOf(await api.query("all", { both: 1 }, { fleet_id: "red" }))).toEqual(["one", "true"]);
    expect(await api.query("unheard-of", { v: 1 })).toEqual([]);
  });

  test("what a write replaced is not found any more", async () => {
    await api.put("changing", "one", { old: 1, kept: 1 });
    await api.put("changing", "one", { new: 1, kept: 1 });
    expect(await api.query("changing", { old: 1 })).toEqual([]);
    expect(docIdsOf(await api.query("changing", { new: 1, kept: 1 }))).toEqual(["one"]);
  });

  test("in any of two thousand members", async () => {
    const data = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`m${i}`, i]));
    await api.put("wide", "one", data);
    for (const i of [0, 999, 1_000, 1_999]) expect(await api.query("wide", { [`m${i}`]: i })).toHaveLength(1);
    expect(await api.query("wide", { m1999: 7 })).toEqual([]);
  });

  test("of a hundred members at once", async () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`m${i}`, i]));
    await api.put("hundred", "one", data);
    expect(await api.query("hundred", data)).toHaveLength(1);
    expect(await api.query("hundred", { ...data, m99: "99" })).toEqual([]);
  });
});

const SORTED = ["null", "false", "true", "minus two", "one", "ten", "empty text", "text one", "text true", "text null"];
/** Rows without the member, of equal rank: by age. */
const WITHOUT = ["object", "other object", "list", "other list", "long", "without"];

describe("order_by", () => {
  test.each([
    ["asc", SORTED, WITHOUT],
    ["desc", SORTED.toReversed(), WITHOUT.toReversed()],
  ])(
    "%s sorts null, booleans, numbers by size, then texts; documents without it come last",
    async (order, first, last) => {
      const found = docIdsOf(await api.query("all", {}, { order_by: "s", order }));
      expect(found.slice(0, SORTED.length)).toEqual(first);
      expect(found.slice(SORTED.length)).toEqual(last);
    },
  );

  test("ascends unless told", async () => {
    expect(docIdsOf(await api.query("all", { both: 1 }, { order_by: "s" }))).toEqual(["true", "one", "object"]);
  });

  test("is paged without gap or repetition, equal values included", async () => {
    for (let i = 0; i < 10; i++) await api.put("ties", `d${i}`, { s: i % 2 });
    const all = docIdsOf(await api.query("ties", {}, { order_by: "s" }));
    const pages = [];
    for (let offset = 0; offset < 12; offset += 3)
      pages.push(...docIdsOf(await api.query("ties", {}, { order_by: "s", offset, limit: 3 })));
    expect(pages).toEqual(all);
    expect(new Set(all).size).toBe(10);
  });

  test("tells texts apart beyond their beginning", async () => {
    const start = "y".repeat(300);
    for (const name of ["s", 'a "b" \\c.ü\n']) {
      for (const end of ["b", "c", "a"]) await api.put(`texts ${name}`, end, { [name]: start + end });
      expect(docIdsOf(await api.query(`texts ${name}`, {}, { order_by: name }))).toEqual(["a", "b", "c"]);
    }
  });
});

describe("a query is refused with 422 for", () => {
  test.each<readonly [string, object, readonly string[]]>([
    ["no collection", { collection: undefined }, ["body", "collection"]],
    ["a where that is a list", { where: [] }, ["body", "where"]],
    ["a where that is a text", { where: "v=1" }, ["body", "where"]],
    ["an unknown order", { order: "up" }, ["body", "order"]],
    ["an empty order_by", { order_by: "" }, ["body", "order_by"]],
    ["a limit of 0", { limit: 0 }, ["body", "limit"]],
    ["a limit of 1001", { limit: 1_001 }, ["body", "limit"]],
    ["an offset below 0", { offset: -1 }, ["body", "offset"]],
    [
      "more members than anybody compares",
      { where: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`m${i}`, i])) },
      ["body", "where"],
    ],
  ])("%s", async (_, fields, loc) => {
    const { status, body } = await client.refused("POST", QUERY, {
      body: { tenant_id: TENANT, collection: "all", ...fields },
    });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail[0]).toMatchObject({ loc });
  });
});
