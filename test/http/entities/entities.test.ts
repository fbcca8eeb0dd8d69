import { beforeEach, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { ENTITIES, RELATIONS } from "../../support/api/entities.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { entitiesApp } from "../../support/entities-app.ts";

const app = entitiesApp();

/** Names that a memory is linked to, in order. */
const linksOf = async (id: string): Promise<string[]> =>
  (await app.memories.get(id)).entity_links.map(({ canonical_name = "?" }) => canonical_name);
const patch = (id: string, body: unknown) =>
  app.app.client.ok(Memory, "PATCH", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT }, body });

describe("a memory", () => {
  test("is linked to what it names: in the read by id with name and type, in lists and searches by id and role", async () => {
    const { id } = await app.memories.write({ content: "Anna Keller moved from Berlin to Nordlicht GmbH." });
    await app.app.settle();
    const { entity_links, subject_entity_id } = await app.memories.get(id);
    expect(entity_links).toMatchObject([
      { role: "subject", entity_type: "person", canonical_name: "Anna Keller" },
      { role: "object", entity_type: "location", canonical_name: "Berlin" },
      { role: "mentioned", entity_type: "organization", canonical_name: "Nordlicht GmbH" },
    ]);
    expect(subject_entity_id).toBe(entity_links[0]?.entity_id ?? "none");
    const links = entity_links.map(({ entity_id, role }) => ({ entity_id, role }));
    const [listed] = (await app.memories.list()).items;
    const [found] = (await app.memories.search("Anna Keller")).items;
    for (const shown of [listed, found]) expect(shown).toMatchObject({ entity_links: links, subject_entity_id });
  });

  test("of a bulk write is linked as well", async () => {
    await app.memories.bulk([{ content: "We met Anna Keller in Rome." }, { content: "Then we flew to Rome again." }]);
    await app.app.settle();
    expect(await app.entities.counts()).toEqual({ Rome: 2, "Anna Keller": 1 });
  });

  test("that changes its text is linked to what it names now, and to what its callers said", async () => {
    const kept = await app.entities.upsert({ entity_type: "concept", canonical_name: "Travel" });
    const entity_links = [{ entity_id: kept.id, role: "topic" }];
    const { id } = await app.memories.write({ content: "We met Anna Keller in Rome.", entity_links });
    await app.app.settle();
    expect(await linksOf(id)).toEqual(["Travel", "Anna Keller", "Rome"]);
    const patched = await patch(id, { content: "We met nobody in Paris." });
    expect(patched.entity_links).toEqual(entity_links);
    await app.app.settle();
    expect(await linksOf(id)).toEqual(["Travel", "Paris"]);
    expect(await app.entities.counts()).toEqual({ Paris: 1, Travel: 1 });
  });

  test("that is deleted names nothing any more", async () => {
    const { id } = await app.memories.write({ content: "We met Anna Keller in Rome." });
    await app.app.settle();
    await app.memories.remove(id);
    expect(await app.entities.list()).toEqual([]);
  });

  test("takes links to entities of its tenant from callers, added by a patch, too", async () => {
    const [one, two] = [
      await app.entities.upsert({ entity_type: "concept", canonical_name: "Travel" }),
      await app.entities.upsert({ entity_type: "project", canonical_name: "Summer" }),
    ];
    const link = ({ id }: { id: string }) => ({ entity_id: id, role: "topic" });
    const { id } = await app.memories.write({ entity_links: [link(one)] });
    await patch(id, { entity_links: [link(two)] });
    await app.app.settle();
    expect(await linksOf(id)).toEqual(["Travel", "Summer"]);
    expect(await app.entities.counts()).toEqual({ Travel: 1, Summer: 1 });
  });
});

describe("the list of entities", () => {
  beforeEach(async () => {
    await app.memories.bulk([
      { content: "We met Anna Keller in Rome." },
      { content: "Rome is warm. We love Rome, and we use PostgreSQL." },
    ]);
    await app.memories.bulk([{ content: "The red team visits Rome and PR #12." }], { fleet_id: "red" });
    await app.app.settle();
  });

  test("shows those named most often first, as many as asked for", async () => {
    expect((await app.entities.list()).map(({ canonical_name }) => canonical_name)).toEqual([
      "Rome",
      "Anna Keller",
      "PostgreSQL",
      "PR #12",
    ]);
    expect(await app.entities.list({ limit: 1 })).toHaveLength(1);
    const [rome] = await app.entities.list({ limit: 1 });
    expect(rome).toMatchObject({ tenant_id: TENANT, fleet_id: null, entity_type: "location", memory_count: 3 });
  });

  test.each([
    [{ entity_type: "person" }, { "Anna Keller": 1 }],
    [{ entity_type: "no such type" }, {}],
    [{ search: "rom" }, { Rome: 3 }],
    [{ search: "Keller, Anna".slice(0, 6) }, { "Anna Keller": 1 }],
    [{ search: "%" }, {}],
    [{ fleet_id: "red" }, { Rome: 1, "PR #12": 1 }],
    [{ fleet_id: "blue" }, {}],
    [{ fleet_id: "red", entity_type: "location" }, { Rome: 1 }],
  ])("narrowed by %o", async (query, expected) => {
    expect(await app.entities.counts(query)).toEqual(expected);
  });

  test.each([{ limit: 0 }, { limit: 501 }, { limit: "many" }])("refuses %o", async (query) => {
    expect((await app.app.client.refused("GET", ENTITIES, { query })).status).toBe(422);
  });
});

describe("an entity's page", () => {
  test("has other names, relations and the newest memories", async () => {
    const written = [
      await app.memories.write({ content: "The Site Reliability Engineering (SRE) team moved to Rome." }),
      await app.memories.write({ content: "We hear that SRE likes Rome." }),
    ];
    await app.app.settle();
    const [sre] = await app.entities.list({ search: "sre" });
    const page = await app.entities.get(sre?.id ?? "");
    const [rome] = await app.entities.list({ search: "rome" });
    expect(page).toMatchObject({
      canonical_name: "Site Reliability Engineering",
      memory_count: 2,
      aliases: ["SRE"],
      memory_ids: written.map(({ id }) => id).toReversed(),
      relations: [{ id: null, relation_type: "related_to", to_entity_id: rome?.id ?? "", weight: 0.5, inferred: true }],
    });
  });

  test("that is not there is refused with 404, an id that is none with 422", async () => {
    const unknown = await app.app.client.refused("GET", `${ENTITIES}/${crypto.randomUUID()}`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect((await app.app.client.refused("GET", `${ENTITIES}/seven`)).status).toBe(422);
  });
});

describe("an entity entered by hand", () => {
  test("is one per name, whatever the way to write it; attributes are merged", async () => {
    const first = await app.entities.upsert({
      entity_type: "concept",
      canonical_name: "Red Hat",
      attributes: { a: 1, b: 1 },
    });
    const second = await app.entities.upsert({
      entity_type: "organization",
      canonical_name: "RedHat",
      attributes: { b: 2 },
      aliases: ["RHEL maker"],
    });
    expect(second).toMatchObject({ id: first.id, entity_type: "organization", attributes: { a: 1, b: 2 } });
    expect((await app.entities.get(first.id)).aliases).toEqual(["RHEL maker"]);
    expect(await app.entities.counts()).toEqual({ RedHat: 0 });
  });

  test.each([
    [{ canonical_name: "..." }, ["body", "canonical_name"]],
    [{ canonical_name: "  " }, ["body", "canonical_name"]],
    [{ entity_type: "planet" }, ["body", "entity_type"]],
    [{ aliases: ["fine", "!!"] }, ["body", "aliases", "1"]],
    [{ attributes: [] }, ["body", "attributes"]],
  ])("is refused for %o", async (fields, loc) => {
    const body = { tenant_id: TENANT, entity_type: "concept", canonical_name: "Fine", ...fields };
    const { status, body: refusal } = await app.app.client.refused("POST", `${ENTITIES}/upsert`, { body });
    expect(status).toBe(422);
    expect(refusal.detail).toMatchObject([{ loc }]);
    expect(await app.entities.list()).toEqual([]);
  });
});

describe("a relation", () => {
  const enter = (canonical_name: string) => app.entities.upsert({ entity_type: "concept", canonical_name });

  test("is one per pair and kind, and an edge of the graph", async () => {
    const [a, b] = [await enter("Alpha"), await enter("Beta")];
    const ends = { from_entity_id: a.id, relation_type: "part_of", to_entity_id: b.id };
    const first = await app.entities.relate(ends);
    expect(first).toMatchObject({ ...ends, weight: 1, evidence_memory_id: null, inferred: false });
    const { id: evidence_memory_id } = await app.memories.write();
    const second = await app.entities.relate({ ...ends, weight: 0.5, evidence_memory_id });
    expect(second).toEqual({ ...first, weight: 0.5, evidence_memory_id });
    const { nodes, edges } = await app.entities.graph();
    expect(nodes.map(({ canonical_name }) => canonical_name)).toEqual(["Alpha", "Beta"]);
    expect(edges).toEqual([second]);
  });

  test("to what does not exist, or by evidence that does not, is refused with 404", async () => {
    const a = await enter("Alpha");
    const ends = { tenant_id: TENANT, from_entity_id: a.id, relation_type: "part_of", to_entity_id: a.id };
    for (const wrong of ["from_entity_id", "to_entity_id", "evidence_memory_id"]) {
      const body = { ...ends, [wrong]: crypto.randomUUID() };
      expect((await app.app.client.refused("POST", RELATIONS, { body })).status).toBe(404);
    }
  });

  test.each([{ weight: 1.1 }, { weight: -0.1 }, { relation_type: " " }, { to_entity_id: "x" }])(
    "is refused for %o",
    async (fields) => {
      const a = await enter("Alpha");
      const body = { tenant_id: TENANT, from_entity_id: a.id, relation_type: "is", to_entity_id: a.id, ...fields };
      expect((await app.app.client.refused("POST", RELATIONS, { body })).status).toBe(422);
    },
  );

  test("follows from two memories that name both", async () => {
    await app.memories.bulk([{ content: "We met Anna Keller in Rome." }, { content: "Call Anna Keller about Rome." }]);
    await app.memories.bulk([{ content: "We saw Rome and Paris." }]);
    await app.app.settle();
    const { nodes, edges } = await app.entities.graph();
    const nameOf = new Map(nodes.map(({ id, canonical_name }) => [id, canonical_name]));
    expect(edges.map((edge) => [edge.from_entity_id, edge.to_entity_id].map((id) => nameOf.get(id)).sort())).toEqual([
      ["Anna Keller", "Rome"],
    ]);
    expect(edges).toMatchObject([{ id: null, relation_type: "related_to", weight: 0.5, inferred: true }]);
  });
});
