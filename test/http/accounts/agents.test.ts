import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { Agent } from "../../../src/core/schema/account.ts";
import type { Client } from "../../support/api/client.ts";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const AGENTS = "/api/v1/agents";
const at = (agent_id: string, what = ""): string => `${AGENTS}/${encodeURIComponent(agent_id)}${what}`;
const agents = async (as: Client, query = {}) =>
  (await as.ok(z.array(Agent), "GET", AGENTS, { query })).map(({ agent_id }) => agent_id);
let named = 0;
const aName = (): string => `agent ${++named}`;
const setTrust = (agent_id: string, trust_level: number) =>
  client.ok(Agent, "PATCH", at(agent_id, "/trust"), { body: { trust_level } });

describe("an agent", () => {
  test("is there after its first write, with standard trust, and not before", async () => {
    const name = aName();
    expect((await client.call("GET", at(name))).status).toBe(404);
    await api.write({ agent_id: name });
    expect(await client.ok(Agent, "GET", at(name))).toMatchObject({
      agent_id: name,
      tenant_id: TENANT,
      trust_level: 1,
    });
    expect(await agents(client)).toContain(name);
  });

  test("is at home in the fleet it first writes in", async () => {
    const name = aName();
    for (const fleet_id of ["home", "away"]) await api.write({ agent_id: name, fleet_id });
    expect((await client.ok(Agent, "GET", at(name))).fleet_id).toBe("home");
    expect(await agents(client, { fleet_id: "home" })).toEqual([name]);
  });

  test("is there after a bulk write or a key of its own", async () => {
    const [bulk, keyed] = [aName(), aName()];
    await api.bulk([{ content: "Something written in bulk." }], { agent_id: bulk });
    await holder(client, { agent_id: keyed, trust: 2, fleet_id: "blue" });
    expect(await agents(client)).toEqual(expect.arrayContaining([bulk, keyed]));
    expect(await client.ok(Agent, "GET", at(keyed))).toMatchObject({ trust_level: 2, fleet_id: "blue" });
    expect(await agents(client, { fleet_id: "blue" })).toEqual([keyed]);
  });

  test("is never made by a read, whoever reads and however", async () => {
    const name = aName();
    const reader = client.as(viaGateway(TENANT, name));
    const { id } = await api.write();
    for (const as of [client, reader]) {
      const theirs = memoriesApi(as);
      await theirs.list({ agent_id: name });
      await theirs.get(id, { agent_id: name });
      await theirs.search("anything", { caller_agent_id: name, filter_agent_id: name });
      await theirs.recall("anything", { caller_agent_id: name });
      await theirs.stats({ agent_id: name });
      await as.call("GET", "/api/v1/whoami");
    }
    await app.settle();
    expect(await agents(client)).not.toContain(name);
  });

  test("is not made by a refused write", async () => {
    const name = aName();
    await client.refused("POST", MEMORIES, { body: aMemory({ agent_id: name, content: "short" }) });
    expect(await agents(client)).not.toContain(name);
  });

  test("of another tenant is not listed, read or changed", async () => {
    const name = aName();
    await api.write({ agent_id: name });
    const acme = client.as({ ...viaGateway("acme"), "X-Org-Role": "admin" });
    expect(await agents(acme)).toEqual([]);
    expect((await acme.call("GET", at(name))).status).toBe(404);
    const body = { trust_level: 3 };
    expect((await acme.call("PATCH", at(name, "/trust"), { body })).status).toBe(404);
    const query = { tenant_id: TENANT };
    expect(refusalOf(await acme.refused("PATCH", at(name, "/trust"), { body, query }))).toEqual([
      403,
      "TENANT_MISMATCH",
    ]);
    expect(refusalOf(await acme.refused("GET", AGENTS, { query }))).toEqual([403, "TENANT_MISMATCH"]);
  });
});

describe("a change of trust or fleet", () => {
  test("holds for the keys the agent has, from the next call on", async () => {
    const name = aName();
    const key = await holder(client, { agent_id: name, trust: 1 });
    const write = () => key.call("POST", MEMORIES, { body: aMemory() });
    expect((await write()).status).toBe(201);
    await setTrust(name, 0);
    expect(refusalOf(await key.refused("POST", MEMORIES, { body: aMemory() }))).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
    await setTrust(name, 1);
    expect((await write()).status).toBe(201);
    const moved = await client.call("PATCH", at(name, "/fleet"), { body: { fleet_id: "red" } });
    expect(moved.body).toEqual({ agent_id: name, old_fleet_id: null, new_fleet_id: "red" });
    expect((await write()).body).toMatchObject({ fleet_id: "red" });
  });

  test("holds for an agent that a gateway vouches for", async () => {
    const name = aName();
    const agent = client.as(viaGateway(TENANT, name));
    const { id } = await memoriesApi(agent).write();
    const remove = () => agent.call("DELETE", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT } });
    expect((await remove()).status).toBe(403);
    await client.call("PATCH", at(name, "/fleet"), { body: { fleet_id: "red" } });
    expect((await memoriesApi(agent).write()).fleet_id).toBe("red");
    await setTrust(name, 3);
    expect((await remove()).status).toBe(204);
  });

  test("may set both at once, and shows the agent as it is then", async () => {
    const name = aName();
    await api.write({ agent_id: name });
    const body = { trust_level: 2, fleet_id: "green" };
    expect(await client.ok(Agent, "PATCH", at(name, "/trust"), { body })).toMatchObject(body);
    expect(await client.ok(Agent, "GET", at(name))).toMatchObject(body);
  });

  test("is for administrators alone", async () => {
    const name = aName();
    const own = await holder(client, { agent_id: name, trust: 3 });
    const tenant = await holder(client, { trust: 3 });
    for (const caller of [own, tenant, client.as(viaGateway(TENANT))]) {
      const raise = await caller.refused("PATCH", at(name, "/trust"), { body: { trust_level: 3 } });
      expect(refusalOf(raise)).toEqual([403, "ADMIN_REQUIRED"]);
      const move = await caller.refused("PATCH", at(name, "/fleet"), { body: { fleet_id: "red" } });
      expect(refusalOf(move)).toEqual([403, "ADMIN_REQUIRED"]);
    }
  });

  test("of an agent that never wrote is 404, of a bad level 422", async () => {
    const body = { trust_level: 1 };
    expect(refusalOf(await client.refused("PATCH", at(aName(), "/trust"), { body }))).toEqual([404, "NOT_FOUND"]);
    for (const trust_level of [-1, 4, 1.5, "1", null]) {
      const reply = await client.refused("PATCH", at(aName(), "/trust"), { body: { trust_level } });
      expect(refusalOf(reply)).toEqual([422, "INVALID_ARGUMENTS"]);
    }
  });
});

describe("the credential of an agent", () => {
  test("speaks for no other agent, in no call", async () => {
    const ada = await holder(client, { agent_id: "ada", trust: 3 });
    const { id } = await memoriesApi(ada).write();
    const query = { tenant_id: TENANT, agent_id: "bob" };
    const tenant = { tenant_id: TENANT };
    const calls: [string, string, object][] = [
      ["POST", MEMORIES, { body: aMemory({ agent_id: "bob" }) }],
      ["POST", `${MEMORIES}/bulk`, { body: { ...tenant, agent_id: "bob", items: [{ content: "Nobody says this." }] } }],
      ["GET", MEMORIES, { query }],
      ["GET", `${MEMORIES}/stats`, { query }],
      ["GET", `${MEMORIES}/${id}`, { query }],
      ["PATCH", `${MEMORIES}/${id}`, { query, body: { weight: 1 } }],
      ["PATCH", `${MEMORIES}/${id}/status`, { query, body: { status: "archived" } }],
      ["DELETE", `${MEMORIES}/${id}`, { query }],
      ["DELETE", MEMORIES, { query }],
      ["POST", `${MEMORIES}/bulk-delete`, { body: { ...tenant, ids: [id], agent_id: "bob" } }],
      ["POST", "/api/v1/search", { body: { ...tenant, query: "x", caller_agent_id: "bob" } }],
      ["POST", "/api/v1/recall", { body: { ...tenant, query: "x", filter_agent_id: "bob" } }],
    ];
    for (const [method, path, options] of calls) {
      const reply = await ada.refused(method, path, options);
      expect([method, path, ...refusalOf(reply)]).toEqual([method, path, 403, "AGENT_IDENTITY_MISMATCH"]);
    }
    expect(await memoriesApi(ada).get(id, { agent_id: "ada" })).toMatchObject({ status: "active", weight: 0.5 });
  });

  test("changes no settings, whatever its trust", async () => {
    const ada = await holder(client, { agent_id: "ada", trust: 3 });
    const options = { query: { tenant_id: TENANT }, body: {} };
    expect(refusalOf(await ada.refused("PATCH", "/api/v1/settings", options))).toEqual([403, "FORBIDDEN"]);
  });

  test("changes its own memories, those of others and of other fleets only with trust 3", async () => {
    const own = await holder(client, { agent_id: "carl", trust: 2, fleet_id: "blue" });
    const change = (id: string) =>
      own.call("PATCH", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT }, body: { weight: 1 } });
    const mine = await memoriesApi(own).write();
    const others = [await api.write({ agent_id: "dora" }), await api.write({ agent_id: "carl", fleet_id: "red" })];
    expect((await change(mine.id)).status).toBe(200);
    for (const { id } of others)
      expect((await change(id)).body).toMatchObject({ error: { code: "AGENT_TRUST_TOO_LOW" } });
    await setTrust("carl", 3);
    for (const { id } of others) expect((await change(id)).status).toBe(200);
  });

  test("writes into another fleet only with trust 3", async () => {
    const own = await holder(client, { agent_id: "emil", trust: 2, fleet_id: "blue" });
    const body = aMemory({ fleet_id: "red" });
    expect(refusalOf(await own.refused("POST", MEMORIES, { body }))).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
    expect((await own.call("POST", MEMORIES, { body: aMemory({ fleet_id: "blue" }) })).status).toBe(201);
    await setTrust("emil", 3);
    expect((await own.call("POST", MEMORIES, { body })).status).toBe(201);
  });
});

describe.each([
  ["an agent", { agent_id: "fred" }],
  ["a tenant", {}],
])("the key of %s", (_, fields) => {
  const TRUSTED: readonly (readonly [verb: string, needs: number])[] = [
    ["write", 1],
    ["patch", 1],
    ["delete", 3],
  ];

  test.each(TRUSTED)("may %s from trust %d on", async (verb, needs) => {
    for (const trust of [0, 1, 2, 3]) {
      const { id } = await api.write({ agent_id: "fred" });
      const caller = await holder(client, { ...fields, trust });
      const query = { tenant_id: TENANT };
      const calls = {
        write: () => [caller.call("POST", MEMORIES, { body: aMemory() })],
        patch: () => [
          caller.call("PATCH", `${MEMORIES}/${id}`, { query, body: { weight: 1 } }),
          caller.call("PATCH", `${MEMORIES}/${id}/status`, { query, body: { status: "confirmed" } }),
        ],
        delete: () => [
          caller.call("PATCH", `${MEMORIES}/${id}/status`, { query, body: { status: "deleted" } }),
          caller.call("DELETE", MEMORIES, { query: { ...query, memory_type: "plan" } }),
          caller.call("POST", `${MEMORIES}/bulk-delete`, { body: { ...query, ids: [crypto.randomUUID()] } }),
        ],
      }[verb];
      for (const { status, body } of await Promise.all(calls?.() ?? [])) {
        if (trust >= needs) expect(status).toBeLessThan(300);
        else
          expect([status, body]).toMatchObject([403, { error: { code: "AGENT_TRUST_TOO_LOW", details: { trust } } }]);
      }
      expect(idsOf(await memoriesApi(caller).list({ limit: 500 })).includes(id)).toBe(
        !(verb === "delete" && trust === 3),
      );
    }
  });
});
