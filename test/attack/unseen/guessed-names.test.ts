import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { nameId } from "../../../src/core/kernel/ids.ts";
import { BulkResult, Memory } from "../../../src/core/schema/memory.ts";
import type { Client } from "../../support/api/client.ts";
import { ENTITIES, entitiesApi } from "../../support/api/entities.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { GATEWAY, mint, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const { client } = app;
const admin = client.as({ ...viaGateway(TENANT), "X-Org-Role": "admin" });
const agent = async (agent_id: string, fleet_id: string): Promise<Client> =>
  client.as({ "X-API-Key": (await mint(admin, { agent_id, fleet_id, trust: 1 })).raw_key });
let ada: Client;
let spy: Client;

/** What anybody can reckon from a name that he guesses. */
const guessed = (name: string): string => nameId(["entity", TENANT, name.toLowerCase().replaceAll(/[^a-z]/g, "")]);
const linked = (name: string) => [{ entity_id: guessed(name), role: "topic" }];
/** A reply without what differs between any two writes. */
const told = ({ status, body }: { readonly status: number; readonly body: unknown }, name: string) => [
  status,
  Object.keys(Object(body)).sort(),
  JSON.stringify(body).includes(guessed(name)),
];

beforeAll(async () => {
  ada = await agent("ada", "blue");
  spy = await agent("spy", "red");
  const secret = aMemory({
    content: "Karla Winterfeld leads the talks with Brontecor Industries in Oslo.",
    visibility: "scope_agent",
  });
  await ada.ok(Memory, "POST", MEMORIES, { body: secret });
  await app.settle();
  const own = await entitiesApi(ada).list();
  expect(own.map(({ id }) => id)).toContain(guessed("Karla Winterfeld"));
});

describe.each([
  ["another agent", TENANT, () => spy],
  ["another tenant", "acme", () => client.as(viaGateway("acme", "stranger"))],
] as const)("%s learns of no name in a private memory", (_, tenant_id, callerOf) => {
  const NAMES = ["Karla Winterfeld", "Nobody Inparticular"] as const;

  test("by links of a write, stored or not", async () => {
    for (const persist of [false, true]) {
      const [held, free] = await Promise.all(
        NAMES.map(async (name) => {
          const body = aMemory({
            tenant_id,
            persist,
            content: `Of ${persist} ${name.length}.`,
            entity_links: linked(name),
          });
          return told(await callerOf().call("POST", MEMORIES, { body }), name);
        }),
      );
      expect(held?.[0]).toBe(201);
      expect(held).toEqual(free);
    }
  });

  test("by links in a bulk write, or of a patch", async () => {
    const items = NAMES.map((name) => ({ content: `In bulk of ${name.length}.`, entity_links: linked(name) }));
    const { results } = await callerOf().ok(BulkResult, "POST", `${MEMORIES}/bulk`, { body: { tenant_id, items } });
    expect(results.map(({ status }) => status)).toEqual(["created", "created"]);
    const { id } = await memoriesApi(callerOf(), tenant_id).write({ content: "To be patched." });
    const patch = (name: string) =>
      callerOf().call("PATCH", `${MEMORIES}/${id}`, { query: { tenant_id }, body: { entity_links: linked(name) } });
    const statuses = [];
    for (const name of NAMES) statuses.push((await patch(name)).status);
    expect(statuses).toEqual([200, 200]);
  });

  test("by what a link leads to, then or after the text is changed", async () => {
    const caller = callerOf();
    const memories = memoriesApi(caller, tenant_id);
    const { id } = await memories.write({ content: "A tripwire.", entity_links: linked(NAMES[0]) });
    await app.settle();
    const page = () => caller.call("GET", `${ENTITIES}/${guessed(NAMES[0])}`, { query: { tenant_id } });
    expect((await page()).status).toBe(404);
    const body = { content: "A tripwire, changed." };
    await caller.ok(Memory, "PATCH", `${MEMORIES}/${id}`, { query: { tenant_id }, body });
    await app.settle();
    expect((await page()).status).toBe(404);
    expect((await memories.get(id)).entity_links).toEqual(linked(NAMES[0]));
    expect(await entitiesApi(caller, tenant_id).list()).toEqual([]);
  });
});

test("a link laid before the name came tells nothing of it, whatever becomes of its row", async () => {
  const spied = memoriesApi(spy);
  const name = "Corvaxton Industries";
  const { id } = await spied.write({ content: "A tripwire laid before.", entity_links: linked(name) });
  const secret = { content: "Helga Brandt works for CorVaxton INDUSTRIES in Bergen.", visibility: "scope_agent" };
  await memoriesApi(ada).write(secret);
  await app.settle();
  expect((await entitiesApi(ada).get(guessed(name))).canonical_name).toContain("CorVaxton");
  const patch = (body: object) => spy.ok(Memory, "PATCH", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT }, body });
  for (const body of [{ content: "A tripwire changed." }, { visibility: "scope_org" }, { visibility: "scope_agent" }]) {
    await patch(body);
    await app.settle();
    expect((await spy.refused("GET", `${ENTITIES}/${guessed(name)}`)).status).toBe(404);
  }
});

test("a name that became private again is not spelled to those whose links stay", async () => {
  const name = "Tinstarly Systems";
  const adas = memoriesApi(ada);
  const { id } = await adas.write({ content: `We buy ${name} in May.`, visibility: "scope_org" });
  await app.settle();
  await memoriesApi(spy).write({ content: "A link to what is told to all.", entity_links: linked(name) });
  await app.settle();
  expect((await entitiesApi(spy).get(guessed(name))).canonical_name).toBe(name);
  const body = { visibility: "scope_agent" };
  await ada.ok(Memory, "PATCH", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT }, body });
  await app.settle();
  const page = await spy.call("GET", `${ENTITIES}/${guessed(name)}`);
  expect(page.status).toBe(200);
  expect(JSON.stringify(page.body)).not.toContain("Tinstarly");
  // Nor does a list, a search or a change tell it, or whether it was guessed.
  expect(await entitiesApi(spy).list({ search: "tinst" })).toEqual([]);
  const explained = await spy.call("POST", "/api/v1/search", {
    body: { tenant_id: TENANT, query: name, explain: true },
  });
  expect(JSON.stringify(explained.body)).not.toMatch(/"entity_boost":[^0,}]/);
  for (const fields of [{ entity_type: "organization" }, { entity_type: "organization", aliases: ["Tin"] }]) {
    const changed = await admin.call("PATCH", `${ENTITIES}/${guessed(name)}`, {
      body: { tenant_id: TENANT, ...fields },
    });
    expect([changed.status, JSON.stringify(changed.body).includes("Tinstarly")]).toEqual([409, false]);
  }
  const named = { canonical_name: "Thing of ours" };
  const renamed = await admin.call("PATCH", `${ENTITIES}/${guessed(name)}`, { body: { tenant_id: TENANT, ...named } });
  expect([renamed.status, JSON.stringify(renamed.body).includes("Tinstarly")]).toEqual([200, false]);
});
