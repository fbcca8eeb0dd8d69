import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { MemoryMap } from "../../../src/core/schema/observing/map.ts";
import type { Client } from "../../support/api/client.ts";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary, startApp } from "../../support/app.ts";
import { aStatement, TENANT } from "../../support/builders.ts";
import { GATEWAY, refusalOf, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const PATH = "/api/v1/memories/map";

type Query = Readonly<Record<string, string | number | undefined>>;
const read = (caller: Client, query: Query = {}) => caller.ok(MemoryMap, "GET", PATH, { query });

const COFFEE = [
  "The espresso machine in the kitchen is cleaned every Friday.",
  "Anna drinks her espresso without sugar.",
  "The kitchen is out of coffee beans; new ones come on Monday.",
  "The espresso grinder is set to the finest step.",
  "Oat milk for the coffee stands in the lower fridge of the kitchen.",
  "Beans for espresso are bought from the roaster at the harbour.",
  "Nobody drinks the filter coffee in the afternoon.",
  "The coffee machine needs descaling every second month.",
];
const DATABASE = [
  "The production database runs Postgres 16 on two replicas.",
  "Database migrations are applied before the deployment.",
  "The Postgres backup is restored on staging every week.",
  "Slow database queries are logged from 200 ms on.",
  "The orders table of the database is partitioned by month.",
  "Replication of the database to Frankfurt lags by a second.",
  "Postgres connections are pooled by pgbouncer.",
  "An index on customer_id made the database query ten times faster.",
];

describe("two topics", async () => {
  const app = await startApp({ embedder: "onnx" });
  afterAll(() => app.stop());
  const api = memoriesApi(app.client);

  beforeAll(async () => {
    const items = COFFEE.flatMap((coffee, i) => [coffee, DATABASE[i] ?? ""]).map((content) => ({ content }));
    await api.bulk(items, { agent_id: "ada" }, undefined);
    await app.settle();
  });

  test("lie in two clusters, apart, that are named by their words", async () => {
    const { points, clusters, left_out } = await read(app.client);
    expect([points.length, left_out]).toEqual([16, { without_vector: 0, beyond_limit: 0 }]);
    const { items } = await api.list();
    const contents = new Map(items.map(({ id, content }) => [id, content]));
    const clustersOf = (texts: readonly string[]) =>
      new Set(points.filter(({ id }) => texts.includes(contents.get(id) ?? "")).map(({ cluster }) => cluster));
    const [coffee, database] = [clustersOf(COFFEE), clustersOf(DATABASE)];
    expect([coffee.size, database.size, coffee.union(database).size]).toEqual([1, 1, 2]);
    const wordsOf = (ids: typeof coffee) => clusters.find(({ id }) => ids.has(id))?.words;
    expect(wordsOf(coffee)).toEqual(expect.arrayContaining(["espresso", "coffee"]));
    expect(wordsOf(database)).toEqual(expect.arrayContaining(["database", "Postgres"]));
    // Along the axis between the middles of the clusters, no point of the one lies beyond one of the other.
    const across = (ids: typeof coffee) => points.filter(({ cluster }) => ids.has(cluster)).map(({ x }) => x);
    const [left, right] = [across(coffee), across(database)].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
    expect(Math.max(...(left ?? []))).toBeLessThan(Math.min(...(right ?? [])));
  });

  test("give the same map each time", async () => {
    expect(await read(app.client)).toEqual(await read(app.client));
  });

  test("give a map of one kind of memory alone", async () => {
    await api.write({ content: "Decided: tea is free as well.", memory_type: "decision" });
    const { points, clusters } = await read(app.client, { memory_type: "decision" });
    expect(points).toEqual([
      expect.objectContaining({ preview: "Decided: tea is free as well", x: 0, y: 0, cluster: 0 }),
    ]);
    expect(clusters).toEqual([{ id: 0, size: 1, words: expect.arrayContaining(["tea"]), x: 0, y: 0 }]);
  });
});

describe("the memories of a tenant", async () => {
  const app = await startApp({ flags: [GATEWAY] });
  afterAll(() => app.stop());
  const { client } = app;
  const api = memoriesApi(client);

  const titledMemory = async (title: string | null) => {
    const { id } = await api.write();
    return client.ok(Memory, "PATCH", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT }, body: { title } });
  };

  test("none give an empty map", async () => {
    const left_out = { without_vector: 0, beyond_limit: 0 };
    expect(await read(client)).toEqual({ points: [], clusters: [], left_out });
  });

  test("the newest up to the limit are shown, and the others counted", async () => {
    await api.bulk(
      Array.from({ length: 60 }, () => ({ content: aStatement() })),
      { agent_id: "ada" },
    );
    await app.settle();
    const { items } = await api.list({ limit: 50 });
    const { points, clusters, left_out } = await read(client, { limit: 50 });
    expect(points.map(({ id }) => id)).toEqual(idsOf({ items }));
    expect(left_out).toEqual({ without_vector: 0, beyond_limit: 10 });
    expect(clusters.reduce((sum, { size }) => sum + size, 0)).toBe(50);
    expect(clusters.map(({ id }) => id)).toEqual(clusters.map((_, i) => i));
    for (const { id, size } of clusters) expect(points.filter(({ cluster }) => cluster === id)).toHaveLength(size);
    for (const side of ["x", "y"] as const) {
      const values = points.map((point) => point[side]);
      expect([Math.min(...values), Math.max(...values)]).toEqual([-1, 1]);
    }
  });

  test("a point shows its memory's title, else how it begins, on one line, of eighty characters at most", async () => {
    const text = "🦘 hops ".repeat(30);
    const titled = await titledMemory("Of\n quokkas");
    const longTitled = await titledMemory(text);
    const untitled = await titledMemory(null);
    await app.settle();
    const { points } = await read(client);
    const shown = new Map(points.map(({ id, preview }) => [id, preview]));
    expect(shown.get(titled.id)).toBe("Of quokkas");
    expect(shown.get(longTitled.id)).toBe([...text].slice(0, 80).join(""));
    expect(shown.get(untitled.id)).toBe(untitled.content);
  });

  test("what another agent keeps to itself is neither shown nor named", async () => {
    const secret = { agent_id: "ada", fleet_id: "vault", visibility: "scope_agent" };
    // None contradicts another.
    const secrets = [
      "Zanzibar is the password of the safe.",
      "Nobody may be told of Zanzibar.",
      "Ada thought of Zanzibar.",
    ];
    for (const content of secrets) await api.write({ ...secret, content });
    await api.write({ agent_id: "ada", fleet_id: "vault", content: "The vault has three safes in it." });
    await app.settle();
    const [own, bobs, nobodys] = await Promise.all(
      ["ada", "bob", undefined].map((agent_id) => read(client, { agent_id, fleet_id: "vault" })),
    );
    expect(own?.points).toHaveLength(4);
    expect(JSON.stringify(own?.clusters)).toContain("Zanzibar");
    expect([bobs?.points.length, nobodys?.points.length]).toEqual([1, 1]);
    expect(JSON.stringify([bobs, nobodys])).not.toContain("Zanzibar");
    expect(bobs?.left_out).toEqual({ without_vector: 0, beyond_limit: 0 });
  });

  test("deleted and archived ones are left out", async () => {
    const gone = await api.write({ fleet_id: "attic", content: "The attic has a window to the north." });
    await api.write({ fleet_id: "attic", content: "The attic had a lamp once.", status: "archived" });
    const kept = await api.write({ fleet_id: "attic", content: "The attic is warm in summer." });
    await api.remove(gone.id);
    await app.settle();
    expect((await read(client, { fleet_id: "attic" })).points.map(({ id }) => id)).toEqual([kept.id]);
  });

  test("another tenant sees nothing of them", async () => {
    const { points, left_out } = await read(client.as(viaGateway("elsewhere")));
    expect([points, left_out]).toEqual([[], { without_vector: 0, beyond_limit: 0 }]);
  });

  const REFUSED: readonly (readonly [string, Query, number, string])[] = [
    ["too few", { limit: 49 }, 422, "INVALID_ARGUMENTS"],
    ["too many", { limit: 2_001 }, 422, "INVALID_ARGUMENTS"],
    ["no number", { limit: "all" }, 422, "INVALID_ARGUMENTS"],
    ["another tenant", { tenant_id: "elsewhere" }, 403, "TENANT_MISMATCH"],
    ["another agent's eyes", { agent_id: "bob" }, 403, "AGENT_IDENTITY_MISMATCH"],
    ["another fleet", { fleet_id: "vault" }, 403, "FLEET_SCOPE_FORBIDDEN"],
  ];
  test.each(REFUSED)("%s is refused", async (_, query, status, code) => {
    const caller = client.as(viaGateway(TENANT, "ada"));
    expect(refusalOf(await caller.refused("GET", PATH, { query }))).toEqual([status, code]);
  });
});

test.skipIf(isBinary)("memories that wait for their vectors are counted and not shown", async () => {
  const { app, client, settle } = await openApp();
  try {
    const api = memoriesApi(client);
    await api.bulk(
      Array.from({ length: 3 }, () => ({ content: aStatement() })),
      { agent_id: "ada" },
    );
    const waiting = await read(client);
    expect([waiting.points, waiting.clusters]).toEqual([[], []]);
    expect(waiting.left_out).toEqual({ without_vector: 3, beyond_limit: 0 });
    await settle();
    const { points, left_out } = await read(client);
    expect([points.length, left_out.without_vector]).toEqual([3, 0]);
  } finally {
    await app.stop();
  }
});
