import { describe, expect, test } from "bun:test";
import type { MemoryFilter } from "../../../src/core/ports/memory-filter.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { MEMORY_SORTS } from "../../../src/core/schema/memory-query.ts";
import { ACTOR, anEntry, aRow, aVector, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, agentOf, asked, hitIds, idsOf } from "../subject.ts";

/** Six rows of one moment, and three around it: most sorts find ties among them. */
function tiedRows(): StoredMemory[] {
  const at = aRow().created_at;
  const tied = Array.from({ length: 6 }, (_, i) =>
    aRow({ created_at: at, weight: i % 2, agent_id: i < 3 ? "ada" : "bob", fleet_id: i % 3 === 0 ? null : "red" }),
  );
  return [
    aRow({ created_at: "2020-01-01T00:00:00.000Z" }),
    ...tied,
    aRow(),
    aRow({ expires_at: "2090-01-01T00:00:00.000Z" }),
  ];
}

const page = (fields: object = {}) => ({
  filter: { tenant_id: TENANT },
  sort: "created_at" as const,
  order: "desc" as const,
  after: null,
  offset: 0,
  limit: 500,
  ...fields,
});

export function describeReads(subject: Subject): void {
  describe("list", () => {
    test.each(MEMORY_SORTS)("by %s puts equals in order of id, and descending is ascending reversed", async (sort) => {
      const rows = tiedRows();
      await subject.seed(...rows.map((row) => anEntry(row)));
      const { memories } = subject.storage;
      const ascending = await memories.list(page({ sort, order: "asc" }));
      const keyed = (row: StoredMemory) => [row[sort] ?? "", row.id] as const;
      const expected = rows.toSorted((a, b) => {
        const [[x, idA], [y, idB]] = [keyed(a), keyed(b)];
        if (x === y) return idA < idB ? -1 : 1;
        return x < y ? -1 : 1;
      });
      expect(idsOf(ascending)).toEqual(idsOf(expected));
      expect(idsOf(await memories.list(page({ sort })))).toEqual(idsOf(expected).toReversed());
    });

    test.each([1, 2, 4])(
      "walked by edges of %d rows visits each once, though many are of one moment",
      async (limit) => {
        await subject.seed(...tiedRows().map((row) => anEntry(row)));
        const { memories } = subject.storage;
        const all = idsOf(await memories.list(page()));
        const seen: StoredMemory[] = [];
        for (let step = await memories.list(page({ limit })); step.length > 0; ) {
          seen.push(...step);
          step = await memories.list(page({ limit, after: step.at(-1) }));
        }
        expect(idsOf(seen)).toEqual(all);
      },
    );

    test("skips by offset and stops at the limit", async () => {
      await subject.seed(...tiedRows().map((row) => anEntry(row)));
      const { memories } = subject.storage;
      const all = idsOf(await memories.list(page()));
      expect(idsOf(await memories.list(page({ offset: 3, limit: 2 })))).toEqual(all.slice(3, 5));
      expect(await memories.list(page({ offset: 100 }))).toEqual([]);
    });
  });

  describe("reach", () => {
    const population = {
      org: aRow({ visibility: "scope_org", fleet_id: "blue" }),
      shared: aRow({ visibility: "scope_team" }),
      red: aRow({ visibility: "scope_team", fleet_id: "red" }),
      blue: aRow({ visibility: "scope_team", fleet_id: "blue" }),
      adas: aRow({ visibility: "scope_agent", fleet_id: "red", agent_id: "ada" }),
      bobs: aRow({ visibility: "scope_agent", agent_id: "bob" }),
    };
    const names = Object.keys(population) as (keyof typeof population)[];

    test.each([
      ["anybody of all fleets", ANYBODY, ["org", "shared", "red", "blue"]],
      ["an agent of the red fleet", agentOf("ada", "red"), ["org", "shared", "red", "adas"]],
      ["an agent of the blue fleet", agentOf("bob", "blue"), ["org", "shared", "blue", "bobs"]],
      ["an agent without a fleet", agentOf("cyd"), ["org", "shared"]],
      [
        "an agent trusted with all fleets",
        { ...agentOf("ada"), fleets: "all" as const },
        ["org", "shared", "red", "blue", "adas"],
      ],
    ] as const)("of %s decides what is listed, read, counted, found and removed", async (_, read_scope, expected) => {
      await subject.seed(
        ...Object.values(population).map((row) => anEntry({ ...row, content: `${row.content} pelican` }, aVector(3))),
      );
      const seen = names
        .filter((name) => (expected as readonly string[]).includes(name))
        .map((name) => population[name].id);
      const { memories } = subject.storage;
      const filter = { tenant_id: TENANT, read_scope };
      expect(idsOf(await subject.list({ read_scope })).sort()).toEqual([...seen].sort());
      expect(await memories.count(filter)).toBe(seen.length);
      expect((await memories.stats(filter)).total).toBe(seen.length);
      expect(hitIds(await subject.hits({ filter, words: ["pelican"] }))).toEqual([...seen].sort());
      expect(hitIds(await subject.hits({ filter, vector: asked(aVector(3)) }))).toEqual([...seen].sort());
      for (const name of names) {
        const found = await memories.get({ tenant_id: TENANT, id: population[name].id }, read_scope);
        expect(found?.id ?? null).toBe(seen.includes(population[name].id) ? population[name].id : null);
      }
      const backwards = names.map((name) => population[name].id).toReversed();
      const several = await memories.several(read_scope, backwards);
      expect(idsOf(several)).toEqual(backwards.filter((id) => seen.includes(id)));
      for (const row of several) expect(row).toEqual((await memories.get(row, read_scope)) ?? expect.unreachable());
      expect(await memories.remove({ ...filter, ids: idsOf(Object.values(population)) }, ACTOR, 10)).toBe(seen.length);
      expect(await memories.several(read_scope, [...backwards, "unknown"])).toEqual([]);
    });
  });

  describe("a filter", () => {
    const population = {
      plain: aRow(),
      heavy: aRow({ weight: 0.9, memory_type: "decision", metadata: { team: "core", n: 7, on: true } }),
      light: aRow({ weight: 0.1, agent_id: "bob", run_id: "r1", metadata: { team: "web", "a.b": "x" } }),
      red: aRow({ fleet_id: "red", status: "pending", memory_type: "task" }),
      blueOrg: aRow({ fleet_id: "blue", visibility: "scope_org" }),
      expired: aRow({ expires_at: "2026-01-01T00:00:00.000Z" }),
      past: aRow({ ts_valid_start: "2020-01-01T00:00:00.000Z", ts_valid_end: "2021-01-01T00:00:00.000Z" }),
      future: aRow({ ts_valid_start: "2030-01-01T00:00:00.000Z", status: "archived" }),
    } satisfies Record<string, StoredMemory>;
    type Name = keyof typeof population;
    const except = (...left: readonly Name[]) =>
      (Object.keys(population) as Name[]).filter((name) => !left.includes(name));

    const CASES: readonly (readonly [string, Partial<MemoryFilter>, readonly Name[]])[] = [
      ["author", { written_by: "bob" }, ["light"]],
      ["fleets", { fleets: { ids: ["red", "blue"], orShared: false } }, ["red", "blueOrg"]],
      ["fleets and what is shared", { fleets: { ids: ["red"], orShared: true } }, except()],
      ["types", { memory_types: ["decision", "task"] }, ["heavy", "red"]],
      ["types left out", { exclude_memory_types: ["fact"] }, ["heavy", "red"]],
      ["statuses", { statuses: ["pending", "archived"] }, ["red", "future"]],
      ["no status at all", { statuses: [] }, []],
      ["visibility", { visibility: "scope_org" }, ["blueOrg"]],
      ["run", { run_id: "r1" }, ["light"]],
      ["least weight", { weight_min: 0.9 }, ["heavy"]],
      ["greatest weight", { weight_max: 0.1 }, ["light"]],
      ["first moment", { created_after: population.past.created_at }, ["past", "future"]],
      ["last moment", { created_before: population.plain.created_at }, ["plain"]],
      ["expiry", { unexpired_at: "2026-01-01T00:00:00.000Z" }, except("expired")],
      ["moment before the expiry", { unexpired_at: "2025-12-31T23:59:59.999Z" }, except()],
      ["validity", { valid_at: "2021-01-01T00:00:00.000Z" }, ["past"]],
      ["validity before most were written", { valid_at: "2025-01-01T00:00:00.000Z" }, []],
      ["validity between two rows", { valid_at: "2029-01-01T00:00:00.000Z" }, except("past", "future")],
      ["ids", { ids: [population.heavy.id, population.red.id, "no such id"] }, ["heavy", "red"]],
      ["ids left out", { exclude_ids: [population.heavy.id] }, except("heavy")],
      ["metadata as text", { metadata: { team: "core" } }, ["heavy"]],
      ["metadata that is a number or a truth", { metadata: { n: "7", on: "true" } }, ["heavy"]],
      ["a metadata key that looks like a path", { metadata: { "a.b": "x" } }, ["light"]],
      ["metadata that nothing has", { metadata: { team: "core", n: "8" } }, []],
      ["another tenant", { tenant_id: "acme" }, []],
      ["two things", { statuses: ["active"], memory_types: ["decision"] }, ["heavy"]],
    ];

    test.each(CASES)("by %s holds for lists, counts and both legs of a search", async (_, fields, expected) => {
      const entries = Object.values(population).map((row) =>
        anEntry({ ...row, content: `${row.content} toucan` }, aVector(3)),
      );
      await subject.seed(...entries);
      const ids = expected.map((name) => population[name].id).sort();
      const filter = { tenant_id: TENANT, ...fields };
      expect(idsOf(await subject.list(fields)).sort()).toEqual(ids);
      expect(await subject.storage.memories.count(filter)).toBe(ids.length);
      expect(hitIds(await subject.hits({ filter, words: ["toucan"] }))).toEqual(ids);
      expect(hitIds(await subject.hits({ filter, vector: asked(aVector(4)) }))).toEqual(ids);
    });
  });

  test("stats tally by type, author, status and tenant, and count deleted rows apart", async () => {
    const removed = aRow({ agent_id: "cyd" });
    const rows = [aRow(), aRow({ memory_type: "task", status: "pending" }), aRow({ agent_id: "bob" }), removed];
    await subject.seed(...rows.map((row) => anEntry(row)), anEntry(aRow({ tenant_id: "acme" })));
    const { memories } = subject.storage;
    await memories.remove({ tenant_id: TENANT, ids: [removed.id] }, ACTOR, 1);
    expect(await memories.stats({ tenant_id: TENANT })).toEqual({
      total: 3,
      by_type: { fact: 2, task: 1 },
      by_agent: { ada: 2, bob: 1 },
      by_status: { active: 2, pending: 1 },
      by_tenant: { [TENANT]: 3 },
      deleted: 1,
      total_including_deleted: 4,
    });
    expect(await memories.counters()).toEqual({ tenant_count: 2, memory_count: 4, agent_count: 3 });
    expect(await memories.tenants()).toEqual(["acme", TENANT]);
  });

  test("fleets are counted by what they share, the largest first", async () => {
    const rows = [
      aRow({ fleet_id: "red" }),
      aRow({ fleet_id: "blue" }),
      aRow({ fleet_id: "blue", agent_id: "bob" }),
      aRow({ fleet_id: "red", visibility: "scope_agent" }),
      aRow(),
      aRow({ fleet_id: "green", tenant_id: "acme" }),
    ];
    await subject.seed(...rows.map((row) => anEntry(row)));
    expect(await subject.storage.memories.fleets({ tenant_id: TENANT, agent_id: null, fleets: "all" })).toEqual([
      { fleet_id: "blue", memory_count: 2, agent_count: 2 },
      { fleet_id: "red", memory_count: 1, agent_count: 1 },
    ]);
  });
}
