import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { FleetList, TenantList } from "../../../src/core/schema/memory-change.ts";
import { operations } from "../../../src/http/routes/all.ts";
import { ALL_TOOLS, DEFAULT_TOOLS } from "../../../src/mcp/tools/all.ts";
import type { Client } from "../../support/api/client.ts";
import { contentsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());

const TENANT = "acme";
const tenant = app.client.as(viaGateway(TENANT));
const api = memoriesApi(tenant, TENANT);

/** Author, fleet and visibility of each row; the content names them. */
const ROWS = [
  ["ada", "blue", "scope_team"],
  ["ada", "blue", "scope_agent"],
  ["bob", "blue", "scope_team"],
  ["bob", "blue", "scope_agent"],
  ["carl", "red", "scope_team"],
  ["carl", "red", "scope_org"],
  ["carl", "red", "scope_agent"],
  ["dora", null, "scope_team"],
] as const;
const textOf = ([agent, fleet, visibility]: (typeof ROWS)[number]): string =>
  `${agent} ${fleet} ${visibility} wrote this`;

let ada: Client;
beforeAll(async () => {
  for (const row of ROWS) {
    const [agent_id, fleet_id, visibility] = row;
    await api.write({ agent_id, fleet_id, visibility, content: textOf(row) });
  }
  ada = await holder(app.client, { tenant_id: TENANT, agent_id: "ada", fleet_id: "blue" });
});

type Query = Readonly<Record<string, string>>;
const rows = (...wanted: number[]): string[] => wanted.map((i) => textOf(ROWS[i] ?? ROWS[0])).sort();
const listed = async (as: Client, query: Query = {}) =>
  contentsOf(await memoriesApi(as, TENANT).list({ limit: 500, ...query })).sort();
const total = async (as: Client, query: Query = {}) => (await memoriesApi(as, TENANT).stats(query)).total;

/** For each trust of ada in blue: what a query covers, or how it is refused. */
const SCOPES: readonly (readonly [query: Query, expected: readonly (readonly number[] | string)[]])[] = [
  [
    {},
    [
      [0, 1, 2, 5, 7],
      [0, 1, 2, 5, 7],
      [0, 1, 2, 4, 5, 7],
      [0, 1, 2, 4, 5, 7],
    ],
  ],
  [{ scope: "agent" }, ["AGENT_TRUST_TOO_LOW", [0, 1], [0, 1], [0, 1]]],
  [{ scope: "fleet" }, ["AGENT_TRUST_TOO_LOW", [0, 1, 2], [0, 1, 2], [0, 1, 2]]],
  [{ scope: "fleet", fleet_id: "blue" }, ["AGENT_TRUST_TOO_LOW", [0, 1, 2], [0, 1, 2], [0, 1, 2]]],
  [{ scope: "fleet", fleet_id: "red" }, ["AGENT_TRUST_TOO_LOW", "FLEET_SCOPE_FORBIDDEN", [4, 5], [4, 5]]],
  [{ scope: "all" }, ["AGENT_TRUST_TOO_LOW", "AGENT_TRUST_TOO_LOW", [0, 1, 2, 4, 5, 7], [0, 1, 2, 4, 5, 7]]],
  [{ fleet_id: "red" }, ["FLEET_SCOPE_FORBIDDEN", "FLEET_SCOPE_FORBIDDEN", [4, 5], [4, 5]]],
  [
    { fleet_id: "blue" },
    [
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ],
  ],
];

const CASES = SCOPES.flatMap(([query, expected]) =>
  expected.map((covers, trust) => [JSON.stringify(query), trust, query, covers] as const),
);

describe("an agent of fleet blue asking for", () => {
  test.each(CASES)("%s with trust %d", async (_, trust, query, covers) => {
    const as = await trusted(trust);
    if (typeof covers === "string") {
      for (const path of [MEMORIES, `${MEMORIES}/stats`]) {
        expect(refusalOf(await as.refused("GET", path, { query }))).toEqual([403, covers]);
      }
      return;
    }
    expect(await listed(as, query)).toEqual(rows(...covers));
    expect(await total(as, query)).toBe(covers.length);
  });
});

/** The key of ada in blue, once it has this trust. */
async function trusted(trust: number): Promise<Client> {
  const admin = tenant.as({ "X-Org-Role": "admin" });
  await admin.call("PATCH", "/api/v1/agents/ada/trust", { body: { trust_level: trust } });
  return ada;
}

describe("a scope", () => {
  test("of an agent covers one's own rows, for the agent a tenant names too", async () => {
    expect(await listed(tenant, { scope: "agent", agent_id: "carl" })).toEqual(rows(4, 5, 6));
    expect(await total(tenant, { scope: "agent", agent_id: "carl" })).toBe(3);
    const query = { scope: "agent", agent_id: "carl", written_by: "bob" };
    expect(refusalOf(await tenant.refused("GET", MEMORIES, { query }))).toEqual([400, "BAD_REQUEST"]);
  });

  test("that lacks its agent or its fleet is 400", async () => {
    for (const scope of ["agent", "fleet"]) {
      for (const path of [MEMORIES, `${MEMORIES}/stats`]) {
        expect(refusalOf(await tenant.refused("GET", path, { query: { scope } }))).toEqual([400, "BAD_REQUEST"]);
      }
    }
  });

  test("left out covers what the caller sees; the tally by agent says who wrote it", async () => {
    expect(await total(tenant)).toBe(5);
    const { by_agent, by_tenant } = await api.stats({ agent_id: "carl", scope: "all" });
    expect({ by_agent, by_tenant }).toEqual({ by_agent: { ada: 1, bob: 1, carl: 3, dora: 1 }, by_tenant: { acme: 6 } });
  });
});

test("the count is that of the tenant for its own credential, and of what it sees for an agent's", async () => {
  expect(await api.count()).toBe(ROWS.length);
  const own = memoriesApi(await trusted(1), TENANT);
  expect([await own.count(), await own.count({ fleet_id: "blue" })]).toEqual([5, 3]);
});

test("a search in another fleet needs trust 2, and never more than visibility allows", async () => {
  const body = { tenant_id: TENANT, query: "wrote this", fleet_ids: ["red"], top_k: 20 };
  for (const path of ["/api/v1/search", "/api/v1/recall"]) {
    const refused = await (await trusted(1)).refused("POST", path, { body });
    expect(refusalOf(refused)).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
  }
  const { items } = await memoriesApi(await trusted(2), TENANT).search("wrote this", { fleet_ids: ["red"], top_k: 20 });
  expect(contentsOf({ items }).sort()).toEqual(rows(4, 5, 7));
});

describe("the key of a tenant without full trust", () => {
  test("changes and deletes no row that it does not see", async () => {
    const as = await holder(app.client, { tenant_id: TENANT, fleet_id: "blue", trust: 1 });
    const [hidden] = (await api.list({ agent_id: "carl", written_by: "carl", visibility: "scope_team" })).items;
    const options = { query: { tenant_id: TENANT }, body: { weight: 0.9 } };
    const reply = await as.refused("PATCH", `${MEMORIES}/${hidden?.id}`, options);
    expect(refusalOf(reply)).toEqual([404, "NOT_FOUND"]);
    expect(JSON.stringify(reply.body)).not.toContain("carl");
    expect(await listed(as)).toEqual(rows(0, 2, 5, 7));
  });
});

test("fleets count what they share, the largest first, of the own tenant alone", async () => {
  const fleets = (as: Client, query: Query = {}) => as.ok(FleetList, "GET", "/api/v1/fleets", { query });
  const expected = [
    { fleet_id: "blue", memory_count: 2, agent_count: 2 },
    { fleet_id: "red", memory_count: 2, agent_count: 1 },
  ];
  expect(await fleets(tenant)).toEqual(expected);
  expect(await fleets(tenant, { tenant_id: TENANT })).toEqual(expected);
  expect(await fleets(app.client)).toEqual([]);
  const query = { tenant_id: TENANT };
  expect(refusalOf(await app.client.refused("GET", "/api/v1/fleets", { query }))).toEqual([403, "TENANT_MISMATCH"]);
  await api
    .write({ agent_id: "eve", fleet_id: "red", content: "eve red scope_team deleted" })
    .then(({ id }) => api.remove(id));
  expect(await fleets(tenant)).toEqual(expected);
});

test("tenants that have memories are shown to administrators: all on this machine, their own elsewhere", async () => {
  const tenants = (as: Client) => as.ok(TenantList, "GET", "/api/v1/tenants");
  expect(await tenants(app.client)).toEqual([TENANT]);
  const { id } = await memoriesApi(app.client).write();
  expect(await tenants(app.client)).toEqual([TENANT, "default"]);
  expect(await tenants(tenant.as({ "X-Org-Role": "admin" }))).toEqual([TENANT]);
  expect(refusalOf(await tenant.refused("GET", "/api/v1/tenants"))).toEqual([403, "ADMIN_REQUIRED"]);
  await memoriesApi(app.client).remove(id);
  expect(await tenants(app.client)).toEqual([TENANT]);
});

test("the tools of MCP run operations that there are", async () => {
  const files = [...new Bun.Glob("src/mcp/**/*.ts").scanSync()];
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()));
  const asked = texts.flatMap((text) => [...text.matchAll(/\bask\("(\w+)"/g)].map(([, id]) => id));
  expect(asked.length).toBeGreaterThan(20);
  expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining([...new Set(asked)]));
});

const Enriched = z.record(z.string(), z.object({ description: z.string().min(20), stm_only: z.boolean() }));

test("the tools are described plainly, or with what plugins leave out", async () => {
  const path = "/api/v1/tool-descriptions";
  const plain = await app.client.ok(z.record(z.string(), z.string()), "GET", path);
  const enriched = await app.client.ok(Enriched, "GET", path, { query: { enriched: true } });
  expect(Object.keys(plain)).toEqual(ALL_TOOLS.map(({ name }) => name));
  expect(await app.client.ok(z.unknown(), "GET", "/tool-descriptions")).toEqual(plain);
  expect(Object.fromEntries(Object.entries(enriched).map(([name, tool]) => [name, tool.description]))).toEqual(plain);
  const usual = Object.keys(enriched).filter((name) => !enriched[name]?.stm_only);
  expect(usual).toEqual(DEFAULT_TOOLS.map(({ name }) => name));
  expect(await app.client.ok(z.unknown(), "GET", path, { query: { enriched: "false" } })).toEqual(plain);
  const reply = await app.client.refused("GET", path, { query: { enriched: "perhaps" } });
  expect(refusalOf(reply)).toEqual([422, "INVALID_ARGUMENTS"]);
});
