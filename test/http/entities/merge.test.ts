import { beforeEach, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { ENTITIES } from "../../support/api/entities.ts";
import { TENANT } from "../../support/builders.ts";
import { refusalOf } from "../../support/credentials.ts";
import { entitiesApp } from "../../support/entities-app.ts";

const app = entitiesApp();
const client = () => app.app.client;

/** The id of the one entity of this name. */
const idOf = async (name: string): Promise<string> =>
  (await app.entities.list()).find(({ canonical_name }) => canonical_name === name)?.id ?? `no ${name}`;
const namesOf = async (memory: string): Promise<string[]> =>
  (await app.memories.get(memory)).entity_links.map(({ canonical_name = "?" }) => canonical_name);
/** Reads every row again, as after a repair. */
const rebuild = async () => {
  await client().call("POST", "/api/v1/integrity/rebuild");
  await app.app.settle();
};
const expectWhole = async () => {
  const { checks } = await client().ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
};
const mergeRefused = async (id: string, from_id: string) =>
  client().refused("POST", `${ENTITIES}/${id}/merge`, { body: { tenant_id: TENANT, from_id } });

describe("two names of one person", () => {
  let full = "";
  let short = "";
  let memory = "";
  beforeEach(async () => {
    ({ id: memory } = await app.memories.write({ content: "Anna Keller moved from Berlin to Rome." }));
    await app.memories.write({ content: "Bertram Nowak met Annika Weber in Oslo." });
    await app.memories.write({ content: "Annika Weber and Anna Keller work at Nordlicht GmbH." });
    await app.app.settle();
    [full, short] = [await idOf("Annika Weber"), await idOf("Anna Keller")];
  });

  test("are one: links, counts and the subject of memories lead to the one that stays", async () => {
    const merged = await app.entities.merge(full, short);
    expect(merged).toMatchObject({ id: full, canonical_name: "Annika Weber", memory_count: 3 });
    expect(merged.aliases.sort()).toEqual(["Anna", "Anna Keller"]);
    expect(await app.entities.counts()).toMatchObject({ "Annika Weber": 3 });
    expect(Object.keys(await app.entities.counts())).not.toContain("Anna Keller");
    expect((await app.memories.get(memory)).subject_entity_id).toBe(full);
    expect(await namesOf(memory)).toEqual(["Annika Weber", "Berlin", "Rome"]);
    const gone = await client().refused("GET", `${ENTITIES}/${short}`);
    expect(refusalOf(gone)).toEqual([404, "NOT_FOUND"]);
    await expectWhole();
  });

  test("stay one when all rows are read again, and in what is written later", async () => {
    await app.entities.merge(full, short);
    const before = await app.entities.counts();
    await rebuild();
    expect(await app.entities.counts()).toEqual(before);
    await app.memories.write({ content: "Anna Keller flew to Paris." });
    await app.memories.write({ content: "They asked Annika Weber about Lyon." });
    await app.app.settle();
    expect(await app.entities.counts()).toMatchObject({ "Annika Weber": 5 });
    await rebuild();
    const after = await app.entities.counts();
    expect(after).toMatchObject({ "Annika Weber": 5, Paris: 1, Lyon: 1 });
    expect(Object.keys(after)).not.toContain("Anna Keller");
    const found = await app.memories.search("Anna Keller", { diagnostic: true });
    expect(found.diagnostic?.entity_matches).toBe(1);
    await expectWhole();
  });

  test("stay one when a text changes and when its name is entered again", async () => {
    await app.entities.merge(full, short);
    const query = { tenant_id: TENANT };
    const body = { content: "Anna Keller moved from Berlin to Madrid." };
    await client().call("PATCH", `/api/v1/memories/${memory}`, { query, body });
    await app.app.settle();
    expect(await namesOf(memory)).toEqual(["Annika Weber", "Berlin", "Madrid"]);
    const again = await app.entities.upsert({
      entity_type: "concept",
      canonical_name: "anna keller",
      attributes: { desk: 4 },
    });
    expect(again).toMatchObject({
      id: full,
      canonical_name: "Annika Weber",
      entity_type: "person",
      attributes: { desk: 4 },
    });
  });

  test("are merged once: the second time the one that went is not there", async () => {
    await app.entities.merge(full, short);
    const again = await mergeRefused(full, short);
    expect(refusalOf(again)).toEqual([404, "NOT_FOUND"]);
    expect(again.body.error.message).toContain("part of this one already");
    expect(refusalOf(await mergeRefused(short, full))).toEqual([404, "NOT_FOUND"]);
    expect(refusalOf(await mergeRefused(full, crypto.randomUUID()))).toEqual([404, "NOT_FOUND"]);
    expect(refusalOf(await mergeRefused(full, full))).toEqual([422, "INVALID_ARGUMENTS"]);
  });

  test("leave an audit row that says what went where", async () => {
    await app.entities.merge(full, short);
    const { items } = await client().ok(AuditLog, "GET", "/api/v1/audit-log", {
      query: { tenant_id: TENANT, action: "entity.merge" },
    });
    expect(items[0]).toMatchObject({
      target_id: full,
      before: { from_id: short, canonical_name: "Anna Keller", entity_type: "person" },
      after: { canonical_name: "Annika Weber", memories: 2, is_gone: true },
    });
  });
});

test("what was entered goes over: attributes where the survivor has none, other names, relations by the larger weight", async () => {
  const enter = async (canonical_name: string, fields = {}) =>
    (await app.entities.upsert({ entity_type: "project", canonical_name, ...fields })).id;
  const into = await enter("Heron", { attributes: { a: 1, b: 1 }, aliases: ["Grey bird"] });
  const from = await enter("Egret", { attributes: { b: 2, c: 2 }, aliases: ["White bird"] });
  const [port, sea] = [await enter("Port"), await enter("Sea")];
  const relate = (from_entity_id: string, relation_type: string, to_entity_id: string, weight: number) =>
    app.entities.relate({ from_entity_id, relation_type, to_entity_id, weight });
  await relate(into, "uses", port, 0.2);
  await relate(from, "uses", port, 0.7);
  await relate(port, "serves", into, 0.9);
  await relate(port, "serves", from, 0.3);
  await relate(from, "likes", sea, 0.5);
  await relate(from, "is", into, 1);
  await relate(from, "is", from, 1);
  const merged = await app.entities.merge(into, from);
  expect(merged.attributes).toEqual({ a: 1, b: 1, c: 2 });
  expect(merged.aliases.sort()).toEqual(["Egret", "Grey bird", "White bird"]);
  const told = merged.relations.map((one) => [one.from_entity_id, one.relation_type, one.to_entity_id, one.weight]);
  expect(told).toEqual([
    [port, "serves", into, 0.9],
    [into, "uses", port, 0.7],
    [into, "likes", sea, 0.5],
  ]);
  await expectWhole();
});

test("what callers said of the one that goes is said of the survivor, in deleted rows, too", async () => {
  const [into, from] = [
    await app.entities.upsert({ entity_type: "concept", canonical_name: "Travel" }),
    await app.entities.upsert({ entity_type: "concept", canonical_name: "Journeys" }),
  ];
  const link = (entity_id: string, role: string) => ({ entity_id, role });
  const both = await app.memories.write({ entity_links: [link(into.id, "topic"), link(from.id, "other")] });
  const one = await app.memories.write({ entity_links: [link(from.id, "topic")] });
  const stated = (subject_entity_id: string, object_value: string) =>
    app.memories.write({ subject_entity_id, predicate: "budget", object_value });
  const [old, fresh] = [await stated(into.id, "100 euros"), await stated(from.id, "900 euros")];
  const removed = await app.memories.write({ entity_links: [link(from.id, "topic")] });
  await app.memories.remove(removed.id);
  await app.app.settle();
  expect((await app.memories.get(old.id)).status).toBe("active");
  await app.entities.merge(into.id, from.id);
  await client().call("POST", `/api/v1/memories/${removed.id}/restore`, { body: { tenant_id: TENANT } });
  await app.app.settle();
  const linksOf = async (id: string) =>
    (await app.memories.get(id)).entity_links.map(({ entity_id, role }) => [entity_id, role]);
  expect(await linksOf(both.id)).toContainEqual([into.id, "topic"]);
  for (const { id } of [both, one, removed]) {
    expect((await linksOf(id)).filter(([entity]) => entity === into.id)).toEqual([[into.id, "topic"]]);
    expect(await linksOf(id)).not.toContainEqual([from.id, expect.anything()]);
  }
  expect((await app.memories.get(fresh.id)).subject_entity_id).toBe(into.id);
  // They speak of one thing now, and cannot both be so.
  expect((await app.memories.get(old.id)).status).toBe("outdated");
  await expectWhole();
});
