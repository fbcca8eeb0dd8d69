import { describe, expect, test } from "bun:test";
import type { MemoryFilter, ReadScope } from "../../../src/core/ports/memory-filter.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { ACTOR, anEntry, aRow, aVector, readAfter, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, agentOf, asked, hitIds } from "../subject.ts";

const inRun = (content: string, fields: Partial<StoredMemory> = {}) => aRow({ content, run_id: "run-1", ...fields });

/** Rows of a run, each read together with the one before. */
const chain = (rows: readonly StoredMemory[]) =>
  rows.map((row, i) => anEntry(row, aVector(0), readAfter(rows[i - 1], aVector(60))));

export function describeRuns(subject: Subject): void {
  const hitOf = async (row: StoredMemory, words: readonly string[], read_scope: ReadScope = ANYBODY) => {
    const filter = { tenant_id: row.tenant_id, read_scope };
    const { hits } = await subject.hits({ filter, words, vector: asked(aVector(0)) });
    return hits.find(({ memory }) => memory.id === row.id);
  };

  describe("rows of a run", () => {
    test("know the words of the rows written just before and after them, and no others", async () => {
      const rows = ["A dodo.", "A moa.", "An auk.", "A rhea.", "An emu."].map((content) => inRun(content));
      await subject.seed(...rows.map((row) => anEntry(row, aVector(0))));
      const words = ["dodo", "moa", "auk", "rhea", "emu"];
      const near = await Promise.all(rows.map(async (row) => (await hitOf(row, words))?.near_words));
      expect(near).toEqual([0b00010, 0b00101, 0b01010, 0b10100, 0b01000]);
    });

    test("are neighbours whether written together or one by one, and whatever runs between them", async () => {
      const [first, other, second] = [inRun("A dodo."), inRun("A moa.", { run_id: "run-2" }), inRun("An auk.")];
      for (const row of [first, other, second]) await subject.seed(anEntry(row, aVector(0)));
      const words = ["dodo", "moa", "auk"];
      expect((await hitOf(first, words))?.near_words).toBe(0b100);
      expect((await hitOf(other, words))?.near_words).toBe(0);
      expect((await hitOf(second, words))?.near_words).toBe(0b001);
    });

    test("without a run have no neighbours", async () => {
      const rows = [aRow({ content: "A dodo." }), aRow({ content: "A moa." })];
      await subject.seed(...rows.map((row) => anEntry(row, aVector(0))));
      for (const row of rows) expect((await hitOf(row, ["dodo", "moa"]))?.near_words).toBe(0);
    });
  });

  /** Pairs of rows of one run whose readers differ: neither may tell anything of the other. */
  const STRANGERS: readonly (readonly [string, Partial<StoredMemory>, Partial<StoredMemory>, ReadScope])[] = [
    ["private and shared", { visibility: "scope_agent" }, {}, agentOf("bob")],
    [
      "private of one agent and of another",
      { visibility: "scope_agent" },
      { visibility: "scope_agent", agent_id: "bob" },
      agentOf("bob"),
    ],
    ["of two fleets", { fleet_id: "red" }, { fleet_id: "blue" }, agentOf("bob", "blue")],
    [
      "of a fleet and the organisation",
      { fleet_id: "red" },
      { fleet_id: "red", visibility: "scope_org" },
      agentOf("bob", "blue"),
    ],
    ["of two tenants", { tenant_id: "acme" }, {}, ANYBODY],
  ];

  describe.each(STRANGERS)("two rows of a run, %s,", (_, hidden, open, read_scope) => {
    test("are no neighbours, in either order", async () => {
      const [before, shown, after] = [inRun("A dodo.", hidden), inRun("A moa.", open), inRun("An auk.", hidden)];
      for (const row of [before, shown, after]) await subject.seed(anEntry(row, aVector(0)));
      expect((await hitOf(shown, ["dodo", "moa", "auk"], read_scope))?.near_words).toBe(0);
      const filter = { tenant_id: TENANT, read_scope };
      expect(hitIds(await subject.hits({ filter, words: ["dodo", "auk"] }))).toEqual([]);
    });

    test("are not read together by the embedder", async () => {
      const { memories } = subject.storage;
      await subject.seed(anEntry(inRun("A dodo.", hidden)));
      const draft = inRun("A moa.", open);
      expect(await memories.lastOfRun(draft)).toBeNull();
      await subject.seed(anEntry(draft));
      const [pending] = await memories.pending(draft.tenant_id, [draft.id], "any");
      expect(pending?.previous).toBeNull();
    });
  });

  test("rows for the same readers are read together by the embedder", async () => {
    const { memories } = subject.storage;
    await subject.seed(anEntry(inRun("A dodo.")));
    const draft = inRun("A moa.", { agent_id: "bob" });
    expect(await memories.lastOfRun(draft)).toMatchObject({ content: "A dodo." });
    await subject.seed(anEntry(draft));
    const [pending] = await memories.pending(TENANT, [draft.id], "any");
    expect(pending).toMatchObject({ memory: { id: draft.id }, previous: { content: "A dodo." } });
  });

  describe("a row whose readers change", () => {
    const moved = async (row: StoredMemory, visibility: StoredMemory["visibility"]) => {
      const change = { patch: { visibility }, action: "memory.update" };
      await subject.storage.memories.update({ tenant_id: TENANT, ids: [row.id] }, ACTOR, () => change);
    };

    test("tells its new readers nothing of the private rows it stood between", async () => {
      const hidden = { visibility: "scope_agent" } as const;
      const [before, shown, after] = [inRun("A dodo.", hidden), inRun("A moa.", hidden), inRun("An auk.", hidden)];
      await subject.seed(...chain([before, shown, after]));
      await moved(shown, "scope_team");
      const hit = await hitOf(shown, ["dodo", "moa", "auk"], agentOf("bob"));
      expect(hit).toMatchObject({ near_words: 0, context_sim: null });
    });

    test("that becomes private leaves nothing of itself in its neighbours", async () => {
      const [before, hidden, after] = [inRun("A dodo."), inRun("A moa."), inRun("An auk.")];
      await subject.seed(...chain([before, hidden, after]));
      await moved(hidden, "scope_agent");
      const stranger = agentOf("bob");
      expect((await hitOf(before, ["moa"], stranger))?.near_words).toBe(0);
      expect(await hitOf(after, ["moa"], stranger)).toMatchObject({ near_words: 0, context_sim: null });
      expect(await hitOf(hidden, ["moa"], stranger)).toBeUndefined();
    });
  });

  test("a removed row leaves nothing of itself in its neighbours", async () => {
    const [before, gone, after] = [inRun("A dodo."), inRun("A moa."), inRun("An auk.")];
    await subject.seed(...chain([before, gone, after]));
    await subject.storage.memories.remove({ tenant_id: TENANT, ids: [gone.id] }, ACTOR, 1);
    expect((await hitOf(before, ["moa"]))?.near_words).toBe(0);
    expect(await hitOf(after, ["moa"])).toMatchObject({ near_words: 0, context_sim: null });
  });

  describe("rows that were removed together", () => {
    const nearOf = async (rows: readonly StoredMemory[]) =>
      Promise.all(rows.map(async (row) => (await hitOf(row, ["dodo", "moa", "auk", "rhea"]))?.near_words));
    const restore = (filter: MemoryFilter, limit: number, after: number | null = null) =>
      subject.storage.memories.restore({
        filter: { ...filter, deleted: { from: "2000-01-01T00:00:00.000Z" } },
        actor: ACTOR,
        memories_limit: 100,
        jobsFor: () => [],
        limit,
        after,
      });

    test("leave those around them neighbours of each other", async () => {
      const rows = ["A dodo.", "A moa.", "An auk.", "A rhea."].map((content) => inRun(content));
      await subject.seed(...chain(rows));
      const ids = rows.slice(1, 3).map(({ id }) => id);
      await subject.storage.memories.remove({ tenant_id: TENANT, ids }, ACTOR, 10);
      expect(await nearOf(rows)).toEqual([0b1000, undefined, undefined, 0b0001]);
    });

    test.each([1, 2, 10])("come back as they stood, %d in a step", async (limit) => {
      const rows = ["A dodo.", "A moa.", "An auk.", "A rhea."].map((content) => inRun(content));
      await subject.seed(...chain(rows));
      await subject.storage.memories.remove({ tenant_id: TENANT }, ACTOR, 10);
      for (let after: number | null = null; ; ) {
        const { next } = await restore({ tenant_id: TENANT }, limit, after);
        if (next === null) break;
        after = next;
      }
      expect(await nearOf(rows)).toEqual([0b0010, 0b0101, 0b1010, 0b0100]);
    });

    test("come back as they stood, one by one, the oldest first", async () => {
      const rows = ["A dodo.", "A moa.", "An auk.", "A rhea."].map((content) => inRun(content));
      await subject.seed(...chain(rows));
      await subject.storage.memories.remove({ tenant_id: TENANT }, ACTOR, 10);
      for (const { id } of rows) await restore({ tenant_id: TENANT, ids: [id] }, 1);
      expect(await nearOf(rows)).toEqual([0b0010, 0b0101, 0b1010, 0b0100]);
    });
  });

  test("a row whose text changes leaves nothing of the old one in its neighbours", async () => {
    const [changed, after] = [inRun("A dodo."), inRun("A moa.")];
    await subject.seed(...chain([changed, after]));
    const change = { patch: { content: "An auk.", content_hash: "other" }, vectors: null, action: "memory.update" };
    await subject.storage.memories.update({ tenant_id: TENANT, ids: [changed.id] }, ACTOR, () => change);
    expect(await hitOf(after, ["dodo", "auk"])).toMatchObject({ near_words: 0b10, context_sim: null });
  });

  describe("a row that was read together with one before it that since", () => {
    const GONE: readonly (readonly [string, (row: StoredMemory) => Promise<unknown>])[] = [
      ["was deleted", ({ id }) => subject.storage.memories.remove({ tenant_id: TENANT, ids: [id] }, ACTOR, 1)],
      [
        "was changed",
        ({ id }) =>
          subject.storage.memories.update({ tenant_id: TENANT, ids: [id] }, ACTOR, () => ({
            patch: { content: "An auk.", content_hash: "other" },
            vectors: null,
            action: "memory.update",
          })),
      ],
      ["has another one after it", () => subject.seed(anEntry(inRun("A rhea.")))],
    ];

    test.each(GONE)("%s is stored without what that text was read for", async (_, meanwhile) => {
      const [before, after] = [inRun("A dodo."), inRun("A moa.")];
      await subject.seed(anEntry(before));
      await meanwhile(before);
      await subject.seed(anEntry(after, aVector(0), readAfter(before, aVector(60))));
      expect(await hitOf(after, ["moa"])).toMatchObject({ vec_sim: 1, context_sim: null });
    });

    test.each(GONE.slice(0, 2))("%s is filled without what that text was read for", async (_, meanwhile) => {
      const [before, after] = [inRun("A dodo."), inRun("A moa.")];
      await subject.seed(anEntry(before), anEntry(after));
      await meanwhile(before);
      const { id, content_hash } = after;
      const vectors = { own: aVector(0), context: readAfter(before, aVector(60)) };
      await subject.storage.memories.fillVectors(TENANT, [{ id, content_hash, vectors }]);
      expect(await hitOf(after, ["moa"])).toMatchObject({ vec_sim: 1, context_sim: null });
    });
  });
}
