import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MemoryPage, MemoryStats } from "../../src/schema/memory-query.ts";
import { startApp } from "../support/app.ts";
import { TENANT } from "../support/builders.ts";
import type { Client } from "../support/client.ts";
import { MEMORIES, memoriesApi } from "../support/memories-api.ts";

const SECRET = "a gateway's proof of itself";
const app = await startApp({ flags: [`--gateway-secret=${SECRET}`] });
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);
/** An agent behind the gateway: trust 1, at home in no fleet. */
const ada = client.as({ "X-Gateway-Secret": SECRET, "X-Tenant-ID": TENANT, "X-Agent-ID": "ada" });

beforeAll(async () => {
  const rows = [
    { agent_id: "ada" },
    { agent_id: "ada", visibility: "scope_agent" },
    { agent_id: "ada", fleet_id: "red" },
    { agent_id: "bob", fleet_id: "red" },
    { agent_id: "bob", fleet_id: "red", visibility: "scope_agent" },
    { agent_id: "bob", visibility: "scope_org" },
  ];
  for (const row of rows) await api.write(row);
});

type Query = Readonly<Record<string, string>>;
/** How many memories a query covers, and whose; lists and statistics must agree. */
async function covered(query: Query, caller: Client = client): Promise<Record<string, number>> {
  const { items } = await caller.ok(MemoryPage, "GET", MEMORIES, { query });
  const { total, by_agent } = await caller.ok(MemoryStats, "GET", `${MEMORIES}/stats`, { query });
  const listed = Map.groupBy(items, ({ agent_id }) => agent_id);
  expect(by_agent).toEqual(Object.fromEntries([...listed].map(([agent, rows]) => [agent, rows.length])));
  expect(items).toHaveLength(total);
  return by_agent;
}

describe("a scope covers, in lists and statistics alike,", () => {
  test.each<readonly [string, Query, Record<string, number>]>([
    ["the agent's own memories", { scope: "agent", agent_id: "ada" }, { ada: 3 }],
    ["the agent's own of one fleet", { scope: "agent", agent_id: "ada", fleet_id: "red" }, { ada: 1 }],
    ["a fleet, whoever wrote", { scope: "fleet", fleet_id: "red" }, { ada: 1, bob: 1 }],
    [
      "a fleet and one's own private rows there",
      { scope: "fleet", fleet_id: "red", agent_id: "bob" },
      { ada: 1, bob: 2 },
    ],
    ["the tenant", { scope: "all" }, { ada: 2, bob: 2 }],
    ["the tenant and one's own private rows", { scope: "all", agent_id: "ada" }, { ada: 3, bob: 2 }],
  ])("%s", async (_, query, expected) => {
    expect(await covered(query)).toEqual(expected);
  });

  test("an agent's own without naming it, when its credential does", async () => {
    const { ada: own, ...others } = await covered({ scope: "agent" }, ada);
    expect(own).toBeGreaterThanOrEqual(2);
    expect(others).toEqual({});
  });
});

describe.each([MEMORIES, `${MEMORIES}/stats`])("%s refuses", (path) => {
  test.each<readonly [string, Query, number, string]>([
    ["scope=agent of nobody", { scope: "agent" }, 400, "BAD_REQUEST"],
    ["scope=fleet of no fleet", { scope: "fleet" }, 400, "BAD_REQUEST"],
    ["an unknown scope", { scope: "galaxy" }, 422, "INVALID_ARGUMENTS"],
  ])("%s", async (_, query, status, code) => {
    const reply = await client.refused("GET", path, { query });
    expect(reply).toMatchObject({ status, body: { error: { code } } });
  });

  test.each<readonly [string, Query, string]>([
    ["the whole tenant to an agent of trust 1", { scope: "all" }, "AGENT_TRUST_TOO_LOW"],
    ["another fleet to an agent of trust 1", { scope: "fleet", fleet_id: "red" }, "FLEET_SCOPE_FORBIDDEN"],
    ["another agent's view", { agent_id: "bob" }, "AGENT_IDENTITY_MISMATCH"],
    ["another agent's own", { scope: "agent", agent_id: "bob" }, "AGENT_IDENTITY_MISMATCH"],
    ["another tenant", { tenant_id: "acme" }, "TENANT_MISMATCH"],
  ])("%s, with 403", async (_, query, code) => {
    const reply = await ada.refused("GET", path, { query });
    expect(reply).toMatchObject({ status: 403, body: { error: { code } } });
    expect(JSON.stringify(reply.body)).not.toContain("office plant");
  });
});

test("a list of one's own by another author is a contradiction, and refused with 400", async () => {
  const query = { scope: "agent", agent_id: "ada", written_by: "bob" };
  expect((await client.refused("GET", MEMORIES, { query })).status).toBe(400);
});
