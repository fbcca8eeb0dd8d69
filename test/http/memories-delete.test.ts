import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { Deleted, FleetList, TenantList } from "../../src/schema/memory-change.ts";
import { startApp } from "../support/app.ts";
import { TENANT } from "../support/builders.ts";
import type { CallOptions } from "../support/client.ts";
import { idsOf, MEMORIES, memoriesApi } from "../support/memories-api.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

/** A fleet of its own for each test, with rows that the filters tell apart. */
let fleet_id = "";
let ids: Record<"plain" | "task" | "bob" | "archived" | "core" | "coreSeven", string>;

beforeEach(async () => {
  fleet_id = `fleet-${crypto.randomUUID()}`;
  const write = async (fields: object) => (await api.write({ fleet_id, agent_id: "ada", ...fields })).id;
  ids = {
    plain: await write({}),
    task: await write({ memory_type: "task" }),
    bob: await write({ agent_id: "bob" }),
    archived: await write({ status: "archived" }),
    core: await write({ metadata: { team: "core" } }),
    coreSeven: await write({ metadata: { team: "core", n: 7, on: true } }),
  };
});
const left = async (): Promise<string[]> => idsOf(await api.list({ fleet_id })).sort();
const allBut = (...names: readonly (keyof typeof ids)[]): string[] =>
  Object.entries(ids)
    .filter(([name]) => !names.some((one) => one === name))
    .map(([, id]) => id)
    .sort();

describe("deleting what matches", () => {
  const removeMatching = (options: CallOptions) =>
    client.call("DELETE", MEMORIES, { ...options, query: { tenant_id: TENANT, fleet_id, ...options.query } });

  test.each<readonly [string, Record<string, string>, readonly (keyof typeof ids)[]]>([
    ["fleet", {}, ["plain", "task", "bob", "archived", "core", "coreSeven"]],
    ["type", { memory_type: "task" }, ["task"]],
    ["author", { agent_id: "bob" }, ["bob"]],
    ["status", { status: "archived" }, ["archived"]],
    ["type and author", { memory_type: "task", agent_id: "bob" }, []],
  ])("by %s takes exactly those, and answers an empty 204", async (_, query, gone) => {
    const { status, body } = await removeMatching({ query });
    expect([status, body]).toEqual([204, null]);
    expect(await left()).toEqual(allBut(...gone));
  });

  test.each<readonly [string, object | null, readonly (keyof typeof ids)[]]>([
    ["null body", null, ["plain", "task", "bob", "archived", "core", "coreSeven"]],
    ["metadata filter", { metadata_filter: { team: "core" } }, ["core", "coreSeven"]],
    ["metadata filter of several members", { metadata_filter: { team: "core", n: 7, on: true } }, ["coreSeven"]],
    ["metadata filter that nothing meets", { metadata_filter: { team: "core", n: "8" } }, []],
  ])("with a %s takes exactly those", async (_, body, gone) => {
    expect((await removeMatching({ body })).status).toBe(204);
    expect(await left()).toEqual(allBut(...gone));
  });

  test("spares the ids left out", async () => {
    await removeMatching({ body: { exclude_ids: [ids.plain, ids.bob.toUpperCase()] } });
    expect(await left()).toEqual([ids.plain, ids.bob].sort());
  });

  test("of nothing that is there is 204 too, and twice is no harm", async () => {
    expect((await removeMatching({})).status).toBe(204);
    expect((await removeMatching({})).status).toBe(204);
  });

  test.each<readonly [string, CallOptions, number, object]>([
    ["another tenant", { query: { tenant_id: "other" } }, 403, { error: { code: "TENANT_MISMATCH" } }],
    [
      "no tenant",
      { query: { tenant_id: undefined } },
      422,
      { detail: [{ loc: ["query", "tenant_id"], type: "missing" }] },
    ],
    [
      "an id that is none",
      { body: { exclude_ids: ["7"] } },
      422,
      { detail: [{ loc: ["body", "exclude_ids", 0], input: "7" }] },
    ],
    [
      "a filter that is a list",
      { body: { metadata_filter: [] } },
      422,
      { detail: [{ loc: ["body", "metadata_filter"] }] },
    ],
    ["a filter by an object", { body: { metadata_filter: { a: {} } } }, 422, { detail: [{}] }],
    [
      "21 pairs",
      { body: { metadata_filter: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, "v"])) } },
      422,
      { detail: [{ loc: ["body", "metadata_filter"] }] },
    ],
  ])("is refused for %s, and deletes nothing", async (_, options, status, body) => {
    expect(await removeMatching(options)).toMatchObject({ status, body });
    expect(await left()).toEqual(allBut());
  });
});

describe("deleting by ids", () => {
  const removeIds = (body: object) =>
    client.ok(Deleted, "POST", `${MEMORIES}/bulk-delete`, { body: { tenant_id: TENANT, ...body } });

  test("counts those that were there, each once", async () => {
    const named = [ids.plain, ids.bob, ids.bob.toUpperCase(), crypto.randomUUID()];
    expect(await removeIds({ ids: named })).toEqual({ deleted: 2 });
    expect(await removeIds({ ids: named })).toEqual({ deleted: 0 });
    expect(await left()).toEqual(allBut("plain", "bob"));
  });

  test.each<readonly [string, object, number]>([
    ["no ids", { ids: [] }, 422],
    ["1,001 ids", { ids: Array.from({ length: 1_001 }, () => crypto.randomUUID()) }, 422],
    ["what is no id", { ids: ["seven"] }, 422],
    ["no list", {}, 422],
    ["another tenant", { ids: [crypto.randomUUID()], tenant_id: "other" }, 403],
  ])("is refused for %s", async (_, body, status) => {
    const reply = await client.refused("POST", `${MEMORIES}/bulk-delete`, { body: { tenant_id: TENANT, ...body } });
    expect(reply.status).toBe(status);
  });
});

test("tenants are those that have memories", async () => {
  expect(await client.ok(TenantList, "GET", "/api/v1/tenants")).toEqual([TENANT]);
});

test("fleets are counted by what they share", async () => {
  await api.write({ fleet_id, visibility: "scope_agent", agent_id: "cyd" });
  const fleets = await client.ok(FleetList, "GET", "/api/v1/fleets", { query: { tenant_id: TENANT } });
  expect(fleets).toContainEqual({ fleet_id, memory_count: 6, agent_count: 2 });
  expect((await client.refused("GET", "/api/v1/fleets", { query: { tenant_id: "other" } })).status).toBe(403);
});
