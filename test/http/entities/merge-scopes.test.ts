import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import type { Client } from "../../support/api/client.ts";
import { ENTITIES, entitiesApi } from "../../support/api/entities.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

// Two names become one for those who know the one that goes, and nobody is told of a name thereby.

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const tenant_id = "harbour";
const owner = app.client.as({ ...viaGateway(tenant_id), "X-Org-Role": "admin" });
const [memories, entities] = [memoriesApi(owner, tenant_id), entitiesApi(owner, tenant_id)];

let blue: Client;
let red: Client;
let ada: Client;
let scout: Client;
beforeAll(async () => {
  blue = await holder(app.client, { tenant_id, agent_id: "bert", fleet_id: "blue", trust: 1 });
  red = await holder(app.client, { tenant_id, agent_id: "rita", fleet_id: "red", trust: 1 });
  ada = await holder(app.client, { tenant_id, agent_id: "ada", trust: 1 });
  scout = await holder(app.client, { tenant_id, agent_id: "saul", fleet_id: "blue", trust: 2 });
});

let things = 0;
let into = "";
let from = "";
let [intoName, fromName] = ["", ""];
beforeEach(() => {
  things += 1;
  [intoName, fromName] = [`Ketch ${things}`, `Barge ${things}`];
});
const enter = async (client: Client, canonical_name: string, fields: Record<string, unknown> = {}): Promise<string> => {
  const entered = { entity_type: "artifact", canonical_name, ...fields };
  return (await entitiesApi(client, tenant_id).upsert(entered)).id;
};
const merge = (client: Client, a = into, b = from) =>
  client.refused("POST", `${ENTITIES}/${a}/merge`, { body: { tenant_id, from_id: b } });
const seen = async (client: Client, id: string): Promise<boolean> =>
  (await client.call("GET", `${ENTITIES}/${id}`)).status === 200;
const rebuild = async () => {
  await app.client.call("POST", "/api/v1/integrity/rebuild");
  await app.settle();
};
const expectWhole = async () => {
  const { checks } = await app.client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
};

describe("what all know", () => {
  beforeEach(async () => {
    [into, from] = [await enter(owner, intoName), await enter(owner, fromName)];
  });

  test("is merged for all, in rows that the caller does not see, too", async () => {
    const secret = {
      agent_id: "ada",
      visibility: "scope_agent",
      content: `The ${fromName} carries the codes of Vera Vault.`,
    };
    await memories.write({ ...secret, entity_links: [{ entity_id: from, role: "topic" }] });
    await app.settle();
    const merged = await entitiesApi(blue, tenant_id).merge(into, from);
    expect(merged).toMatchObject({ fleet_id: null, memory_count: 0, aliases: [fromName] });
    const told = await entitiesApi(owner, tenant_id).get(into, { agent_id: "ada" });
    expect(told.memory_count).toBe(1);
    await rebuild();
    expect(await seen(owner, from)).toBe(false);
    expect((await entities.get(into, { agent_id: "ada" })).memory_count).toBe(1);
    await expectWhole();
  });

  test.each([1, 2])("another fleet's own entry is neither taken nor told of (trust %p)", async (trust) => {
    // The shared entry may not be taken into a fleet: the fleet enters the name first.
    const name = `Punt ${things}`;
    const theirs = await enter(red, name, { fleet_id: "red", attributes: { secret: 1 } });
    await memories.write({
      fleet_id: "red",
      visibility: "scope_team",
      content: `Rome has ${name}.`,
      entity_links: [{ entity_id: theirs, role: "topic" }],
    });
    expect(await enter(owner, name)).toBe(theirs);
    await app.settle();
    const reply = await (trust === 1 ? blue : scout).call("POST", `${ENTITIES}/${into}/merge`, {
      body: { tenant_id, from_id: theirs },
    });
    // One that sees the entry is told why; one that does not goes on without it.
    expect(reply.status).toBe(trust === 1 ? 200 : 403);
    expect(JSON.stringify(reply.body)).not.toContain("secret");
    await rebuild();
    const kept = await entitiesApi(red, tenant_id).get(theirs);
    expect(kept).toMatchObject({ canonical_name: name, fleet_id: "red", attributes: { secret: 1 }, memory_count: 1 });
    expect(await seen(blue, theirs)).toBe(trust === 2);
    await expectWhole();
  });

  test("is not merged into what fewer know, the other way round it is", async () => {
    const own = await enter(blue, `Dory ${things}`, { fleet_id: "blue", attributes: { oars: 2 } });
    const refused = await merge(blue, own, from);
    expect(refusalOf(refused)).toEqual([409, "CONFLICT"]);
    await entitiesApi(blue, tenant_id).merge(into, own);
    expect((await entitiesApi(blue, tenant_id).get(into)).aliases).toEqual([`Dory ${things}`]);
    const others = await entitiesApi(red, tenant_id).get(into);
    expect(others).toMatchObject({ aliases: [], attributes: null });
    expect(await entitiesApi(red, tenant_id).list({ search: "dory" })).toEqual([]);
    expect(await seen(blue, own)).toBe(false);
  });
});

describe("what private memories alone name", () => {
  beforeEach(async () => {
    into = await enter(owner, intoName);
    const content = `Ada saw Vera Vault${things} at the quay.`;
    await memories.write({ agent_id: "ada", visibility: "scope_agent", content });
    await app.settle();
    const found = await entities.list({ agent_id: "ada", search: "vault" });
    from = found.find(({ canonical_name }) => canonical_name.includes(`Vault${things}`))?.id ?? "none";
  });

  test("does not exist for others", async () => {
    const unknown = await merge(blue, into, crypto.randomUUID());
    const hidden = await merge(blue, into, from);
    expect(refusalOf(hidden)).toEqual([404, "NOT_FOUND"]);
    expect(hidden.body).toEqual(unknown.body);
    expect((await merge(blue, from, into)).body).toEqual(unknown.body);
  });

  test("is neither made known by its own agent, unless that one enters it", async () => {
    expect(refusalOf(await merge(ada, into, from))).toEqual([409, "CONFLICT"]);
    expect(refusalOf(await merge(ada, from, into))).toEqual([409, "CONFLICT"]);
    expect(JSON.stringify(await entities.list())).not.toContain("Vera Vault");
    expect(await enter(ada, `Vera Vault${things}`)).toBe(from);
    await entitiesApi(ada, tenant_id).merge(into, from);
    expect((await entitiesApi(ada, tenant_id).get(into)).memory_count).toBe(1);
    await rebuild();
    expect((await entitiesApi(ada, tenant_id).get(into)).memory_count).toBe(1);
    await expectWhole();
  });
});

describe("what a fleet's memories alone name", () => {
  test("is merged for that fleet, and by nobody else", async () => {
    const red_team = { fleet_id: "red", agent_id: "rita", visibility: "scope_team" };
    await memories.write({ ...red_team, content: `We met Carla Moreno${things} in Quito.` });
    await memories.write({ ...red_team, content: `We met Clara Morena${things} in Lima.` });
    await app.settle();
    const known = await entitiesApi(red, tenant_id).list();
    const find = (name: string) =>
      known.find(({ canonical_name }) => canonical_name === `${name}${things}`)?.id ?? name;
    [into, from] = [find("Carla Moreno"), find("Clara Morena")];
    expect(refusalOf(await merge(blue))).toEqual([404, "NOT_FOUND"]);
    expect(refusalOf(await merge(scout))).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
    const merged = await entitiesApi(red, tenant_id).merge(into, from);
    expect(merged).toMatchObject({ fleet_id: "red", memory_count: 2 });
    await rebuild();
    expect((await entitiesApi(red, tenant_id).get(into)).memory_count).toBe(2);
    expect(await seen(red, from)).toBe(false);
    expect(JSON.stringify(await entitiesApi(blue, tenant_id).list())).not.toContain("Moren");
    await expectWhole();
  });
});

test("another tenant's entities, and too little trust, are refused", async () => {
  [into, from] = [await enter(owner, intoName), await enter(owner, fromName)];
  const acme = app.client.as(viaGateway("acme"));
  const body = { tenant_id: "acme", from_id: from };
  expect(refusalOf(await acme.refused("POST", `${ENTITIES}/${into}/merge`, { body }))).toEqual([404, "NOT_FOUND"]);
  expect(refusalOf(await merge(acme))).toEqual([403, "TENANT_MISMATCH"]);
  const weak = await holder(app.client, { tenant_id, agent_id: "weak", trust: 0 });
  expect(refusalOf(await merge(weak))).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
  const { items } = await owner.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { tenant_id, target_id: into } });
  expect(items.map(({ action }) => action)).toEqual(["entity.create"]);
});
