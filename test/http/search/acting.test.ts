import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contentsOf, memoriesApi, RECALL, SEARCH } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const tenant_id = "acting";
const owner = app.client.as({ ...viaGateway(tenant_id), "X-Org-Role": "admin" });
const api = memoriesApi(owner, tenant_id);

const ROWS = {
  shared: { agent_id: "zed" },
  org: { agent_id: "zed", fleet_id: "red", visibility: "scope_org" },
  blue: { agent_id: "ada", fleet_id: "blue" },
  red: { agent_id: "bob", fleet_id: "red" },
  "ada's": { agent_id: "ada", fleet_id: "blue", visibility: "scope_agent" },
  "bob's": { agent_id: "bob", fleet_id: "red", visibility: "scope_agent" },
} as const;
const contentOf = (name: string): string => `The quokka of ${name} sleeps all day.`;

beforeAll(async () => {
  for (const [name, fields] of Object.entries(ROWS)) await api.write({ content: contentOf(name), ...fields });
  await app.settle();
});

const found = async (fields: Record<string, unknown>, by = api): Promise<string[]> => {
  const searched = contentsOf(await by.search("quokka", { top_k: 20, ...fields })).sort();
  const { memories } = await by.recall("quokka", { top_k: 20, ...fields });
  expect(contentsOf({ items: memories }).sort()).toEqual(searched);
  return searched;
};
const contents = (...names: (keyof typeof ROWS)[]): string[] => names.map(contentOf).sort();

describe("a search or recall as an agent", () => {
  test("reads what that agent reads by its home fleet and trust, and its private rows", async () => {
    expect(await found({ caller_agent_id: "ada" })).toEqual(contents("shared", "org", "blue", "ada's"));
    expect(await found({ caller_agent_id: "bob" })).toEqual(contents("shared", "org", "red", "bob's"));
    expect(await found({})).toEqual(contents("shared", "org", "blue", "red"));
  });

  test("that nobody knows reads as a new agent would, at home in the fleet that it names", async () => {
    expect(await found({ caller_agent_id: "nobody" })).toEqual(contents("shared", "org"));
    expect(await found({ caller_agent_id: "nobody", fleet_ids: ["red"] })).toEqual(contents("shared", "org", "red"));
  });

  test.each([SEARCH, RECALL])("names no other fleet without the trust for it (%s)", async (path) => {
    const ask = (agent: string) => ({
      body: { tenant_id, query: "quokka", caller_agent_id: agent, fleet_ids: ["red"] },
    });
    expect(refusalOf(await owner.refused("POST", path, ask("ada")))).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
    expect((await owner.call("POST", path, ask("bob"))).status).toBe(200);
  });

  test("reads across fleets once the agent is trusted to", async () => {
    await api.write({ content: "Quokka watchers meet on Fridays.", agent_id: "cleo", visibility: "scope_agent" });
    await owner.call("PATCH", "/api/v1/agents/cleo/trust", { body: { trust_level: 2 } });
    expect(await found({ caller_agent_id: "cleo" })).toEqual(
      [...contents("shared", "org", "blue", "red"), "Quokka watchers meet on Fridays."].sort(),
    );
  });

  test("never reads more than the credential does, bar the agent's own", async () => {
    const narrow = memoriesApi(await holder(app.client, { tenant_id, trust: 1 }), tenant_id);
    expect(await found({ caller_agent_id: "bob" }, narrow)).toEqual(contents("shared", "org", "bob's"));
  });

  test("is refused to the key of a fleet that is not that agent's home", async () => {
    const blue = await holder(app.client, { tenant_id, trust: 1, fleet_id: "blue" });
    for (const path of [SEARCH, RECALL]) {
      const body = { tenant_id, query: "quokka", caller_agent_id: "bob" };
      expect(refusalOf(await blue.refused("POST", path, { body }))).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
    }
  });

  test("is refused to the key of another agent", async () => {
    const bound = await holder(app.client, { tenant_id, agent_id: "dan" });
    for (const path of [SEARCH, RECALL]) {
      const body = { tenant_id, query: "quokka", caller_agent_id: "ada" };
      expect(refusalOf(await bound.refused("POST", path, { body }))).toEqual([403, "AGENT_IDENTITY_MISMATCH"]);
    }
  });
});
