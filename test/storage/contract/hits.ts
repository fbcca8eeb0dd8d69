import { describe, expect, test } from "bun:test";
import type { Hit, HitReply } from "../../../src/core/ports/hits.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { ACTOR, anEntry, aRow, aVector, readAfter, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { asked, hitIds } from "../subject.ts";

const cosineOf = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

/** Words of the query that a hit holds. */
const wordsOf = (hit: Hit | undefined, { words }: HitReply): string[] =>
  words.filter((_, bit) => ((hit?.own_words ?? 0) >> bit) & 1).map(({ word }) => word);

export function describeHits(subject: Subject): void {
  describe("hits", () => {
    test("are found by either leg, and say by which", async () => {
      const both = aRow({ content: "The stork and the egret." });
      const byWord = aRow({ content: "The egret alone." });
      const byVector = aRow({ content: "Nothing of the kind." });
      const neither = aRow({ content: "Something else altogether." });
      await subject.seed(anEntry(both, aVector(0)), anEntry(byWord), anEntry(byVector, aVector(5)), anEntry(neither));
      const reply = await subject.hits({ words: ["egret"], vector: asked(aVector(0)) });
      const legs = new Map(reply.hits.map((hit) => [hit.memory.id, [...hit.legs].sort().join("+")]));
      expect(legs).toEqual(
        new Map([
          [both.id, "keyword+vector"],
          [byWord.id, "keyword"],
          [byVector.id, "vector"],
        ]),
      );
    });

    test("show a row that was found before as it is now, and the rows beside it", async () => {
      const [first, second, third] = [aRow({ run_id: "walk" }), aRow({ run_id: "walk" }), aRow({ run_id: "walk" })];
      await subject.seed(anEntry(first, aVector(0)), anEntry(second, aVector(5), readAfter(first, aVector(3))));
      const search = () =>
        subject.hits({ words: ["heron"], vector: asked(aVector(0)), extras: ["entity_links", "system_metadata"] });
      const shown = async (id: string) => (await search()).hits.find(({ memory }) => memory.id === id);
      expect(await shown(second.id)).toMatchObject({ near_words: 0, memory: { status: "active" } });

      const change = { content: "The heron sleeps.", title: "A heron", ts_valid_start: "2025-01-01T00:00:00.000Z" };
      const key = { tenant_id: TENANT, ids: [second.id] };
      const changed = { patch: change, action: "memory.update" as const };
      await subject.storage.memories.update(key, ACTOR, () => changed);
      expect((await shown(second.id))?.memory).toMatchObject(change);
      expect(await shown(first.id)).toMatchObject({ near_words: 1 });
      await subject.storage.memories.update(key, ACTOR, () => ({ ...changed, patch: { status: "outdated" } }));
      expect((await shown(second.id))?.memory).toMatchObject({ status: "outdated" });

      const heron = { ...third, content: "A heron wakes." };
      await subject.storage.memories.update(key, ACTOR, () => ({ ...changed, patch: { content: "It sleeps." } }));
      await subject.seed(anEntry(heron, aVector(60), readAfter(second, aVector(40))));
      expect(await shown(second.id)).toMatchObject({ near_words: 1 });
      await subject.storage.memories.remove(key, ACTOR, 1);
      expect(await shown(second.id)).toBeUndefined();
    });

    test("fill their pool with what passes the filter, however much that does not is nearer", async () => {
      const outdated = Array.from({ length: 7 }, (_, i) =>
        aRow({ content: `An outdated row ${i}.`, status: "outdated" }),
      );
      const active = Array.from({ length: 8 }, (_, i) => aRow({ content: `An active row ${i}.` }));
      const [before, folded] = [aRow({ run_id: "folded" }), aRow({ run_id: "folded" })];
      await subject.seed(
        ...outdated.map((row) => anEntry(row, aVector(0))),
        ...active.map((row, i) => anEntry(row, aVector(60 + i))),
        anEntry(before),
        anEntry(folded, aVector(80), readAfter(before, aVector(-80))),
      );
      const filter = { tenant_id: TENANT, statuses: ["active"] } as const;
      const { hits } = await subject.hits({ filter, vector: asked(aVector(0)), pool: 9 });
      expect(hits.map(({ memory }) => memory.id).sort()).toEqual([...active, folded].map(({ id }) => id).sort());
      expect(hits.every(({ legs }) => legs.length > 0)).toBe(true);
    });

    test("carry the exact cosine of row and of context, null where there is no vector", async () => {
      const before = aRow({ content: "A marsh.", run_id: "walk" });
      const [near, far, alone] = [
        aRow({ content: "One ibis.", run_id: "walk" }),
        aRow({ content: "Two ibis." }),
        aRow({ content: "No vector, an ibis." }),
      ];
      const entry = anEntry(near, aVector(10), readAfter(before, aVector(40)));
      await subject.seed(anEntry(before), entry, anEntry(far, aVector(75)), anEntry(alone));
      const { hits } = await subject.hits({ words: ["ibis"], vector: asked(aVector(0)) });
      const found = new Map(hits.map((hit) => [hit.memory.id, hit]));
      expect(found.get(near.id)?.vec_sim).toBeCloseTo(cosineOf(10), 5);
      expect(found.get(near.id)?.context_sim).toBeCloseTo(cosineOf(40), 5);
      expect(found.get(far.id)?.vec_sim).toBeCloseTo(cosineOf(75), 5);
      expect(found.get(far.id)?.context_sim).toBeNull();
      expect(found.get(alone.id)).toMatchObject({ vec_sim: null, context_sim: null });
    });

    test("of the vector leg are the nearest ones, as many as the pool holds", async () => {
      const rows = Array.from({ length: 12 }, () => aRow());
      await subject.seed(...rows.map((row, i) => anEntry(row, aVector(i * 15))));
      const { hits } = await subject.hits({ vector: asked(aVector(0)), pool: 4 });
      expect(hits.map(({ memory }) => memory.id).sort()).toEqual(rows.slice(0, 4).map(({ id }) => id));
    });

    test("of the keyword leg are those with the rarest words, as many as the pool holds", async () => {
      const common = Array.from({ length: 8 }, (_, i) => aRow({ content: `A finch sits on branch ${i}.` }));
      const rare = aRow({ content: "A rare hoopoe was seen." });
      await subject.seed(anEntry(rare), ...common.map((row) => anEntry(row)));
      const reply = await subject.hits({ words: ["finch", "hoopoe"], pool: 1 });
      expect(hitIds(reply)).toEqual([rare.id]);
    });

    test("hold what words of the query they have, in any form, case or accent", async () => {
      const rows = [
        aRow({ content: "COUNTED the Gäste twice" }),
        aRow({ content: "counting gaste", title: "The title says flamingo" }),
        aRow({ content: "Neither of them." }),
      ];
      await subject.seed(...rows.map((row) => anEntry(row)));
      const reply = await subject.hits({ words: ["counts", "gäste", "flamingo", "unheard"] });
      const byId = new Map(reply.hits.map((hit) => [hit.memory.id, wordsOf(hit, reply)]));
      expect(byId).toEqual(
        new Map([
          [rows[0]?.id ?? "", ["counts", "gäste"]],
          [rows[1]?.id ?? "", ["counts", "gäste", "flamingo"]],
        ]),
      );
    });

    test("are found by the words of a title, those too that the text holds only as parts of words", async () => {
      const rows = [
        aRow({ content: "Concatenate the lists.", title: "cat" }),
        aRow({ content: "The shoebill eats lungfish.", title: "The shoebill…" }),
        aRow({ content: "Neither of them.", title: null }),
      ];
      await subject.seed(...rows.map((row) => anEntry(row)));
      expect(hitIds(await subject.hits({ words: ["cat"] }))).toEqual([rows[0]?.id ?? ""]);
      expect(hitIds(await subject.hits({ words: ["shoebill"] }))).toEqual([rows[1]?.id ?? ""]);
    });

    test("weigh rare words more than common ones, and words that nothing holds not at all", async () => {
      const rows = Array.from({ length: 10 }, (_, i) => aRow({ content: i === 0 ? "swan song" : `swan ${i}` }));
      await subject.seed(...rows.map((row) => anEntry(row)));
      const { words } = await subject.hits({ words: ["swan", "song", "absent"] });
      const [swan, song, absent] = words.map(({ weight }) => weight);
      expect(words.map(({ word }) => word)).toEqual(["swan", "song", "absent"]);
      expect(song ?? 0).toBeGreaterThan(swan ?? 0);
      expect(swan).toBeGreaterThan(0);
      expect(song ?? 0).toBeWithin(4, 10);
      expect(absent).toBe(0);
    });

    test("take thirty words, the last as good as the first", async () => {
      const words = Array.from({ length: 30 }, (_, i) => `word${i}`);
      const [first, last] = [aRow({ content: "word0 here" }), aRow({ content: "word29 here" })];
      await subject.seed(anEntry(first), anEntry(last));
      const reply = await subject.hits({ words });
      const found = new Map(reply.hits.map((hit) => [hit.memory.id, wordsOf(hit, reply)]));
      expect(found).toEqual(
        new Map([
          [first.id, ["word0"]],
          [last.id, ["word29"]],
        ]),
      );
    });

    test.each(['"', 'a"b', "AND", "NEAR(", "content:x", "*", "-x", "(", "'; drop table memories; --"])(
      "take the word %s for a word",
      async (word) => {
        await subject.seed(anEntry(aRow({ content: "A magpie steals." })));
        expect(hitIds(await subject.hits({ words: [word, "magpie"] }))).toHaveLength(1);
      },
    );

    test("of a query without words and vector are none", async () => {
      await subject.seed(anEntry(aRow(), aVector(0)));
      expect((await subject.hits({})).hits).toEqual([]);
    });

    test("never compare vectors of two models", async () => {
      const row = aRow({ content: "A kite circles." });
      await subject.seed(anEntry(row, aVector(0)));
      const other = { embedder_id: "another-model", values: aVector(0) };
      const { hits } = await subject.hits({ words: ["kite"], vector: other });
      for (const hit of hits) expect(hit).toMatchObject({ vec_sim: null, context_sim: null });
      expect(SPACE.id).not.toBe(other.embedder_id);
    });

    test("of another tenant are never found, by no leg", async () => {
      const [ours, theirs] = [aRow({ content: "Our osprey." }), aRow({ content: "Their osprey.", tenant_id: "acme" })];
      await subject.seed(anEntry(ours, aVector(0)), anEntry(theirs, aVector(0)));
      expect(hitIds(await subject.hits({ words: ["osprey"], vector: asked(aVector(0)) }))).toEqual([ours.id]);
      const filter = { tenant_id: "acme" };
      expect(hitIds(await subject.hits({ filter, words: ["osprey"], vector: asked(aVector(0)) }))).toEqual([theirs.id]);
    });
  });

  describe("a filter that leaves out everything near", () => {
    const crowd = (fields: object) =>
      Array.from({ length: 60 }, () => aRow({ content: `Crowd ${crypto.randomUUID()} jackdaw.`, ...fields }));

    test.each([
      ["status", { status: "outdated" as const }, { statuses: ["active"] }],
      ["type", { memory_type: "task" as const }, { memory_types: ["fact"] }],
      ["types", { memory_type: "task" as const }, { memory_types: ["fact", "plan"] }],
      ["author", { agent_id: "bob" }, { written_by: "ada" }],
      ["expiry", { expires_at: "2020-01-01T00:00:00.000Z" }, { unexpired_at: "2026-01-01T00:00:00.000Z" }],
      ["fleet", { fleet_id: "blue" }, { fleets: { ids: ["red"], orShared: true } }],
      [
        "privacy",
        { visibility: "scope_agent" as const, agent_id: "bob" },
        { read_scope: { tenant_id: TENANT, agent_id: "ada", fleets: "all" as const } },
      ],
    ])("by %s still finds what lies behind it, by words and by meaning", async (_, fields, filter) => {
      const wanted = aRow({ content: "The wanted jackdaw." });
      await subject.seed(anEntry(wanted, aVector(80)), ...crowd(fields).map((row) => anEntry(row, aVector(1))));
      const query = { filter: { tenant_id: TENANT, ...filter }, pool: 10 };
      expect(hitIds(await subject.hits({ ...query, words: ["jackdaw"] }))).toEqual([wanted.id]);
      expect(hitIds(await subject.hits({ ...query, vector: asked(aVector(0)) }))).toEqual([wanted.id]);
    });
  });

  describe("words that others fill the store with", () => {
    /** More rows than any list of a word holds. */
    const CROWD = 260;
    const crowd = (fields: Partial<StoredMemory>, said = "jackdaw") =>
      Array.from({ length: CROWD }, (_, i) => anEntry(aRow({ content: `Crowd ${i} ${said}.`, ...fields })));

    test.each([
      ["another tenant", { tenant_id: "acme" }, { tenant_id: TENANT }],
      [
        "another agent",
        { visibility: "scope_agent" as const, agent_id: "bob" },
        { tenant_id: TENANT, read_scope: { tenant_id: TENANT, agent_id: "ada", fleets: "all" as const } },
      ],
    ])("of %s still find and weigh what lies behind", async (_, fields, filter) => {
      const own = { visibility: "scope_agent" as const };
      const [both, one] = [aRow({ content: "A jackdaw, a kite.", ...own }), aRow({ content: "A jackdaw.", ...own })];
      await subject.seed(anEntry(both), anEntry(one), ...crowd({ ...fields }, "jackdaw kite"));
      const reply = await subject.hits({ filter, words: ["jackdaw", "kite"], pool: 10 });
      const found = new Map(reply.hits.map((hit) => [hit.memory.id, wordsOf(hit, reply)]));
      expect(found).toEqual(
        new Map([
          [both.id, ["jackdaw", "kite"]],
          [one.id, ["jackdaw"]],
        ]),
      );
      for (const { weight } of reply.words) expect(weight).toBeGreaterThan(1);
    });

    test("are found beside a word that only others hold, and beside one that is rare", async () => {
      const [both, one] = [aRow({ content: "A jackdaw, a kite." }), aRow({ content: "A jackdaw." })];
      const quokka = anEntry(aRow({ content: "Their quokka.", tenant_id: "acme" }));
      await subject.seed(anEntry(both), anEntry(one), quokka, ...crowd({ tenant_id: "acme" }));
      expect(hitIds(await subject.hits({ words: ["jackdaw", "quokka"] }))).toEqual([both.id, one.id]);
      expect(hitIds(await subject.hits({ words: ["jackdaw", "kite"] }))).toEqual([both.id, one.id]);
    });
  });

  test("a hit has what ranking reads of a row, links and inferences only when they are asked for", async () => {
    const entity_links = [{ entity_id: "01920000-0000-7000-8000-000000000001", role: "subject" as const }];
    const row = aRow({ content: "The avocet.", entity_links, system_metadata: { inferred: ["title"] } });
    await subject.seed(anEntry(row));
    const [bare] = (await subject.hits({ words: ["avocet"] })).hits;
    const { id, title, content, memory_type, status, run_id, created_at, ts_valid_start, ts_valid_end } = row;
    const always = { id, title, content, memory_type, status, run_id, created_at, ts_valid_start, ts_valid_end };
    expect(bare?.memory).toEqual({ ...always, entity_links: [], system_metadata: null });
    const extras = ["entity_links", "system_metadata"] as const;
    const [whole] = (await subject.hits({ words: ["avocet"], extras })).hits;
    expect(whole?.memory).toEqual({ ...always, entity_links, system_metadata: row.system_metadata });
  });

  test("a removed row leaves both indexes, its neighbours stay", async () => {
    const [gone, kept] = [aRow({ content: "The first curlew." }), aRow({ content: "The second curlew." })];
    await subject.seed(anEntry(gone, aVector(0)), anEntry(kept, aVector(2)));
    await subject.storage.memories.remove({ tenant_id: TENANT, ids: [gone.id] }, ACTOR, 1);
    const shown = { tenant_id: TENANT, include_deleted: true };
    for (const filter of [{ tenant_id: TENANT }, shown]) {
      expect(hitIds(await subject.hits({ filter, words: ["curlew"] }))).toEqual([kept.id]);
      expect(hitIds(await subject.hits({ filter, vector: asked(aVector(0)) }))).toEqual([kept.id]);
    }
  });
}
