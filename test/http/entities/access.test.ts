import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { Entity } from "../../../src/core/schema/entity.ts";
import { Memory } from "../../../src/core/schema/memory.ts";
import { ENTITIES, entitiesApi, GRAPH, RELATIONS } from "../../support/api/entities.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const { client } = app;
const memories = memoriesApi(client);
const entities = entitiesApi(client);
const acme = client.as(viaGateway("acme"));

const HIDDEN = ["Vaultkeeper", "Nightingale"];
let secretId = "";

beforeAll(async () => {
  const ada = { agent_id: "ada", visibility: "scope_agent" };
  await memories.write({ ...ada, content: "The codes of Vaultkeeper lie with Anna Keller in Rome." });
  await memories.write({ ...ada, content: "We call Rome the Nightingale, with Vaultkeeper and Anna Keller." });
  await memories.write({ agent_id: "bob", content: "We met Anna in Rome." });
  await app.settle();
  const [secret] = await entities.list({ agent_id: "ada", search: "vaultkeeper" });
  secretId = secret?.id ?? "";
});

describe.each([
  ["another agent", { agent_id: "bob" }],
  ["no agent", {}],
] as const)("to %s, what only a private memory names does not exist", (_, query) => {
  test("in lists, searches among names, and the graph", async () => {
    expect(secretId).not.toBe("");
    const replies = [
      await entities.list(query),
      await entities.list({ ...query, search: "vault" }),
      await entities.graph(query),
    ];
    for (const name of [...HIDDEN, "Keller", secretId]) expect(JSON.stringify(replies)).not.toContain(name);
    expect(await entities.counts(query)).toEqual({ Anna: 1, Rome: 1 });
  });

  test("by its id, in the same words as an unknown one", async () => {
    const refused = await client.refused("GET", `${ENTITIES}/${secretId}`, { query });
    const unknown = await client.refused("GET", `${ENTITIES}/${crypto.randomUUID()}`, { query });
    expect(refusalOf(refused)).toEqual([404, "NOT_FOUND"]);
    expect(refused.body).toEqual(unknown.body);
  });

  test("in the pages of what else it names", async () => {
    const [rome] = await entities.list({ ...query, search: "rome" });
    const page = await entities.get(rome?.id ?? "", query);
    expect(page).toMatchObject({ memory_count: 1, relations: [] });
    expect(page.memory_ids).toHaveLength(1);
    for (const name of HIDDEN) expect(JSON.stringify(page)).not.toContain(name);
  });

  test("in the diagnostic of a search", async () => {
    const caller_agent_id = "agent_id" in query ? query.agent_id : undefined;
    const { diagnostic } = await memories.search("Vaultkeeper", { caller_agent_id, diagnostic: true });
    expect(diagnostic).toMatchObject({ entity_matches: 0, entity_match_declined: false });
  });

  test("as an end of a relation, or as a link of a memory", async () => {
    const agent_id = "agent_id" in query ? query.agent_id : undefined;
    const ends = { from_entity_id: secretId, relation_type: "is", to_entity_id: secretId };
    const related = await client.refused("POST", RELATIONS, { body: { tenant_id: TENANT, ...ends } });
    expect(refusalOf(related)).toEqual([404, "NOT_FOUND"]);
    const entity_links = [{ entity_id: secretId, role: "topic" }];
    const { id } = await memories.write({ agent_id, entity_links });
    await app.settle();
    expect((await memories.get(id, query)).entity_links).toEqual(entity_links);
    expect((await client.refused("GET", `${ENTITIES}/${secretId}`, { query })).status).toBe(404);
  });
});

test("to its own agent, it does", async () => {
  expect(await entities.counts({ agent_id: "ada" })).toMatchObject({ Vaultkeeper: 2, Rome: 3, "Anna Keller": 2 });
  expect((await entities.get(secretId, { agent_id: "ada" })).memory_count).toBe(2);
  const { diagnostic } = await memories.search("Vaultkeeper", { caller_agent_id: "ada", diagnostic: true });
  expect(diagnostic?.entity_matches).toBe(1);
});

describe("another tenant", () => {
  test("sees nothing, and links to nothing", async () => {
    expect(await entitiesApi(acme, "acme").list()).toEqual([]);
    expect((await entitiesApi(acme, "acme").graph()).nodes).toEqual([]);
    const [rome] = await entities.list({ search: "rome" });
    const entity_id = rome?.id ?? "";
    expect(refusalOf(await acme.refused("GET", `${ENTITIES}/${entity_id}`))).toEqual([404, "NOT_FOUND"]);
    const entity_links = [{ entity_id, role: "topic" }];
    const theirs = memoriesApi(acme, "acme");
    const { id } = await theirs.write({ entity_links });
    const bulk = await theirs.bulk([{ content: "A link to elsewhere.", entity_links }]);
    expect(bulk.results).toMatchObject([{ status: "created" }]);
    const other = await theirs.write({ content: "No link at all." });
    const patched = await acme.ok(Memory, "PATCH", `${MEMORIES}/${other.id}`, {
      query: { tenant_id: "acme" },
      body: { entity_links },
    });
    expect(patched.entity_links).toEqual(entity_links);
    expect((await theirs.get(id)).entity_links).toEqual(entity_links);
    expect(await entitiesApi(acme, "acme").list()).toEqual([]);
    expect(refusalOf(await acme.refused("GET", `${ENTITIES}/${entity_id}`))).toEqual([404, "NOT_FOUND"]);
  });

  test("has an entity of its own of the same name", async () => {
    await memoriesApi(acme, "acme").write({ content: "We met Anna Weber in Rome." });
    await app.settle();
    expect(await entitiesApi(acme, "acme").counts()).toEqual({ "Anna Weber": 1, Rome: 1 });
    const [ours] = await entities.list({ search: "rome" });
    const [theirs] = await entitiesApi(acme, "acme").list({ search: "rome" });
    expect(theirs?.id).not.toBe(ours?.id ?? "");
  });

  test.each([
    ["GET", ENTITIES],
    ["GET", GRAPH],
  ] as const)("is refused what it asks of ours: %s %s", async (method, path) => {
    const query = { tenant_id: TENANT };
    expect(refusalOf(await acme.refused(method, path, { query }))).toEqual([403, "TENANT_MISMATCH"]);
  });
});

test("an agent's credential writes entities with the trust to write, for its own fleet, and reads as itself alone", async () => {
  const [weak, red] = [
    await holder(client, { agent_id: "weak", trust: 0 }),
    await holder(client, { agent_id: "rita", fleet_id: "red", trust: 1 }),
  ];
  const body = { tenant_id: TENANT, entity_type: "concept", canonical_name: "Redline" };
  const upsert = `${ENTITIES}/upsert`;
  expect(refusalOf(await weak.refused("POST", upsert, { body }))).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
  const foreign = { ...body, fleet_id: "blue" };
  expect(refusalOf(await red.refused("POST", upsert, { body: foreign }))).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
  await red.ok(Entity, "POST", upsert, { body: { ...body, fleet_id: "red" } });
  expect(Object.keys(await entitiesApi(red).counts())).toContain("Redline");
  expect(Object.keys(await entitiesApi(weak).counts())).not.toContain("Redline");
  const query = { agent_id: "ada" };
  expect(refusalOf(await red.refused("GET", ENTITIES, { query }))).toEqual([403, "AGENT_IDENTITY_MISMATCH"]);
  const blue = { fleet_id: "blue" };
  expect(refusalOf(await red.refused("GET", ENTITIES, { query: blue }))).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
});

test("what is entered by hand leaves an audit row, and tells nothing of private memories", async () => {
  const entered = await entities.upsert({
    entity_type: "concept",
    canonical_name: "Vaultkeeper",
    attributes: { a: 1 },
  });
  expect(entered.memory_count).toBe(0);
  expect((await entities.get(entered.id)).memory_ids).toEqual([]);
  const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { target_id: entered.id } });
  expect(items).toMatchObject([{ action: "entity.create", before: null }]);
});

describe("what was entered for one fleet", () => {
  const upsert = `${ENTITIES}/upsert`;
  const plan = { entity_type: "project", canonical_name: "Quietharbor", fleet_id: "red" };
  const attributes = { budget: "secret" };
  const agentOfFleet = (fleet_id: string) => holder(client, { agent_id: `${fleet_id}-agent`, fleet_id, trust: 1 });

  test.each(["blue", null, undefined])(
    "is neither changed nor told by an agent of another: fleet %p",
    async (named) => {
      const canonical_name = `Coldharbor ${named}`;
      const { id } = await entities.upsert({ ...plan, canonical_name, attributes, aliases: ["Seadrift"] });
      const [red, blue] = [await agentOfFleet("red"), await agentOfFleet("blue")];
      const body = { tenant_id: TENANT, ...plan, canonical_name, fleet_id: named, attributes: { sails: 1 } };
      const entered = await blue.ok(Entity, "POST", upsert, { body });
      expect(entered).toMatchObject({ id, fleet_id: named ?? null, attributes: { sails: 1 } });
      expect(entered.created_at).toBe(entered.updated_at);
      expect(await entitiesApi(blue).get(id)).toMatchObject({ ...entered, aliases: [] });
      expect(await entitiesApi(red).get(id)).toMatchObject({ fleet_id: "red", attributes, aliases: ["Seadrift"] });
    },
  );

  test("stays there when one with the trust for it enters the name for another", async () => {
    const canonical_name = "Warmharbor";
    const { id } = await entities.upsert({ ...plan, canonical_name, attributes });
    const chief = await holder(client, { agent_id: "chief", fleet_id: "blue", trust: 3 });
    const body = { tenant_id: TENANT, ...plan, canonical_name: "Warm Harbor", fleet_id: "blue" };
    const entered = await chief.ok(Entity, "POST", upsert, { body });
    expect(entered).toMatchObject({ id, canonical_name: "Warm Harbor", fleet_id: "blue", attributes: null });
    expect(await entitiesApi(chief).get(id)).toMatchObject(entered);
    const ofRed = { canonical_name, fleet_id: "red", attributes };
    expect(await entitiesApi(await agentOfFleet("red")).get(id)).toMatchObject(ofRed);
    expect(await entities.list({ fleet_id: "red", search: "warmharbor" })).toMatchObject([ofRed]);
    expect(await entities.list({ fleet_id: "blue", search: "warmharbor" })).toMatchObject([{ fleet_id: "blue" }]);
  });

  test("is hidden from who merely names it", async () => {
    const { id } = await entities.upsert({ ...plan, attributes, aliases: ["Foghorn"] });
    const [red, blue] = [await agentOfFleet("red"), await agentOfFleet("blue")];
    await memoriesApi(blue).write({ agent_id: "blue-agent", fleet_id: "blue", content: "We sailed to Quietharbor." });
    await app.settle();
    const [seen] = await entitiesApi(blue).list({ search: "quietharbor" });
    expect(seen).toMatchObject({ id, memory_count: 1, fleet_id: null, attributes: null });
    expect(await entitiesApi(blue).get(id)).toMatchObject({ fleet_id: null, attributes: null, aliases: [] });
    expect(await entitiesApi(blue).list({ search: "foghorn" })).toEqual([]);
    expect(await entitiesApi(red).get(id)).toMatchObject({ fleet_id: "red", attributes, aliases: ["Foghorn"] });
  });

  test("is not told to who adds to it from outside", async () => {
    await entities.upsert({ ...plan, attributes });
    const outside = await holder(client, { trust: 1 });
    const body = { tenant_id: TENANT, ...plan, attributes: { sails: 2 } };
    expect((await outside.ok(Entity, "POST", upsert, { body })).attributes).toEqual({ sails: 2 });
  });

  test("holds for relations and their evidence, too", async () => {
    const [from, to] = [
      await entities.upsert({ entity_type: "concept", canonical_name: "Lanternfish" }),
      await entities.upsert({ entity_type: "concept", canonical_name: "Moonsail" }),
    ];
    const ends = { from_entity_id: from.id, relation_type: "owns", to_entity_id: to.id };
    const evidence = await memories.write({ agent_id: "ada", fleet_id: "red", visibility: "scope_team" });
    await entities.relate({ ...ends, fleet_id: "red", weight: 0.5 });
    const blue = await agentOfFleet("blue");
    const red = entitiesApi(await agentOfFleet("red"));
    const byBlue = await entitiesApi(blue).relate({ ...ends, fleet_id: "blue", weight: 0.1 });
    expect((await entitiesApi(blue).get(from.id)).relations).toEqual([byBlue]);
    expect((await red.get(from.id)).relations).toMatchObject([{ weight: 0.5 }]);
    const shared = { ...ends, relation_type: "needs" };
    await entities.relate({ ...shared, evidence_memory_id: evidence.id });
    expect((await entitiesApi(blue).relate(shared)).evidence_memory_id).toBeNull();
    expect((await red.relate(shared)).evidence_memory_id).toBe(evidence.id);
  });
});
