import { afterAll, describe, expect, test } from "bun:test";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement, TENANT } from "../../support/builders.ts";
import { GATEWAY, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());

let tenants = 0;
/** A tenant of its own, so that a delete by filter cannot reach what another test wrote. */
function aTenant() {
  const tenant_id = `tenant-${++tenants}`;
  const client = app.client.as(viaGateway(tenant_id));
  const api = memoriesApi(client, tenant_id);
  const call = (query: Readonly<Record<string, string>> = {}, body?: unknown) =>
    client.call("DELETE", MEMORIES, { query: { tenant_id, ...query }, body });
  const left = async () => (await api.list({ limit: 500, agent_id: "ada" })).items.map(({ title, id }) => title ?? id);
  return { tenant_id, client, api, call, left };
}

const FULL = {
  agent_id: "ada",
  fleet_id: "blue",
  memory_type: "task",
  status: "pending",
  metadata: { team: "x", n: 1, done: true },
};
/** Rows that differ from the first in one thing each. */
const VARIANTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  full: {},
  agent: { agent_id: "bob" },
  fleet: { fleet_id: "red" },
  type: { memory_type: "plan" },
  status: { status: "confirmed" },
  team: { metadata: { team: "y", n: 1, done: true } },
  bare: { metadata: null },
};

async function populated() {
  const tenant = aTenant();
  const ids: Record<string, string> = {};
  for (const [name, fields] of Object.entries(VARIANTS))
    ids[name] = (await tenant.api.write({ ...FULL, ...fields, content: aStatement(name) })).id;
  const names = async () => {
    const kept = idsOf(await tenant.api.list({ limit: 500 }));
    return Object.keys(ids).filter((name) => kept.includes(ids[name] ?? ""));
  };
  return { ...tenant, ids, names };
}

const ALL = Object.keys(VARIANTS);
const without = (...gone: string[]): string[] => ALL.filter((name) => !gone.includes(name));

describe("a delete by filter", () => {
  test.each([
    ["fleet_id", { fleet_id: "red" }, ["fleet"]],
    ["agent_id, the author", { agent_id: "bob" }, ["agent"]],
    ["memory_type", { memory_type: "plan" }, ["type"]],
    ["status", { status: "confirmed" }, ["status"]],
    [
      "all of them at once",
      { fleet_id: "blue", agent_id: "ada", memory_type: "task", status: "confirmed" },
      ["status"],
    ],
    ["nothing but the tenant", {}, ALL],
    ["a fleet that has nothing", { fleet_id: "green" }, []],
    ["a type that does not exist", { memory_type: "rumour" }, []],
    ["the status deleted", { status: "deleted" }, []],
  ])("by %s removes exactly those", async (_, query, gone) => {
    const { call, names } = await populated();
    const { status, body } = await call(query);
    expect([status, body]).toEqual([204, null]);
    expect(await names()).toEqual(without(...gone));
  });

  test.each([
    ["one text", { team: "y" }, ["team"]],
    ["all pairs, joined by AND", { team: "x", n: "1" }, without("team", "bare")],
    ["a pair of which one half fits", { team: "x", n: "2" }, []],
    ["a number by its JSON text", { n: 1 }, without("bare")],
    ["a boolean by its JSON text", { done: true, team: "y" }, ["team"]],
    ["a text that spells a boolean", { done: "true", team: "y" }, ["team"]],
    ["a key that is a path elsewhere", { "$.team": "x" }, []],
    ["no pair at all", {}, ALL],
  ])("by metadata: %s", async (_, metadata_filter, gone) => {
    const { call, names } = await populated();
    expect((await call({}, { metadata_filter })).status).toBe(204);
    expect(await names()).toEqual(without(...gone));
  });

  test("skips exclude_ids, in whatever case they are written", async () => {
    const { call, names, ids } = await populated();
    await call({ agent_id: "ada" }, { exclude_ids: [ids.full, ids.team?.toUpperCase(), crypto.randomUUID()] });
    expect(await names()).toEqual(["full", "agent", "team"]);
  });

  test.each([undefined, null, {}, { exclude_ids: null, metadata_filter: null }])(
    "takes %j as a body without conditions",
    async (body) => {
      const { call, names } = await populated();
      expect((await call({ memory_type: "plan" }, body)).status).toBe(204);
      expect(await names()).toEqual(without("type"));
    },
  );

  test("removes private memories too: the tenant's credential speaks for the whole tenant", async () => {
    const { api, call, left } = aTenant();
    await api.write({ agent_id: "ada", visibility: "scope_agent" });
    await call();
    expect(await left()).toEqual([]);
  });

  test("may be repeated, and counts usage down once", async () => {
    const { call, api } = await populated();
    for (let i = 0; i < 2; i++) expect((await call()).status).toBe(204);
    expect((await api.write()).usage?.memories_stored).toBe(1);
  });

  test("of more rows than one step takes removes them all", async () => {
    const { api, call } = aTenant();
    for (let i = 0; i < 5; i++) await api.bulk(Array.from({ length: 100 }, () => ({ content: aStatement() })));
    expect(await api.count()).toBe(500);
    await call();
    expect(await api.stats({ include_deleted: true })).toMatchObject({ total: 0, deleted: 500 });
  });

  test.each([
    ["an id that is no uuid", { exclude_ids: ["7"] }],
    ["too many ids", { exclude_ids: Array.from({ length: 1_001 }, () => crypto.randomUUID()) }],
    ["a filter that is a list", { metadata_filter: ["team"] }],
    ["a value that is an object", { metadata_filter: { team: { x: 1 } } }],
    ["21 pairs", { metadata_filter: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, "v"])) }],
    ["a body that is a list", []],
  ])("refuses %s with 422 and removes nothing", async (_, body) => {
    const { client, tenant_id, names } = await populated();
    const reply = await client.refused("DELETE", MEMORIES, { query: { tenant_id }, body });
    expect(refusalOf(reply)).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(await names()).toEqual(ALL);
  });

  test("reaches no other tenant, named or not", async () => {
    const [mine, theirs] = [await populated(), await populated()];
    const query = { tenant_id: theirs.tenant_id };
    expect(refusalOf(await mine.client.refused("DELETE", MEMORIES, { query }))).toEqual([403, "TENANT_MISMATCH"]);
    expect((await mine.client.call("DELETE", MEMORIES)).status).toBe(204);
    expect([await mine.names(), await theirs.names()]).toEqual([[], ALL]);
  });
});

test.each([
  ["a misspelt member of its body", {}, { exclude_idz: [] }],
  ["a misspelt parameter", { agentId: "bob" }, undefined],
])("a delete by filter with %s is refused and deletes nothing", async (_, query, body) => {
  const api = memoriesApi(app.client);
  const { id } = await api.write({ content: aStatement() });
  const reply = await app.client.refused("DELETE", MEMORIES, { query: { tenant_id: TENANT, ...query }, body });
  expect(refusalOf(reply)).toEqual([422, "INVALID_ARGUMENTS"]);
  expect((await api.get(id)).id).toBe(id);
});

describe("a delete by ids", () => {
  const path = `${MEMORIES}/bulk-delete`;

  test("answers how many it removed: unknown, repeated, deleted and foreign ones do not count", async () => {
    const { client, tenant_id, ids, names } = await populated();
    const theirs = await populated();
    const named = [ids.full, ids.full, ids.agent?.toUpperCase(), crypto.randomUUID(), theirs.ids.full];
    const reply = await client.call("POST", path, { body: { tenant_id, ids: named } });
    expect([reply.status, reply.body]).toEqual([200, { deleted: 2 }]);
    expect(await names()).toEqual(without("full", "agent"));
    expect(await theirs.names()).toEqual(ALL);
    const again = await client.call("POST", path, { body: { tenant_id, ids: named } });
    expect(again.body).toEqual({ deleted: 0 });
  });

  test("takes a thousand ids", async () => {
    const { client, tenant_id } = aTenant();
    const ids = Array.from({ length: 1_000 }, () => crypto.randomUUID());
    expect((await client.call("POST", path, { body: { tenant_id, ids } })).body).toEqual({ deleted: 0 });
  });

  test.each([
    ["no id", []],
    ["1,001 ids", Array.from({ length: 1_001 }, () => crypto.randomUUID())],
    ["an id that is no uuid", ["7"]],
    ["a text", "7"],
    ["nothing", undefined],
  ])("refuses %s with 422", async (_, ids) => {
    const { client, tenant_id } = aTenant();
    expect(refusalOf(await client.refused("POST", path, { body: { tenant_id, ids } }))).toEqual([
      422,
      "INVALID_ARGUMENTS",
    ]);
  });

  test("as an agent removes what that agent sees, and no more", async () => {
    const { client, tenant_id, api } = aTenant();
    const { id } = await api.write({ agent_id: "ada", visibility: "scope_agent" });
    const body = { tenant_id, ids: [id] };
    expect((await client.call("POST", path, { body: { ...body, agent_id: "bob" } })).body).toEqual({ deleted: 0 });
    expect((await client.call("POST", path, { body: { ...body, agent_id: "ada" } })).body).toEqual({ deleted: 1 });
  });
});

test("a delete of the standalone tenant leaves other tenants alone", async () => {
  const theirs = await populated();
  await app.client.call("DELETE", MEMORIES, { query: { tenant_id: TENANT } });
  expect(await theirs.names()).toEqual(ALL);
});
