import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { KeyList, KeyMinted } from "../../../src/core/schema/account.ts";
import { Keystone } from "../../../src/core/schema/keystone.ts";
import { KeystoneProposalList, PROPOSALS_EACH } from "../../../src/core/schema/keystone-proposal.ts";
import { SkillList } from "../../../src/core/schema/skill.ts";
import { modernClient } from "../../mcp/clients.ts";
import { legacyCalls } from "../../mcp/legacy-client.ts";
import type { Client } from "../../support/api/client.ts";
import { holder, mint, refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

// Rights that a credential took for itself, or that a door gave to whoever came through it.

const SHARED_KEY = "the one shared key of this test";
const RULES = "/api/v1/keystones";
const PROPOSALS = "/api/v1/keystone-proposals";
const KEYS = "/api/v1/keys";

const keyless = await openApp();
const shared = await openApp({ flags: [`--api-key=${SHARED_KEY}`] });
const { url } = keyless.app.listen();
const { url: sharedUrl } = shared.app.listen();
const { client } = keyless;
const owner = shared.client.as({ "X-API-Key": SHARED_KEY });
afterAll(() => Promise.all([keyless.app.stop(), shared.app.stop()]));

/** A conversation over MCP, closed when the work is done. */
async function over<T>(
  at: string,
  work: (agent: Awaited<ReturnType<typeof modernClient>>) => Promise<T>,
  headers = {},
) {
  const agent = await modernClient(`${at}/mcp`, headers);
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
}

const aRule = (doc_id: string, fields: object = {}) => ({
  doc_id,
  title: "Title",
  content: `Ask before ${doc_id}.`,
  scope: "tenant",
  weight: "med",
  ...fields,
});
const rulesOf = (by: Client) => by.ok(Keystone.array(), "GET", RULES);
const proposalsOf = async (by: Client) => (await by.ok(KeystoneProposalList, "GET", PROPOSALS)).items;

test("what the Forge did for other fleets is told to administrators alone", async () => {
  const agent = await holder(client, { agent_id: "reader", fleet_id: "red", trust: 3 });
  expect(refusalOf(await agent.refused("GET", "/api/v1/forge/runs"))).toEqual([403, "ADMIN_REQUIRED"]);
  await client.ok(z.unknown(), "GET", "/api/v1/forge/runs");
});

test("over MCP with the key that all share, a locked rule is neither replaced nor removed, and a new one is proposed", async () => {
  await owner.ok(Keystone, "POST", RULES, { body: aRule("locked-one") });
  await owner.ok(Keystone, "POST", `${RULES}/locked-one/lock`, { body: { locked: true } });
  const before = await rulesOf(owner);
  await over(
    sharedUrl,
    async (agent) => {
      await agent.call("keystones", { op: "set", ...aRule("locked-one", { content: "Anything goes." }) });
      await agent.call("keystones", { op: "remove", doc_id: "locked-one" });
      await agent.call("keystones", { op: "set", ...aRule("another") });
    },
    { "x-api-key": SHARED_KEY },
  );
  expect(await rulesOf(owner)).toEqual(before);
  expect((await proposalsOf(owner)).map(({ doc_id, rule }) => [doc_id, rule === null])).toEqual([
    ["another", false],
    ["locked-one", true],
  ]);
});

describe("an administrator's key of an agent", () => {
  const admin = () => holder(client, { agent_id: `bot-${crypto.randomUUID()}`, trust: 3, admin: true });

  test.each([
    ["of no agent", {}],
    ["of an administrator without an agent", { admin: true }],
    ["of another administrator", { agent_id: "twin", admin: true }],
    ["of an agent with trust by name", { agent_id: "twin", trust: 3 }],
  ])("makes no key %s", async (_, body) => {
    const refused = await (await admin()).refused("POST", KEYS, { body });
    expect(refusalOf(refused)).toEqual([403, "PERSON_REQUIRED"]);
  });

  test("ends no person's key, and sets no agent's trust", async () => {
    const bot = await admin();
    const { id } = await mint(client, { label: "a person's" });
    expect(refusalOf(await bot.refused("DELETE", `${KEYS}/${id}`))).toEqual([403, "PERSON_REQUIRED"]);
    const { items } = await client.ok(KeyList, "GET", KEYS);
    expect(items.find((key) => key.id === id)?.revoked_at).toBeNull();
    const trust = { body: { trust_level: 3 } };
    await client.call("POST", "/api/v1/memories", {
      body: { agent_id: "minor", content: "A memory of the minor one." },
    });
    const refused = await bot.refused("PATCH", "/api/v1/agents/minor/trust", trust);
    expect(refusalOf(refused)).toEqual([403, "PERSON_REQUIRED"]);
  });

  test("makes and ends keys of agents", async () => {
    const bot = await admin();
    const { id, trust, admin: isAdmin } = await bot.ok(KeyMinted, "POST", KEYS, { body: { agent_id: "worker" } });
    expect([trust, isAdmin]).toEqual([1, false]);
    expect((await bot.call("DELETE", `${KEYS}/${id}`)).status).toBe(204);
  });
});

describe("a skill that a person approved", () => {
  const data = { description: "How we deploy", content: "# Deploy\nRun make deploy after the tests pass." };
  const skill = (doc_id: string, fields: object = {}) => ({ collection: "skills", doc_id, data, ...fields });
  const entry = async (doc_id: string) =>
    (await client.ok(SkillList, "GET", "/api/v1/skills")).items.find((one) => one.doc_id === doc_id);

  test("is neither moved nor written over by MCP without a key; the same again changes nothing", async () => {
    await client.ok(z.unknown(), "POST", "/api/v1/documents", { body: skill("deploy") });
    const before = await entry("deploy");
    expect(before?.is_delivered).toBe(true);
    await over(url, async (agent) => {
      const moved = await agent.call("documents", { op: "write", ...skill("deploy"), project: "evil" });
      const gone = { description: "x", content: "Nothing." };
      const replaced = await agent.call("documents", { op: "write", ...skill("deploy", { data: gone }) });
      expect([moved.isError, replaced.isError]).toEqual([true, true]);
      await agent.call("documents", { op: "write", ...skill("deploy") });
    });
    expect(await entry("deploy")).toMatchObject({ is_delivered: true, fleet_id: before?.fleet_id ?? null });
  });

  test("is not written over by an agent that might not delete it", async () => {
    await client.ok(z.unknown(), "POST", "/api/v1/documents", { body: skill("release", { fleet_id: "red" }) });
    const agent = await holder(client, { agent_id: "minor", fleet_id: "red", trust: 1 });
    const body = skill("release", { data: { ...data, content: "Nothing at all." } });
    expect((await agent.refused("POST", "/api/v1/documents", { body })).status).toBe(403);
    expect((await entry("release"))?.is_delivered).toBe(true);
  });
});

describe("proposed rules", () => {
  const proposal = (doc_id: string, fields: object = {}) => {
    const { doc_id: _name, ...rule } = aRule(doc_id, fields);
    return { doc_id, rule };
  };
  const propose = (by: Client, doc_id: string, fields: object = {}) =>
    by.call("POST", PROPOSALS, { body: proposal(doc_id, fields) });
  const own = (agent_id: string) => ({ scope: "agent", agent_id, fleet_id: "red" });

  test("are no documents to whoever reads these over MCP", async () => {
    const secret = "A text that no person agreed to.";
    await propose(client, "waiting", { content: secret });
    await over(url, async (agent) => {
      const tools = legacyCalls(agent);
      const collection = "_keystone_proposals";
      const tried = [
        await agent.call("documents", { op: "collections" }),
        await agent.call("documents", { op: "query", collection }),
        await agent.call("documents", { op: "read", collection, doc_id: "waiting" }),
        await tools.ask("doc", { op: "list_collections" }),
        await tools.refused("doc", { op: "query", collection }),
        await tools.refused("doc", { op: "read", collection, doc_id: "waiting" }),
      ];
      const text = JSON.stringify(tried);
      expect(text).not.toContain(secret);
      expect(JSON.stringify([tried[0], tried[3]])).not.toContain("_keystone");
    });
  });

  test("of one proposer leave room for those of others", async () => {
    const ada = await holder(client, { agent_id: "ada", fleet_id: "red", trust: 1 });
    const ben = await holder(client, { agent_id: "ben", fleet_id: "red", trust: 1 });
    for (let i = 0; i < PROPOSALS_EACH; i++)
      expect((await propose(ada, `ada-${i}`, own("ada"))).status).toBeLessThan(300);
    expect(refusalOf(await ada.refused("POST", PROPOSALS, { body: proposal("more", own("ada")) }))).toEqual([
      409,
      "CONFLICT",
    ]);
    expect((await propose(ada, "ada-0", { ...own("ada"), content: "Another text." })).status).toBeLessThan(300);
    expect((await propose(ben, "ben-0", own("ben"))).status).toBeLessThan(300);
  });

  test("give way only to whoever might have proposed them", async () => {
    const high = await holder(client, { agent_id: "high", trust: 2 });
    const low = await holder(client, { agent_id: "low", fleet_id: "red", trust: 1 });
    expect((await propose(high, "for-all")).status).toBeLessThan(300);
    expect((await propose(low, "for-all", own("low"))).status).toBe(403);
    expect((await proposalsOf(client)).find(({ doc_id }) => doc_id === "for-all")).toMatchObject({
      proposed_by: "high",
    });
  });
});

test("a rule by a credential that is not known to be a person's says so", async () => {
  const plain = await holder(client, {});
  const { data } = await plain.ok(Keystone, "POST", RULES, { body: aRule("plain") });
  expect(data).toMatchObject({ set_by: "agent", author: "holder of a tenant's key" });
  const person = await holder(client, { admin: true });
  expect((await person.ok(Keystone, "POST", RULES, { body: aRule("plain") })).data).toMatchObject({
    set_by: "person",
    author: "administrator",
  });
});
