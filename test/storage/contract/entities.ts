import { describe, expect, test } from "bun:test";
import type { EntityChange, EntityListing } from "../../../src/core/ports/entity-store.ts";
import type { ReadScope } from "../../../src/core/ports/memory-filter.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { nameKey } from "../../../src/text/names/name-key.ts";
import { ACTOR, anEntry, aRow, TENANT } from "../../support/builders.ts";
import { aPerson, aThing, naming } from "../../support/names.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, agentOf } from "../subject.ts";

const PRIVATE = { visibility: "scope_agent" } as const;
const PAGE = { read_scope: ANYBODY, offset: 0, bytes: 1_000_000, limit: 100 };

export function describeEntities(subject: Subject): void {
  const entities = () => subject.storage.entities;
  const seed = async (...rows: StoredMemory[]) => {
    await subject.seed(...rows.map((row) => anEntry(row)));
    return rows;
  };
  const enter = (canonical_name: string, fields: Partial<EntityChange> = {}) =>
    entities().upsert(
      {
        tenant_id: TENANT,
        fleet_id: null,
        home: null,
        entity_type: "concept",
        canonical_name,
        key: nameKey(canonical_name),
        attributes: null,
        aliases: [],
        ...fields,
      },
      ACTOR,
      () => {},
    );
  /** Names of what a row is linked to, in order. */
  const linked = async ({ id, tenant_id, agent_id }: StoredMemory) => {
    const [row] = await subject.list({ tenant_id, ids: [id], include_deleted: true });
    const links = row?.entity_links ?? [];
    const known = await entities().describe(
      { ...ANYBODY, tenant_id, agent_id },
      { ids: links.map(({ entity_id }) => entity_id), bytes: 1_000 },
    );
    const nameOf = new Map(known.map((entity) => [entity.id, entity.canonical_name]));
    return links.map(({ entity_id }) => nameOf.get(entity_id) ?? "?");
  };
  const list = async (listing: EntityListing) => (await entities().list(listing)).items;
  const counts = async (read_scope: ReadScope = ANYBODY) => {
    const found = await list({ ...PAGE, read_scope });
    return Object.fromEntries(found.map(({ canonical_name, memory_count }) => [canonical_name, memory_count]));
  };
  const queued = async () => {
    const now = subject.clock.now();
    const ids: string[] = [];
    for (let job = await subject.storage.jobs.claim(now, 1); job; job = await subject.storage.jobs.claim(now, 1)) {
      if (job.job.kind === "understand_memories") ids.push(...job.job.payload.memory_ids);
      await subject.storage.jobs.finish(job.id);
    }
    return ids.sort();
  };

  describe("links", () => {
    test("lead from rows to what they name, each thing once, in the order of the text", async () => {
      const [one, two] = await seed(aRow(), aRow());
      if (!one || !two) return;
      await entities().link(TENANT, [
        naming(one, [aThing("Rome"), aThing("Anna", { entity_type: "person", role: "subject" })]),
        naming(two, [aThing("ROME", { entity_type: "location" })]),
      ]);
      expect(await linked(one)).toEqual(["Rome", "Anna"]);
      expect(await linked(two)).toEqual(["Rome"]);
      expect(await counts()).toEqual({ Rome: 2, Anna: 1 });
      const [rome] = await list({ ...PAGE, search: "rom" });
      expect(rome).toMatchObject({ entity_type: "location", canonical_name: "Rome" });
    });

    test("made twice are made once", async () => {
      const [row] = await seed(aRow());
      if (!row) return;
      const names = [
        naming(row, [aPerson("Anna Keller"), aThing("Rome")], [{ alias: "AK", alias_key: "ak", key: "rome" }]),
      ];
      await entities().link(TENANT, names);
      const before = await subject.list({ ids: [row.id] });
      await entities().link(TENANT, names);
      expect(await subject.list({ ids: [row.id] })).toEqual(before);
      expect(await counts()).toEqual({ "Anna Keller": 1, Rome: 1 });
      expect(await queued()).toEqual([]);
    });

    test("follow a text that changed: the old ones go, callers' own stay", async () => {
      const kept = await enter("Kept");
      const [row] = await seed(aRow({ entity_links: [{ entity_id: kept.id, role: "object" }] }));
      if (!row) return;
      await entities().link(TENANT, [naming(row, [aThing("Rome"), aThing("Kept")])]);
      expect(await linked(row)).toEqual(["Kept", "Rome"]);
      await entities().link(TENANT, [naming(row, [aThing("Paris")])]);
      expect(await linked(row)).toEqual(["Kept", "Paris"]);
      expect(await counts()).toEqual({ Kept: 1, Paris: 1 });
      const [stored] = await subject.list({ ids: [row.id] });
      expect(stored?.entity_links[0]).toEqual({ entity_id: kept.id, role: "object" });
    });

    test("are not made for a text that changed meanwhile, a row that is gone, or one of another tenant", async () => {
      const [changed, gone, foreign] = await seed(aRow(), aRow(), aRow({ tenant_id: "acme" }));
      if (!changed || !gone || !foreign) return;
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [gone.id] }, ACTOR, 1);
      await entities().link(TENANT, [
        { ...naming(changed, [aThing("Rome")]), content_hash: "another" },
        naming(gone, [aThing("Rome")]),
        naming(foreign, [aThing("Rome")]),
      ]);
      expect(await counts()).toEqual({});
      expect(await linked(foreign)).toEqual([]);
    });

    test("of a removed row are gone, and a name that nobody says any more is none", async () => {
      const [one, two] = await seed(aRow(), aRow());
      if (!one || !two) return;
      await entities().link(TENANT, [naming(one, [aThing("Rome"), aThing("Paris")]), naming(two, [aThing("Rome")])]);
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [one.id] }, ACTOR, 1);
      expect(await counts()).toEqual({ Rome: 1 });
      expect(await linked(one)).toEqual([]);
    });

    test("that are gone leave names that are erased, but for those that a deleted row's caller linked", async () => {
      const [first] = await seed(aRow());
      if (!first) return;
      await entities().link(TENANT, [naming(first, [aThing("Orion"), aThing("Vega")])]);
      const [orion = "", vega = ""] = (await subject.list())[0]?.entity_links.map(({ entity_id }) => entity_id) ?? [];
      const linking = aRow({ entity_links: [{ entity_id: vega, role: "about" }] });
      await seed(linking);
      /** Those that a row whose text names both is filed under. */
      const stored = async () => {
        const about = [orion, vega].map((entity_id) => ({ entity_id, role: "about", inferred: true as const }));
        const probe = aRow({ entity_links: about });
        await seed(probe);
        const found = (await list(PAGE)).map(({ id }) => id);
        const its = { tenant_id: TENANT, ids: [probe.id] };
        await subject.storage.memories.remove(its, ACTOR, 1);
        await subject.storage.memories.erase({ ...its, include_deleted: true }, ACTOR, 1);
        return found;
      };
      const eraseNames = async () => {
        for (let at: number | null = 0; at !== null; ) at = await entities().deleteOrphanedNames(at);
      };
      await subject.storage.memories.remove({ tenant_id: TENANT }, ACTOR, 10);
      expect((await stored()).sort()).toEqual([orion, vega].sort());
      await subject.storage.memories.erase({ tenant_id: TENANT, ids: [first.id], include_deleted: true }, ACTOR, 1);
      await eraseNames();
      expect(await stored()).toEqual([vega]);
      await subject.storage.memories.erase({ tenant_id: TENANT, include_deleted: true }, ACTOR, 10);
      await eraseNames();
      expect(await stored()).toEqual([]);
    });

    test("of a name that may be none are made only where the name is known, in any order of the rows", async () => {
      const [first, second, third] = await seed(aRow(), aRow(), aRow());
      if (!first || !second || !third) return;
      const weak = aThing("Nightjar", { sure: false });
      await entities().link(TENANT, [naming(first, [weak])]);
      expect(await linked(first)).toEqual([]);
      await entities().link(TENANT, [naming(second, [weak]), naming(third, [aThing("Nightjar")])]);
      expect(await linked(second)).toEqual(["Nightjar"]);
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [third.id] }, ACTOR, 1);
      expect(await queued()).toEqual([second.id]);
      await entities().link(TENANT, [naming(second, [weak])]);
      expect(await linked(second)).toEqual([]);
    });
  });

  describe("a first name", () => {
    const anna = aThing("Anna", { entity_type: "person" });

    test("means the one person of that name, and nobody in particular when there are two", async () => {
      const [full, short, other, late] = await seed(aRow(), aRow(), aRow(), aRow());
      if (!full || !short || !other || !late) return;
      await entities().link(TENANT, [naming(short, [anna]), naming(full, [aPerson("Anna Keller")])]);
      expect(await linked(short)).toEqual(["Anna Keller"]);
      await entities().link(TENANT, [naming(other, [aPerson("Anna Weber")])]);
      await entities().link(TENANT, [naming(late, [anna])]);
      expect(await linked(late)).toEqual(["Anna"]);
    });

    test("said before the full name was known is read again, and when that is gone once more", async () => {
      const [short, full] = await seed(aRow(), aRow());
      if (!full || !short) return;
      await entities().link(TENANT, [naming(short, [anna])]);
      expect(await linked(short)).toEqual(["Anna"]);
      await entities().link(TENANT, [naming(full, [aPerson("Anna Keller")])]);
      expect(await queued()).toEqual([short.id]);
      await entities().link(TENANT, [naming(short, [anna])]);
      expect(await linked(short)).toEqual(["Anna Keller"]);
      expect(await queued()).toEqual([]);
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [full.id] }, ACTOR, 1);
      expect(await queued()).toEqual([short.id]);
      await entities().link(TENANT, [naming(short, [anna])]);
      expect(await linked(short)).toEqual(["Anna"]);
      expect(await counts()).toEqual({ Anna: 1 });
    });

    test("never tells readers of a row the surname that only a private row has", async () => {
      const [secret, shared, own] = await seed(aRow(PRIVATE), aRow(), aRow(PRIVATE));
      if (!secret || !shared || !own) return;
      await entities().link(TENANT, [naming(secret, [aPerson("Anna Keller")])]);
      await entities().link(TENANT, [naming(shared, [anna]), naming(own, [anna])]);
      expect(await linked(shared)).toEqual(["Anna"]);
      expect(await linked(own)).toEqual(["Anna Keller"]);
    });
  });

  test("another name that a text gives holds in other rows, as far as their readers know it", async () => {
    const same = [{ alias: "SRE", alias_key: "sre", key: nameKey("Site Reliability Engineering") }];
    const [telling, using, abroad] = await seed(aRow(), aRow(), aRow({ tenant_id: "acme" }));
    if (!telling || !using || !abroad) return;
    await entities().link(TENANT, [naming(telling, [aThing("Site Reliability Engineering")], same)]);
    await entities().link(TENANT, [naming(using, [aThing("SRE")])]);
    await entities().link("acme", [naming(abroad, [aThing("SRE")])]);
    expect(await linked(using)).toEqual(["Site Reliability Engineering"]);
    expect(await linked(abroad)).toEqual(["SRE"]);
    const [entity] = await list({ ...PAGE, search: "sre" });
    const page = await entities().get({ tenant_id: TENANT, id: entity?.id ?? "" }, ANYBODY);
    expect(page?.aliases).toEqual(["SRE"]);
  });

  test("a name spelled nearly so is linked where the known one is, and remembered as another name of it", async () => {
    const [known, near] = await seed(aRow(), aRow());
    if (!known || !near) return;
    await entities().link(TENANT, [naming(known, [aThing("Data Center")])]);
    const [neighbour] = await entities().neighbours(near, [{ key: "datacentre", parts: [] }]);
    expect(neighbour).toMatchObject({ key: "datacentre", near_key: "datacenter", near_name: "Data Center" });
    await entities().link(TENANT, [naming(near, [aThing("Data Centre", { alike_key: "datacenter" })])]);
    expect(await linked(near)).toEqual(["Data Center"]);
    expect(await entities().neighbours(aRow({ tenant_id: "acme" }), [{ key: "datacentre", parts: [] }])).toEqual([]);
    const { matched } = await entities().match(ANYBODY, ["datacentre"], 10);
    expect(matched).toMatchObject([{ key: "datacenter", rows: 2 }]);
  });

  test("whether a name is spelled nearly as a known one, only what all of a row's readers know decides", async () => {
    const theirs = [{ fleet_id: "red" }, { ...PRIVATE, agent_id: "ada" }].map((owners) => aRow(owners));
    const [blue, ...unseen] = await seed(aRow({ fleet_id: "blue" }), ...theirs);
    if (!blue) return;
    for (const row of unseen) await entities().link(TENANT, [naming(row, [aThing("Data Center")])]);
    expect(await entities().neighbours(blue, [{ key: "datacentre", parts: [] }])).toEqual([]);
    for (const row of unseen) {
      expect(await entities().neighbours(row, [{ key: "datacentre", parts: [] }])).toMatchObject([
        { near_key: "datacenter" },
      ]);
    }
    const [shared, near] = await seed(aRow({ visibility: "scope_org" }), aRow({ fleet_id: "blue" }));
    if (!shared || !near) return;
    await entities().link(TENANT, [naming(shared, [aThing("Oslo Harbor")])]);
    for (const row of unseen) await entities().link(TENANT, [naming(row, [aThing("Oslo Harbour")])]);
    expect(await entities().neighbours(near, [{ key: "osloharbour", parts: [] }])).toHaveLength(1);
    await entities().link(TENANT, [naming(near, [aThing("Oslo Harbour", { alike_key: "osloharbor" })])]);
    expect(await linked(near)).toEqual(["Oslo Harbor"]);
  });

  test("what another fleet entered under a name keeps no row of others from what the name means to them", async () => {
    const same = [{ alias: "SRE", alias_key: "sre", key: nameKey("Site Reliability Engineering") }];
    const [telling, before, after, ofFleet] = await seed(
      aRow({ fleet_id: "blue" }),
      aRow({ fleet_id: "blue" }),
      aRow({ fleet_id: "blue" }),
      aRow({ fleet_id: "red" }),
    );
    if (!telling || !before || !after || !ofFleet) return;
    await entities().link(TENANT, [naming(telling, [aThing("Site Reliability Engineering")], same)]);
    await entities().link(TENANT, [naming(before, [aThing("SRE")])]);
    await enter("SRE", { fleet_id: "red" });
    await enter("Some Red Thing", { fleet_id: "red", aliases: [{ name: "SRE", key: "sre" }] });
    await entities().link(TENANT, [naming(after, [aThing("SRE")]), naming(ofFleet, [aThing("SRE")])]);
    expect(await linked(after)).toEqual(await linked(before));
    expect(await linked(ofFleet)).toEqual(["SRE"]);
  });

  describe("readers", () => {
    test("are told its name and type as the first of their own rows has them, whoever else came before", async () => {
      const [red, blue, later, ada] = await seed(
        aRow({ fleet_id: "red" }),
        aRow({ fleet_id: "blue" }),
        aRow({ fleet_id: "blue" }),
        aRow({ ...PRIVATE, agent_id: "ada" }),
      );
      if (!red || !blue || !later || !ada) return;
      await entities().link(TENANT, [naming(red, [aThing("OSLO", { entity_type: "project" })])]);
      await entities().link(TENANT, [naming(ada, [aThing("oSLO", { entity_type: "organization" })])]);
      await entities().link(TENANT, [naming(blue, [aThing("Oslo")])]);
      await entities().link(TENANT, [naming(later, [aThing("OSlo", { entity_type: "location" })])]);
      const told = async (read_scope: ReadScope) => {
        const [entity] = await list({ ...PAGE, read_scope });
        const page = await entities().get({ tenant_id: TENANT, id: entity?.id ?? "" }, read_scope);
        const described = await entities().describe(read_scope, { ids: [entity?.id ?? ""], bytes: 1_000 });
        return [entity, page, ...described].map((one) => [one?.canonical_name, one?.entity_type]);
      };
      const thrice = (name: string, type: string) => [0, 1, 2].map(() => [name, type]);
      expect(await told({ tenant_id: TENANT, agent_id: null, fleets: ["blue"] })).toEqual(thrice("Oslo", "location"));
      expect(await told({ tenant_id: TENANT, agent_id: null, fleets: ["red"] })).toEqual(thrice("OSLO", "project"));
      expect(await told({ tenant_id: TENANT, agent_id: "ada", fleets: [] })).toEqual(thrice("oSLO", "organization"));
      await enter("O-S-L-O", { fleet_id: "red", entity_type: "event", attributes: { codes: 7 } });
      expect(await told({ tenant_id: TENANT, agent_id: null, fleets: ["blue"] })).toEqual(thrice("Oslo", "location"));
      expect(await told({ tenant_id: TENANT, agent_id: null, fleets: ["red"] })).toEqual(thrice("O-S-L-O", "event"));
      const [known] = await list({
        ...PAGE,
        read_scope: { tenant_id: TENANT, agent_id: null, fleets: ["blue"] },
      });
      const blues = { tenant_id: TENANT, agent_id: null, fleets: ["blue"] };
      expect(await entities().describe(blues, { ids: [known?.id ?? ""], bytes: 1_000 })).toMatchObject([
        { attributes: {} },
      ]);
    });

    test("see an entity by what rows of theirs name it, or once it was entered by hand", async () => {
      const [secret, team, org] = await seed(
        aRow({ ...PRIVATE, agent_id: "ada" }),
        aRow({ fleet_id: "red" }),
        aRow({ visibility: "scope_org" }),
      );
      if (!secret || !team || !org) return;
      const all = aThing("Everywhere");
      await entities().link(TENANT, [
        naming(secret, [aThing("Hidden"), all]),
        naming(team, [aThing("Reddish"), all]),
        naming(org, [aThing("Common"), all]),
      ]);
      expect(await counts(agentOf("ada"))).toEqual({ Everywhere: 2, Common: 1, Hidden: 1 });
      expect(await counts(agentOf("bob", "red"))).toEqual({ Everywhere: 2, Common: 1, Reddish: 1 });
      expect(await counts(ANYBODY)).toEqual({ Everywhere: 2, Common: 1, Reddish: 1 });
      const [hidden] = await list({ ...PAGE, read_scope: agentOf("ada"), search: "hidden" });
      const key = { tenant_id: TENANT, id: hidden?.id ?? "" };
      expect(await entities().get(key, ANYBODY)).toBeNull();
      expect((await entities().match(ANYBODY, ["hidden"], 5)).matched).toEqual([]);
      expect((await entities().match(agentOf("ada"), ["hidden"], 5)).matched).toHaveLength(1);
      await enter("Hidden");
      expect(await counts(ANYBODY)).toEqual({ Everywhere: 2, Common: 1, Reddish: 1, Hidden: 0 });
    });

    test("of another tenant see nothing", async () => {
      const [row] = await seed(aRow());
      if (!row) return;
      await entities().link(TENANT, [naming(row, [aThing("Rome")])]);
      const [rome] = await list(PAGE);
      const abroad = { ...ANYBODY, tenant_id: "acme" };
      const id = rome?.id ?? "";
      expect(await counts(abroad)).toEqual({});
      expect(await entities().get({ tenant_id: "acme", id }, abroad)).toBeNull();
      expect(await entities().describe(abroad, { ids: [id], bytes: 1_000 })).toEqual([]);
      expect((await entities().match(abroad, ["rome"], 5)).matched).toEqual([]);
    });

    test("follow a row to its new readers", async () => {
      const [row] = await seed(aRow({ agent_id: "ada" }));
      if (!row) return;
      await entities().link(TENANT, [naming(row, [aThing("Rome")])]);
      const filter = { tenant_id: TENANT, ids: [row.id] };
      const change = { patch: PRIVATE, action: "memory.update" };
      await subject.storage.memories.update(filter, ACTOR, () => change);
      expect(await counts(ANYBODY)).toEqual({});
      await entities().link(TENANT, [naming(row, [aThing("Rome")])]);
      expect(await counts(agentOf("ada"))).toEqual({ Rome: 1 });
    });
  });

  describe("entities entered by hand", () => {
    test("are created once per name, changed after, attributes merged, each with an audit row", async () => {
      const first = await enter("Blue Lagoon", {
        attributes: { a: 1 },
        aliases: [{ name: "Lagoona", key: "lagoona" }],
      });
      subject.clock.advance(1_000);
      const second = await enter("the blue lagoon", { entity_type: "location", attributes: { b: 2 } });
      expect(second).toMatchObject({
        id: first.id,
        entity_type: "location",
        canonical_name: "the blue lagoon",
        attributes: { a: 1, b: 2 },
        created_at: first.created_at,
      });
      expect(second.updated_at > first.updated_at).toBe(true);
      const audit = await subject.storage.audit.list({ tenant_id: TENANT, target_id: first.id, limit: 5 });
      expect(audit.map(({ action }) => action)).toEqual(["entity.update", "entity.create"]);
      const page = await entities().get({ tenant_id: TENANT, id: first.id }, ANYBODY);
      expect(page?.aliases).toEqual(["Lagoona"]);
    });

    test("keep name and type whatever rows call them, and their other names lead to them", async () => {
      await enter("Kubernetes", { entity_type: "technology", aliases: [{ name: "k8s", key: "k8s" }] });
      const [row] = await seed(aRow());
      if (!row) return;
      await entities().link(TENANT, [naming(row, [aThing("K8s", { entity_type: "artifact" })])]);
      expect(await linked(row)).toEqual(["Kubernetes"]);
    });

    test("for one fleet are seen by that fleet alone", async () => {
      await enter("Redline", { fleet_id: "red" });
      expect(await counts(agentOf("bob", "red"))).toEqual({ Redline: 0 });
      expect(await counts(agentOf("bob", "blue"))).toEqual({});
      expect(await counts(ANYBODY)).toEqual({ Redline: 0 });
    });
  });

  describe("relations", () => {
    test("entered by hand are one per pair and kind, and lead a query on", async () => {
      const [a, b] = [await enter("Alpha"), await enter("Beta")];
      const change = {
        tenant_id: TENANT,
        fleet_id: null,
        home: null,
        from_entity_id: a.id,
        relation_type: "owns",
        to_entity_id: b.id,
        weight: 1,
        evidence_memory_id: null,
      };
      const first = await entities().relate(change, ACTOR, () => {});
      const second = await entities().relate({ ...change, weight: 0.25 }, ACTOR, () => {});
      expect(second).toMatchObject({ id: first.id, weight: 0.25 });
      const page = await entities().get({ tenant_id: TENANT, id: b.id }, ANYBODY);
      expect(page?.relations).toEqual([second]);
      await seed(aRow());
      const { related } = await entities().match(ANYBODY, ["beta"], 5);
      expect(related).toEqual([{ id: a.id, of: b.id, weight: 0.25 }]);
      const actions = await subject.storage.audit.list({ tenant_id: TENANT, target_id: first.id ?? "", limit: 5 });
      expect(actions.map(({ action }) => action)).toEqual(["relation.update", "relation.create"]);
    });

    test("follow from two rows that name both, as far as the reader sees them", async () => {
      const [one, two, secret] = await seed(aRow(), aRow(), aRow({ ...PRIVATE, agent_id: "ada" }));
      if (!one || !two || !secret) return;
      const [rome, paris, oslo] = [aThing("Rome"), aThing("Paris"), aThing("Oslo")];
      await entities().link(TENANT, [
        naming(one, [rome, paris, oslo]),
        naming(two, [rome, paris]),
        naming(secret, [rome, oslo]),
      ]);
      const edges = async (read_scope: ReadScope) => {
        const graph = await entities().graph({ ...PAGE, read_scope });
        const nameOf = new Map(graph.nodes.map((node) => [node.id, node.canonical_name]));
        return graph.edges.map((edge) =>
          [nameOf.get(edge.from_entity_id), nameOf.get(edge.to_entity_id)].sort().join("-"),
        );
      };
      expect(await edges(ANYBODY)).toEqual(["Paris-Rome"]);
      expect((await edges(agentOf("ada"))).sort()).toEqual(["Oslo-Rome", "Paris-Rome"]);
    });

    test("show their evidence only to who sees that memory", async () => {
      const [secret] = await seed(aRow({ ...PRIVATE, agent_id: "ada" }));
      if (!secret) return;
      const [a, b] = [await enter("Alpha"), await enter("Beta")];
      const ends = { from_entity_id: a.id, relation_type: "owns", to_entity_id: b.id, weight: 1 };
      const change = { tenant_id: TENANT, fleet_id: null, home: null, ...ends, evidence_memory_id: secret.id };
      await entities().relate(change, ACTOR, () => {});
      const evidence = async (read_scope: ReadScope) =>
        (await entities().get({ tenant_id: TENANT, id: a.id }, read_scope))?.relations[0]?.evidence_memory_id;
      expect(await evidence(agentOf("ada"))).toBe(secret.id);
      expect(await evidence(ANYBODY)).toBeNull();
    });
  });
}
