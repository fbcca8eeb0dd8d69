import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../support/api/client.ts";
import { documentsApi } from "../support/api/documents.ts";
import { entitiesApi } from "../support/api/entities.ts";
import { aSkill, enableFactory } from "../support/api/skills.ts";
import { startApp } from "../support/app.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../support/credentials.ts";

// What all of a tenant share, and an agent of one fleet with the trust to write.

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const tenant_id = "harbour";
const owner = app.client.as(viaGateway(tenant_id));
const [documents, entities] = [documentsApi(owner, tenant_id), entitiesApi(owner, tenant_id)];

let blue: Client;
let red: Client;
let chief: Client;
let loner: Client;
beforeAll(async () => {
  blue = await holder(app.client, { tenant_id, agent_id: "ada", fleet_id: "blue", trust: 1 });
  red = await holder(app.client, { tenant_id, agent_id: "bob", fleet_id: "red", trust: 1 });
  chief = await holder(app.client, { tenant_id, agent_id: "cleo", fleet_id: "blue", trust: 3 });
  loner = await holder(app.client, { tenant_id, agent_id: "dan", trust: 1 });
});

const FORBIDDEN: [number, string] = [403, "FLEET_SCOPE_FORBIDDEN"];
let things = 0;

describe("a document that all share", () => {
  const shared = async (): Promise<string> => {
    const doc_id = `plan-${++things}`;
    await documents.put("plans", doc_id, { summary: "The plan of all." });
    return doc_id;
  };
  const write = (doc_id: string, fields: Record<string, unknown> = {}) => ({
    body: { tenant_id, collection: "plans", doc_id, data: { summary: "Another plan." }, ...fields },
  });

  test("is neither changed nor taken by an agent of one fleet", async () => {
    const doc_id = await shared();
    for (const fields of [{}, { fleet_id: null }, { fleet_id: "blue" }]) {
      const reply = await blue.refused("POST", "/api/v1/documents", write(doc_id, fields));
      expect(refusalOf(reply)).toEqual(FORBIDDEN);
    }
    expect(await documents.get("plans", doc_id)).toMatchObject({
      fleet_id: null,
      data: { summary: "The plan of all." },
    });
  });

  test("is deleted by none who may not change it", async () => {
    const doc_id = await shared();
    const keyOfFleet = await holder(app.client, { tenant_id, fleet_id: "blue", trust: 1 });
    const at = `/api/v1/documents/${doc_id}?tenant_id=${tenant_id}&collection=plans`;
    expect(refusalOf(await keyOfFleet.refused("DELETE", at))).toEqual(FORBIDDEN);
    expect((await documents.get("plans", doc_id)).fleet_id).toBeNull();
    expect((await chief.call("DELETE", at)).status).toBe(204);
  });

  test("stays shared when somebody changes it who may, unless that one names a fleet", async () => {
    const doc_id = await shared();
    for (const client of [chief, loner, owner]) {
      await documentsApi(client, tenant_id).put("plans", doc_id, { summary: "A new plan." });
      expect((await documents.get("plans", doc_id)).fleet_id).toBeNull();
    }
    await documentsApi(chief, tenant_id).put("plans", doc_id, { summary: "Blue's plan." }, { fleet_id: "blue" });
    expect((await documents.get("plans", doc_id)).fleet_id).toBe("blue");
    expect(refusalOf(await red.refused("POST", "/api/v1/documents", write(doc_id)))).toEqual(FORBIDDEN);
  });
});

test.each([false, true])("a skill that all share is not taken into a fleet (factory on: %p)", async (isOn) => {
  const admin = app.client.as({ ...viaGateway(`skills-${isOn}`), "X-Org-Role": "admin" });
  const there = `skills-${isOn}`;
  if (isOn) await enableFactory(admin, {}, there);
  const agent = await holder(app.client, { tenant_id: there, agent_id: "ada", fleet_id: "blue", trust: 1 });
  const api = documentsApi(admin, there);
  const loner = await holder(app.client, { tenant_id: there, agent_id: "dan", trust: 1 });
  const { doc_id } = await documentsApi(loner, there).put("skills", "agent/mooring", aSkill("mooring"));
  const body = {
    tenant_id: there,
    collection: "skills",
    doc_id,
    data: aSkill("mooring", { description: "Mine now." }),
  };
  expect(refusalOf(await agent.refused("POST", "/api/v1/documents", { body }))).toEqual(FORBIDDEN);
  expect((await api.get("skills", doc_id)).fleet_id).toBeNull();
});

test("an active skill of the factory is deleted by nobody with the trust to write alone", async () => {
  const there = "skills-deleted";
  const admin = app.client.as({ ...viaGateway(there), "X-Org-Role": "admin" });
  await enableFactory(admin, {}, there);
  const data = aSkill("mooring", { source: "manual", status: "active" });
  const { doc_id } = await documentsApi(admin, there).put("skills", "mooring", data);
  const writer = await holder(app.client, { tenant_id: there, trust: 1 });
  const at = `/api/v1/documents/${doc_id}?tenant_id=${there}&collection=skills`;
  expect(refusalOf(await writer.refused("DELETE", at))).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
  expect((await documentsApi(writer, there).get("skills", doc_id)).data).toMatchObject({ status: "active" });
  const trusted = await holder(app.client, { tenant_id: there, trust: 3 });
  expect((await trusted.call("DELETE", at)).status).toBe(204);
});

describe("an entity that all share", () => {
  test("is changed by whoever may enter one for all, and taken by nobody of one fleet", async () => {
    const name = `Crane ${++things}`;
    const { id } = await entities.upsert({ entity_type: "artifact", canonical_name: name });
    const path = "/api/v1/entities/upsert";
    const take = { tenant_id, entity_type: "artifact", canonical_name: name, fleet_id: "blue" };
    expect(refusalOf(await blue.refused("POST", path, { body: take }))).toEqual(FORBIDDEN);
    expect((await entities.get(id)).fleet_id).toBeNull();
    await entitiesApi(blue, tenant_id).upsert({
      entity_type: "artifact",
      canonical_name: name,
      attributes: { tons: 3 },
    });
    expect(await entities.get(id)).toMatchObject({ fleet_id: null, attributes: { tons: 3 } });
    await entitiesApi(chief, tenant_id).upsert({ entity_type: "artifact", canonical_name: name, fleet_id: "blue" });
    expect((await entities.get(id)).fleet_id).toBe("blue");
  });

  test("keeps its relations for all", async () => {
    const [from, to] = [`Quay ${++things}`, `Basin ${things}`];
    const { id: from_entity_id } = await entities.upsert({ entity_type: "location", canonical_name: from });
    const { id: to_entity_id } = await entities.upsert({ entity_type: "location", canonical_name: to });
    const relation = { tenant_id, from_entity_id, relation_type: "beside", to_entity_id };
    await owner.call("POST", "/api/v1/relations/upsert", { body: relation });
    const taken = { ...relation, fleet_id: "blue" };
    expect(refusalOf(await blue.refused("POST", "/api/v1/relations/upsert", { body: taken }))).toEqual(FORBIDDEN);
    const { relations } = await entitiesApi(red, tenant_id).get(from_entity_id);
    expect(relations).toHaveLength(1);
  });
});
