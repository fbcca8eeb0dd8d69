import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Memory } from "../../../src/core/schema/memory.ts";
import { MEMORY_SORTS } from "../../../src/core/schema/memory-query.ts";
import type { MemoriesApi } from "../../support/api/memories.ts";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

/** The rows that the filters and sorts below tell apart, in order of writing. */
const POPULATION: readonly (readonly [name: string, fields: Record<string, unknown>])[] = [
  ["plain", { agent_id: "ada", fleet_id: "red" }],
  ["heavy", { agent_id: "ada", fleet_id: "red", weight: 0.9, memory_type: "decision" }],
  ["light", { agent_id: "bob", fleet_id: "blue", weight: 0.1, memory_type: "task", run_id: "run-1" }],
  ["pending", { agent_id: "bob", fleet_id: "blue", status: "pending", run_id: "run-1" }],
  ["archived", { agent_id: "cyd", status: "archived", memory_type: "episode" }],
  ["organisation's", { agent_id: "cyd", visibility: "scope_org", expires_at: "2080-01-01" }],
  ["expired", { agent_id: "cyd", expires_at: "2020-01-01", weight: 0.9 }],
  ["private", { agent_id: "ada", visibility: "scope_agent", memory_type: "preference" }],
  ["removed", { agent_id: "ada", fleet_id: "red" }],
  ["removed later", { agent_id: "bob", fleet_id: "blue" }],
];
const SHARED = POPULATION.map(([name]) => name).filter((name) => name !== "private" && !name.startsWith("removed"));

const rows = new Map<string, Memory>();
const row = (name: string): Memory => {
  const found = rows.get(name);
  if (!found) throw new Error(`There is no row '${name}'.`);
  return found;
};
const nameOf = ({ id }: { readonly id: string }) => [...rows].find(([, memory]) => memory.id === id)?.[0] ?? "?";
const namesOf = async (query: Record<string, string | number | boolean | readonly string[]>): Promise<string[]> =>
  (await api.list(query)).items.map(nameOf);

beforeAll(async () => {
  for (const [name, fields] of POPULATION) {
    rows.set(name, await api.write({ content: aStatement(name), ...fields }));
    await Bun.sleep(2);
  }
  for (const name of ["removed", "removed later"]) {
    await api.remove(row(name).id);
    await Bun.sleep(2);
  }
  await api.search("note", { filter_agent_id: "bob", top_k: 1 });
  await app.settle();
});

describe("the list", () => {
  test("shows what everybody may see, newest first, and no ranking", async () => {
    const { items, next_cursor } = await api.list();
    expect(items.map(nameOf)).toEqual(SHARED.toReversed());
    expect(next_cursor).toBeNull();
    for (const item of items) expect(item).toMatchObject({ similarity: null, score: null, score_parts: null });
  });

  test("shows rows as they were written", async () => {
    const { items } = await api.list({ written_by: "cyd" });
    expect(items.map(nameOf)).toEqual(["expired", "organisation's", "archived"]);
    for (const { usage: _, ...item } of items) expect(row(nameOf(item))).toMatchObject(item);
  });

  test("ignores parameters it does not know", async () => {
    expect(await namesOf({ colour: "red" })).toEqual(SHARED.toReversed());
  });
});

describe("a filter keeps exactly the rows it names:", () => {
  test.each<readonly [string, Record<string, string | number | boolean | readonly string[]>, readonly string[]]>([
    ["tenant", { tenant_id: "default" }, SHARED],
    ["fleet", { fleet_id: "red" }, ["plain", "heavy"]],
    ["author", { written_by: "bob" }, ["light", "pending"]],
    ["an author that never wrote", { written_by: "nobody" }, []],
    ["type", { memory_type: "task" }, ["light"]],
    ["a type that does not exist", { memory_type: "rumour" }, []],
    ["types left out", { exclude_memory_types: ["fact", "task"] }, ["heavy", "archived"]],
    ["one type left out", { exclude_memory_types: "fact" }, ["heavy", "light", "archived"]],
    ["status", { status: "pending" }, ["pending"]],
    ["a status that does not exist", { status: "gone" }, []],
    ["visibility", { visibility: "scope_org" }, ["organisation's"]],
    ["private ones, for nobody", { visibility: "scope_agent" }, []],
    ["private ones, for their agent", { visibility: "scope_agent", agent_id: "ada" }, ["private"]],
    ["run", { run_id: "run-1" }, ["light", "pending"]],
    ["weight from", { weight_min: 0.9 }, ["heavy", "expired"]],
    ["weight to", { weight_max: 0.1 }, ["light"]],
    ["weight between", { weight_min: 0.4, weight_max: 0.6, fleet_id: "red" }, ["plain"]],
    ["several at once", { written_by: "ada", memory_type: "decision", fleet_id: "red" }, ["heavy"]],
    ["several that contradict", { written_by: "ada", fleet_id: "blue" }, []],
    ["deleted ones as well", { include_deleted: true, fleet_id: "red" }, ["plain", "heavy", "removed"]],
    ["deleted ones alone", { include_deleted: true, status: "deleted" }, ["removed", "removed later"]],
    ["deleted ones, without asking to see them", { status: "deleted" }, []],
  ])("%s", async (_, query, expected) => {
    expect((await namesOf(query)).toReversed()).toEqual([...expected]);
  });

  test("the time of creation, both ends included", async () => {
    const [created_after, created_before] = [row("heavy").created_at, row("pending").created_at];
    expect(await namesOf({ created_after, created_before })).toEqual(["pending", "light", "heavy"]);
    expect(await namesOf({ created_after: row("expired").created_at })).toEqual(["expired"]);
    expect(await namesOf({ created_before: row("plain").created_at })).toEqual(["plain"]);
    expect(await namesOf({ created_after: "2999-01-01" })).toEqual([]);
  });

  test("the time of creation with an offset means the same moment", async () => {
    const at = new Date(Date.parse(row("heavy").created_at) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    expect(await namesOf({ created_after: at, created_before: at })).toEqual(["heavy"]);
  });

  test("a deleted row shows the status deleted and nothing else changed", async () => {
    const { items } = await api.list({ include_deleted: true, status: "deleted", fleet_id: "red" });
    const other = { status: "deleted" as const, version: expect.any(String), usage: expect.any(Object) };
    expect(items).toEqual([{ ...row("removed"), ...other }]);
  });
});

describe("agent_id says who looks:", () => {
  test("its own private rows and everything shared", async () => {
    expect((await namesOf({ agent_id: "ada" })).sort()).toEqual([...SHARED, "private"].sort());
  });

  test("another agent sees nothing private", async () => {
    expect(await namesOf({ agent_id: "bob" })).toEqual(SHARED.toReversed());
    expect(await namesOf({ agent_id: "bob", written_by: "ada" })).toEqual(["heavy", "plain"]);
  });
});

/** The fields a list can be sorted by, as its rows show them; `deleted_at` is not shown. */
const SHOWN_SORTS = MEMORY_SORTS.filter((sort) => sort !== "deleted_at");

describe.each(SHOWN_SORTS)("sort=%s", (sort) => {
  const keyOf = (memory: Memory) => memory[sort];
  /** Rows without a value come first; equal ones follow their ids. */
  const byKey = (a: Memory, b: Memory): number => {
    const [x, y] = [keyOf(a) ?? "", keyOf(b) ?? ""];
    if (x === y) return a.id < b.id ? -1 : 1;
    return x < y ? -1 : 1;
  };

  test("orders ascending, by id among equals, and descending exactly the other way round", async () => {
    const { items: ascending } = await api.list({ sort, order: "asc", include_deleted: true, agent_id: "ada" });
    const { items: descending } = await api.list({ sort, order: "desc", include_deleted: true, agent_id: "ada" });
    expect(ascending).toHaveLength(POPULATION.length);
    expect(idsOf({ items: ascending })).toEqual(idsOf({ items: ascending.toSorted(byKey) }));
    expect(idsOf({ items: descending })).toEqual(idsOf({ items: ascending }).toReversed());
  });

  test("is paged by offset without a gap or a repetition", async () => {
    const all = idsOf(await api.list({ sort }));
    const pages = [];
    for (let offset = 0; offset < all.length; offset += 3)
      pages.push(...idsOf(await api.list({ sort, offset, limit: 3 })));
    expect(pages).toEqual(all);
    expect((await api.list({ sort, offset: all.length })).items).toEqual([]);
  });
});

test("sort=recall_count brings the recalled row first", async () => {
  const { items } = await api.list({ sort: "recall_count", limit: 1 });
  expect(items[0]).toMatchObject({ agent_id: "bob", recall_count: 1 });
});

test("sort=deleted_at brings what was deleted last first", async () => {
  const query = { sort: "deleted_at", include_deleted: true, limit: 3 };
  expect((await namesOf(query)).slice(0, 2)).toEqual(["removed later", "removed"]);
  expect((await namesOf({ ...query, order: "asc", limit: 500 })).slice(-2)).toEqual(["removed", "removed later"]);
});

/** Every page of a list, one after the other. */
async function walk(
  pages: MemoriesApi,
  limit: number,
  between: () => Promise<unknown> = async () => null,
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | undefined, n = 0; n < 20; n++) {
    const page = await pages.list({ limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    seen.push(...idsOf(page));
    if (page.next_cursor === null) return seen;
    cursor = page.next_cursor;
    await between();
  }
  throw new Error("The walk did not end.");
}

describe("a cursor", () => {
  test.each([1, 2, 3, SHARED.length])("visits every row once, %d a page", async (limit) => {
    expect(await walk(api, limit)).toEqual(idsOf(await api.list()));
  });

  test("is not disturbed by writes between two pages", async () => {
    const busy = await startApp();
    try {
      const own = memoriesApi(busy.client);
      await own.bulk(Array.from({ length: 7 }, () => ({ content: aStatement() })));
      const before = idsOf(await own.list());
      expect(await walk(own, 2, () => own.write())).toEqual(before);
      expect(await own.count()).toBeGreaterThan(9);
    } finally {
      await busy.stop();
    }
  });

  test("goes on where the page ended, whatever offset is given beside it", async () => {
    const { next_cursor } = await api.list({ limit: 2 });
    const query = { cursor: next_cursor ?? "", limit: 2 };
    expect(await namesOf({ ...query, offset: 5 })).toEqual(await namesOf(query));
    expect(await namesOf(query)).toEqual(SHARED.toReversed().slice(2, 4));
  });

  test.each([
    ["another sort", { sort: "weight" }],
    ["another order", { sort: "created_at", order: "asc" }],
    ["a sort of deleted rows", { sort: "deleted_at", order: "desc" }],
  ])("is refused with 400 beside %s", async (_, query) => {
    const { next_cursor } = await api.list({ limit: 2 });
    const { status, body } = await client.refused("GET", MEMORIES, { query: { ...query, cursor: next_cursor ?? "" } });
    expect([status, body.error.code]).toEqual([400, "BAD_REQUEST"]);
  });

  test.each([
    [
      "a limit of 0",
      { limit: 0 },
      { loc: ["query", "limit"], type: "number_too_small", input: 0, ctx: { minimum: 1 } },
    ],
    [
      "a limit of 501",
      { limit: 501 },
      { loc: ["query", "limit"], type: "number_too_big", input: 501, ctx: { maximum: 500 } },
    ],
    ["a limit in words", { limit: "ten" }, { loc: ["query", "limit"], type: "number_type", input: "ten" }],
    ["half a limit", { limit: 1.5 }, { loc: ["query", "limit"], input: 1.5 }],
    ["an offset below 0", { offset: -1 }, { loc: ["query", "offset"], type: "number_too_small", input: -1 }],
    ["an unknown sort", { sort: "content" }, { loc: ["query", "sort"], type: "enum", input: "content" }],
    ["an unknown order", { order: "up" }, { loc: ["query", "order"], type: "enum", input: "up" }],
    ["an unknown visibility", { visibility: "all" }, { loc: ["query", "visibility"], type: "enum" }],
    ["weights the wrong way round", { weight_min: 0.6, weight_max: 0.4 }, { loc: ["query", "weight_min"] }],
    ["a weight of 2", { weight_max: 2 }, { loc: ["query", "weight_max"], type: "number_too_big" }],
    ["a moment in words", { created_after: "yesterday" }, { loc: ["query", "created_after"], type: "value_error" }],
    ["a yes that is none", { include_deleted: "maybe" }, { loc: ["query", "include_deleted"], type: "boolean_type" }],
    ["an empty agent", { agent_id: "" }, { loc: ["query", "agent_id"], type: "string_too_small" }],
    ["a NUL character", { run_id: "a\u0000b" }, { loc: ["query", "run_id"], type: "value_error" }],
  ])("%s", async (_, query, issue) => {
    const { status, body } = await client.refused("GET", MEMORIES, { query });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail[0]).toMatchObject(issue);
  });

  test("broken percent-encoding", async () => {
    const { status } = await client.refused("GET", `${MEMORIES}?agent_id=%ff`);
    expect(status).toBe(422);
  });
});

test.each([1, 500])("a limit of %d is allowed", async (limit) => {
  expect((await api.list({ limit })).items).toHaveLength(Math.min(limit, SHARED.length));
});

test("the list of another tenant is refused with 403 and shows nothing", async () => {
  const { status, body } = await client.refused("GET", MEMORIES, { query: { tenant_id: "other" } });
  expect([status, body.error.code]).toEqual([403, "TENANT_MISMATCH"]);
  expect(JSON.stringify(body)).not.toContain(row("plain").id);
});
