import { afterAll, describe, expect, test } from "bun:test";
import { AuditLog, KeyList } from "../../../src/core/schema/account.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement } from "../../support/builders.ts";
import { GATEWAY, holder, mint, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const tenant_id = "homes";
const owner = app.client.as({ ...viaGateway(tenant_id), "X-Org-Role": "admin" });

describe("a write for an agent by a key of the tenant", () => {
  test("goes to the agent's home, unless it names a fleet", async () => {
    const api = memoriesApi(await holder(app.client, { tenant_id }), tenant_id);
    expect(await api.write({ agent_id: "ada", fleet_id: "blue" })).toMatchObject({ fleet_id: "blue" });
    expect(await api.write({ agent_id: "ada" })).toMatchObject({ agent_id: "ada", fleet_id: "blue" });
    expect(await api.write({ agent_id: "ada", fleet_id: "red" })).toMatchObject({ fleet_id: "red" });
    expect(await api.write({ agent_id: "new" })).toMatchObject({ fleet_id: null });
    expect(await api.write()).toMatchObject({ fleet_id: null });
  });

  test("does so in bulk, and follows the agent when it moves", async () => {
    const api = memoriesApi(owner, tenant_id);
    await api.write({ agent_id: "bob", fleet_id: "blue" });
    await owner.call("PATCH", "/api/v1/agents/bob/fleet", { body: { fleet_id: "green" } });
    const { results } = await api.bulk([{ content: aStatement() }], { agent_id: "bob" });
    expect(await api.get(results[0]?.id ?? "")).toMatchObject({ agent_id: "bob", fleet_id: "green" });
  });

  test("goes to the key's own fleet where the agent has no home", async () => {
    const api = memoriesApi(await holder(app.client, { tenant_id, fleet_id: "yellow" }), tenant_id);
    expect(await api.write({ agent_id: "homeless" })).toMatchObject({ fleet_id: "yellow" });
    expect(await api.write({ agent_id: "ada" })).toMatchObject({ fleet_id: "blue" });
  });
});

test("a key has the trust and fleet that it was minted with, until its agent is moved, and all its keys with it", async () => {
  const keys = [
    await mint(app.client, { tenant_id, agent_id: "cleo", trust: 1, fleet_id: "blue" }),
    await mint(app.client, { tenant_id, agent_id: "cleo" }),
    await mint(app.client, { tenant_id, agent_id: "dan", trust: 1, fleet_id: "blue" }),
  ];
  expect(keys.map(({ trust, fleet_id }) => [trust, fleet_id])).toEqual(keys.map(() => [1, "blue"]));
  await owner.call("PATCH", "/api/v1/agents/cleo/trust", { body: { trust_level: 2, fleet_id: "red" } });
  const { items } = await owner.ok(KeyList, "GET", "/api/v1/keys");
  const now = keys.map(({ id }) => items.find((key) => key.id === id));
  expect(now.map((key) => [key?.trust, key?.fleet_id])).toEqual([
    [2, "red"],
    [2, "red"],
    [1, "blue"],
  ]);
  for (const { raw_key, agent_id } of keys.slice(0, 2)) {
    const api = memoriesApi(app.client.as({ "X-API-Key": raw_key }), tenant_id);
    expect(await api.write()).toMatchObject({ agent_id, fleet_id: "red" });
  }
});

test("the audit row of a document tells from which fleet it moved to which, and only then", async () => {
  const api = documentsApi(owner, tenant_id);
  await api.put("plans", "one", { n: 1 }, { fleet_id: "blue" });
  await api.put("plans", "one", { n: 2 }, { fleet_id: "blue" });
  await api.put("plans", "one", { n: 3 }, { fleet_id: "red" });
  await api.put("plans", "one", { n: 4 });
  const query = { target_id: "plans/one", tenant_id };
  const { items } = await owner.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
  expect(items.toReversed().map(({ before, after }) => [before?.fleet_id, after?.fleet_id])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ["blue", "red"],
    ["red", null],
  ]);
});
