import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { ENTITIES, entitiesApi } from "../../support/api/entities.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const tenant_id = "harbour";
const owner = app.client.as({ ...viaGateway(tenant_id), "X-Org-Role": "admin" });
const [memories, entities] = [memoriesApi(owner, tenant_id), entitiesApi(owner, tenant_id)];

let things = 0;
/** A name of a person that no other test has. */
const aName = (first: string): string => `${first} Vogel${++things}x`;
const idOf = async (name: string, query = {}): Promise<string> =>
  (await entities.list({ ...query, search: name })).find(({ canonical_name }) => canonical_name === name)?.id ?? "none";
const change = (id: string, fields: Record<string, unknown>, client = owner) =>
  client.refused("PATCH", `${ENTITIES}/${id}`, { body: { tenant_id, ...fields } });
const rebuild = async () => {
  await app.client.call("POST", "/api/v1/integrity/rebuild");
  await app.settle();
};

describe("an entity that memories name", () => {
  let [name, renamed, id] = ["", "", ""];
  beforeEach(async () => {
    [name, renamed] = [aName("Anna"), aName("Annika")];
    await memories.write({ content: `${name} moved to Rome.`, agent_id: "bob" });
    await app.settle();
    id = await idOf(name);
  });

  test("is renamed: its former name leads to it as before, and the new one does, in all that is read again", async () => {
    const changed = await entities.change(id, { canonical_name: renamed, entity_type: "person", aliases: ["Vogelin"] });
    expect(changed).toMatchObject({ id, canonical_name: renamed, entity_type: "person", memory_count: 1 });
    expect(changed.aliases).toEqual(expect.arrayContaining([name, "Vogelin"]));
    expect(changed.aliases).not.toContain(renamed);
    await memories.write({ content: `${renamed} flew to Oslo.`, agent_id: "bob" });
    await memories.write({ content: `${name} flew to Lima.`, agent_id: "bob" });
    await app.settle();
    expect((await entities.get(id)).memory_count).toBe(3);
    await rebuild();
    expect(await entities.get(id)).toMatchObject({ canonical_name: renamed, memory_count: 3 });
    expect(await idOf(name)).toBe("none");
    const { diagnostic } = await memories.search(renamed, { diagnostic: true });
    expect(diagnostic?.entity_matches).toBe(1);
    const { checks } = await app.client.ok(IntegrityReport, "GET", "/api/v1/integrity");
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  test("is found by either name when it is entered again, and keeps the new one", async () => {
    await entities.change(id, { canonical_name: renamed });
    for (const canonical_name of [name, renamed]) {
      const entered = await entities.upsert({
        entity_type: "person",
        canonical_name,
        attributes: { [canonical_name]: 1 },
      });
      expect(entered).toMatchObject({ id, canonical_name: renamed });
    }
    expect((await entities.get(id)).attributes).toEqual({ [name]: 1, [renamed]: 1 });
  });

  test("is renamed back, and only respelled", async () => {
    await entities.change(id, { canonical_name: renamed });
    const back = await entities.change(id, { canonical_name: name.toUpperCase() });
    expect(back).toMatchObject({ id, canonical_name: name.toUpperCase() });
    expect(back.aliases).toEqual(expect.arrayContaining([renamed]));
    expect(back.aliases).not.toContain(name);
  });

  test("does not take the name of another one, which the refusal names", async () => {
    const other = aName("Bertram");
    await memories.write({ content: `${other} moved to Rome.`, agent_id: "bob" });
    await app.settle();
    for (const fields of [{ canonical_name: other }, { aliases: [other.toLowerCase()] }]) {
      const { status, body } = await change(id, fields);
      expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
      expect(body.error.details).toMatchObject({ entity_id: await idOf(other) });
      expect(body.error.message).toContain("/merge");
    }
    expect((await entities.get(id)).canonical_name).toBe(name);
  });

  test("leaves an audit row of what it was called before", async () => {
    await entities.change(id, { canonical_name: renamed, entity_type: "organization" });
    const { items } = await owner.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { tenant_id, target_id: id } });
    expect(items).toMatchObject([
      {
        action: "entity.create",
        before: { canonical_name: name },
        after: { canonical_name: renamed, entity_type: "organization" },
      },
    ]);
  });

  test.each([{ canonical_name: "..." }, { canonical_name: " " }, { entity_type: "planet" }, { aliases: ["!"] }])(
    "is not changed by %j",
    async (fields) => {
      expect(refusalOf(await change(id, fields))).toEqual([422, "INVALID_ARGUMENTS"]);
    },
  );
});

describe("who may change, and what others are told", () => {
  test("another tenant, an unknown id and too little trust", async () => {
    const { id } = await entities.upsert({ entity_type: "concept", canonical_name: aName("Carl") });
    const acme = app.client.as(viaGateway("acme"));
    const fields = { canonical_name: "Mine" };
    expect(refusalOf(await change(id, { ...fields, tenant_id: "acme" }, acme))).toEqual([404, "NOT_FOUND"]);
    expect(refusalOf(await change(crypto.randomUUID(), fields))).toEqual([404, "NOT_FOUND"]);
    const weak = await holder(app.client, { tenant_id, agent_id: "weak", trust: 0 });
    expect(refusalOf(await change(id, fields, weak))).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
  });

  test("what private memories alone name is not made known by its agent's change, nor found by others", async () => {
    const secret = aName("Vera");
    await memories.write({ content: `${secret} moved to Rome.`, agent_id: "ada", visibility: "scope_agent" });
    await app.settle();
    const id = await idOf(secret, { agent_id: "ada" });
    const ada = await holder(app.client, { tenant_id, agent_id: "ada", trust: 1 });
    expect(refusalOf(await change(id, { entity_type: "person" }, ada))).toEqual([409, "CONFLICT"]);
    expect(refusalOf(await change(id, { entity_type: "person" }))).toEqual([404, "NOT_FOUND"]);
    expect(await idOf(secret)).toBe("none");
    // A name that the caller does not know of is free.
    const { id: own } = await entities.upsert({ entity_type: "concept", canonical_name: aName("Dora") });
    expect(await entities.change(own, { canonical_name: secret })).toMatchObject({ id: own, canonical_name: secret });
  });

  test("a fleet names what it entered for itself, and what all share for all", async () => {
    const [blue, red] = [
      await holder(app.client, { tenant_id, agent_id: "bert", fleet_id: "blue", trust: 1 }),
      await holder(app.client, { tenant_id, agent_id: "rita", fleet_id: "red", trust: 1 }),
    ];
    const [name, ours] = [aName("Emil"), aName("Emilio")];
    const [theirs, mine] = [entitiesApi(red, tenant_id), entitiesApi(blue, tenant_id)];
    const { id } = await mine.upsert({ entity_type: "person", canonical_name: name, fleet_id: "blue" });
    await theirs.upsert({ entity_type: "person", canonical_name: name });
    expect(await mine.change(id, { canonical_name: ours })).toMatchObject({ fleet_id: "blue", canonical_name: ours });
    expect(await theirs.get(id)).toMatchObject({ fleet_id: null, canonical_name: name, aliases: [] });
    expect(await theirs.list({ search: ours })).toEqual([]);
    const shared = aName("Frida");
    expect(await theirs.change(id, { canonical_name: shared })).toMatchObject({
      fleet_id: null,
      canonical_name: shared,
    });
    expect((await mine.get(id)).canonical_name).toBe(ours);
    const scout = await holder(app.client, { tenant_id, agent_id: "saul", fleet_id: "red", trust: 2 });
    const only = await mine.upsert({ entity_type: "person", canonical_name: aName("Greta"), fleet_id: "blue" });
    expect(refusalOf(await change(only.id, { entity_type: "role" }, red))).toEqual([404, "NOT_FOUND"]);
    expect(refusalOf(await change(only.id, { entity_type: "role" }, scout))).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
  });
});
