import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contentsOf, idsOf, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(() => app.stop());
const api = memoriesApi(app.client);

/** Rows that all speak of walruses; each scenario tells them apart by one field. */
const WALRUSES = {
  plain: { content: "The walrus sleeps on the eastern ice floe." },
  decision: { content: "We decided to feed the walrus at dawn.", memory_type: "decision" },
  pending: { content: "The walrus permit is being prepared.", status: "pending" },
  confirmed: { content: "The walrus census counted forty animals.", status: "confirmed" },
  conflicted: { content: "The walrus census counted sixty animals.", status: "conflicted" },
  outdated: { content: "The walrus house stands by the northern gate.", status: "outdated" },
  archived: { content: "The old walrus house was made of wood.", status: "archived" },
  cancelled: { content: "The walrus festival takes place in June.", status: "cancelled" },
  expired: { content: "The walrus is on loan to Copenhagen.", expires_at: "2020-01-01" },
  past: { content: "The walrus keeper is Mr Lund.", ts_valid_start: "2019-01-01", ts_valid_end: "2021-12-31" },
  future: { content: "The walrus keeper is Mrs Holm.", ts_valid_start: "2022-01-01" },
  red: { content: "The walrus of the red fleet is called Odin.", fleet_id: "red" },
  blue: { content: "The walrus of the blue fleet is called Freya.", fleet_id: "blue" },
  organisation: { content: "Every walrus has an earmark.", fleet_id: "blue", visibility: "scope_org" },
  bob: { content: "Bob saw a walrus by the pier.", agent_id: "bob" },
} as const;
type Walrus = keyof typeof WALRUSES;
const NAMES = Object.keys(WALRUSES) as Walrus[];
const HIDDEN: readonly Walrus[] = ["outdated", "archived", "cancelled", "expired"];
const SHOWN = NAMES.filter((name) => !HIDDEN.includes(name));

const nameOf = new Map<string, Walrus>();
const search = async (fields: Record<string, unknown>): Promise<Walrus[]> => {
  const { items } = await api.search("walrus", { top_k: 20, ...fields });
  return items.flatMap(({ id }) => nameOf.get(id) ?? []).sort();
};
const sorted = (...names: readonly Walrus[]): Walrus[] => [...names].sort();

beforeAll(async () => {
  for (const name of NAMES) nameOf.set((await api.write({ agent_id: "ada", ...WALRUSES[name] })).id, name);
  // Entities and findings come after the reply, and would change a row between two calls.
  await app.settle();
});

describe("a search without filters", () => {
  test("leaves out what is outdated, archived, cancelled or expired", async () => {
    expect(await search({})).toEqual(sorted(...SHOWN));
  });

  test("returns five memories unless told otherwise, best first, each with its ranking", async () => {
    const { items, diagnostic, warnings } = await api.search("walrus census animals");
    expect(items).toHaveLength(5);
    expect(diagnostic).toBeNull();
    expect(warnings).toBeNull();
    expect(items[0]?.content).toMatch(/census counted/);
    const scores = items.map(({ score }) => score ?? Number.NaN);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { similarity, score, score_parts, usage } of items) {
      expect(similarity).toBeWithin(-1, 1.0001);
      expect(score).toBeWithin(0, 1.0001);
      expect(usage?.memories_stored).toBe(NAMES.length);
      expect(Object.keys(score_parts ?? {}).sort()).toEqual([
        "entity_boost",
        "freshness",
        "fts_score",
        "recall_boost",
        "status_penalty",
        "temporal_boost",
        "vec_sim",
      ]);
    }
  });

  test("shows each row as the list does, but for its ranking", async () => {
    const { items } = await api.search("red fleet Odin", { top_k: 1 });
    const { items: listed } = await api.list({ fleet_id: "red" });
    expect(items).toHaveLength(1);
    expect({ ...items[0], similarity: null, score: null, score_parts: null }).toEqual({ ...listed[0] } as never);
  });

  test.each([
    'walrus AND OR NOT NEAR(" *',
    'walrus\'s "quoted" (brackets) -minus +plus ^caret col:walrus',
    "walrus'; drop table memories; --",
    "walrus% _ \\ 🎉 北京",
  ])("reads %s as words, never as syntax", async (query) => {
    expect((await api.search(query, { top_k: 20 })).items.length).toBeGreaterThan(0);
  });

  test("finds a row by another form of its word", async () => {
    expect(contentsOf(await api.search("counting animal", { top_k: 2 })).join()).toMatch(/counted/);
  });
});

describe("a filter keeps exactly the rows it names:", () => {
  test.each<readonly [string, Record<string, unknown>, readonly Walrus[]]>([
    ["memory_type_filter", { memory_type_filter: "decision" }, ["decision"]],
    ["memory_type, its alias", { memory_type: "decision" }, ["decision"]],
    ["a type that nothing has", { memory_type_filter: "insight" }, []],
    ["status_filter", { status_filter: "archived" }, ["archived"]],
    ["status, its alias", { status: "outdated" }, ["outdated"]],
    ["conflicted ones", { status: "conflicted" }, ["conflicted"]],
    ["cancelled ones", { status: "cancelled" }, ["cancelled"]],
    ["pending ones", { status: "pending" }, ["pending"]],
    [
      "active ones, never expired",
      { status: "active" },
      SHOWN.filter((name) => !(["pending", "confirmed", "conflicted"] as Walrus[]).includes(name)),
    ],
    ["deleted ones, never", { status: "deleted" }, []],
    ["filter_agent_id", { filter_agent_id: "bob" }, ["bob"]],
    ["an author that never wrote", { filter_agent_id: "nobody" }, []],
    [
      "caller_agent_id: all that this agent reads, whoever wrote it",
      { caller_agent_id: "bob" },
      SHOWN.filter((name) => !(["red", "blue"] as Walrus[]).includes(name)),
    ],
    [
      "fleet_ids: those, the fleetless and the organisation's",
      { fleet_ids: ["red"] },
      SHOWN.filter((name) => name !== "blue"),
    ],
    ["several fleets", { fleet_ids: ["red", "blue"] }, SHOWN],
    ["valid_at in the past: what had begun by then", { valid_at: "2021-06-01" }, ["past"]],
    ["valid_at in years to come", { valid_at: "2029-06-01T12:00:00Z" }, SHOWN.filter((name) => name !== "past")],
    ["valid_at on the last day", { valid_at: "2021-12-31" }, ["past"]],
    ["null for each of them", { memory_type: null, status: null, fleet_ids: null, valid_at: null, limit: null }, SHOWN],
  ])("%s", async (_, fields, expected) => {
    expect(await search(fields)).toEqual(sorted(...expected));
  });
});

describe("top_k", () => {
  test.each(["top_k", "limit"])("%s bounds how many come back", async (name) => {
    for (const n of [1, 3, 20]) {
      const { items } = await api.search("walrus", { [name]: n });
      expect(items).toHaveLength(Math.min(n, SHOWN.length));
    }
  });

  test("a smaller one is the beginning of a larger one", async () => {
    const all = idsOf(await api.search("walrus", { top_k: 20 }));
    expect(idsOf(await api.search("walrus", { top_k: 4 }))).toEqual(all.slice(0, 4));
  });
});

describe("min_similarity", () => {
  test("drops rows below it, but none that holds a word of the query", async () => {
    const query = "walrus pier unheardof";
    const { items } = await api.search(query, { min_similarity: 1, top_k: 20 });
    expect(items).toHaveLength(SHOWN.length);
    for (const { similarity } of items) expect(similarity).toBeLessThan(1);
    const { items: strict } = await api.search("walrs pir nordern gat", { min_similarity: 0.99, top_k: 20 });
    expect(strict).toEqual([]);
    const { items: loose } = await api.search("walrs pir nordern gat", { min_similarity: 0, top_k: 20 });
    expect(loose.length).toBeGreaterThan(0);
  });

  test("keeps rows at or above it", async () => {
    const { items } = await api.search("walrs pir", { top_k: 20 });
    const floor = items[2]?.similarity ?? 1;
    const kept = await api.search("walrs pir", { min_similarity: floor - 0.0001, top_k: 20 });
    for (const { similarity } of kept.items) expect(similarity ?? 0).toBeGreaterThanOrEqual(floor - 0.0002);
    expect(kept.items.length).toBeGreaterThanOrEqual(1);
    expect(kept.items.length).toBeLessThan(items.length);
  });
});

describe("warnings", () => {
  test("name the fields that mean nothing here, and the search goes on", async () => {
    const { items, warnings } = await api.search("walrus", { colour: "red", tags: ["x"] });
    expect(items).not.toEqual([]);
    expect(warnings).toMatchObject([{ code: "unrecognized_parameters", details: { parameters: ["colour", "tags"] } }]);
  });

  test("name the field that a misspelt one is like", async () => {
    const { warnings } = await api.search("walrus", { fleet_id: "pier", colour: "red" });
    expect(warnings?.map(({ message }) => message)).toEqual([
      "These fields are not known here and were ignored: fleet_id (did you mean fleet_ids?), colour.",
    ]);
  });

  test.each([
    ["memory_type", "memory_type_filter", "decision", "fact", ["decision"]],
    ["status", "status_filter", "archived", "active", ["archived"]],
    ["limit", "top_k", 20, 1, SHOWN],
  ] as const)("name %s when %s is sent too, which wins", async (alias, name, value, other, expected) => {
    const reply = await api.search("walrus", { [alias]: other, [name]: value });
    expect(reply.warnings).toMatchObject([
      { code: "superseded_parameter_alias", details: { used: name, ignored: alias } },
    ]);
    expect(reply.warnings?.[0]?.message).toContain(alias);
    expect(reply.items).toHaveLength(expected.length);
  });
});
