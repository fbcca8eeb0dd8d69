import { describe, expect, test } from "bun:test";
import { toTimestamp } from "../../../src/core/kernel/clock.ts";
import type { RebuildPlace } from "../../../src/core/ports/storage.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { searchableText } from "../../../src/documents/searchable.ts";
import { ACTOR, anEntry, aRow, aVector, DIMENSIONS, readAfter, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { asked, hitIds } from "../subject.ts";
import { aChange } from "./documents.ts";

/** What an embedder makes of a text that it cannot read. */
const ZEROS = new Float32Array(DIMENSIONS);
/** Questions all around: whatever stands for zeros is near to one of them. */
const ALL_AROUND = [0, 90, 180, 270].map(aVector);

export function describeSilent(subject: Subject): void {
  const keyOf = ({ id }: StoredMemory) => ({ tenant_id: TENANT, id });
  const near = async (values: Float32Array) => hitIds(await subject.hits({ vector: asked(values) }));
  const documents = async (query: { words?: readonly string[]; values?: Float32Array }) => {
    const { hits } = await subject.storage.documents.hits({
      tenant_id: TENANT,
      vector: query.values ? asked(query.values) : null,
      words: query.words ?? [],
      pool: 50,
    });
    return hits.map(({ document: { doc_id }, vec_sim }) => ({ doc_id, vec_sim }));
  };
  const put = (doc_id: string, summary: string, vector: Float32Array) =>
    subject.storage.documents.upsert({ tenant_id: TENANT, collection: "books", doc_id }, ACTOR, () =>
      aChange({ summary }, { searchable: { summary, text: summary }, vector, embedded_by: SPACE.id }),
    );
  const expectSound = async () => {
    const { checks } = await subject.storage.indexes.inspect(null, () => {});
    const wrong = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    // Rows that a test stores itself were never read for what they claim.
    expect(wrong.filter((name) => name !== "reading")).toEqual([]);
  };
  async function rebuild(): Promise<number> {
    let place: RebuildPlace | null = null;
    let queued = 0;
    do {
      const step = await subject.storage.indexes.rebuild(place, searchableText);
      queued += step.embeddings_queued;
      place = step.next;
    } while (place);
    return queued;
  }

  describe("a row that the model cannot read", () => {
    test("is near to nothing, found by its words, and waits for no vector", async () => {
      const [silent, other] = [aRow({ content: "ⴰⵣⵓⵍ heron" }), aRow({ content: "A kite." })];
      await subject.seed(anEntry(silent, ZEROS), anEntry(other, aVector(0)));
      for (const values of ALL_AROUND) expect(await near(values)).toEqual([other.id]);
      const { hits } = await subject.hits({ words: ["heron"], vector: asked(aVector(0)) });
      const found = hits.find(({ memory }) => memory.id === silent.id);
      expect(found).toMatchObject({ vec_sim: null, context_sim: null, legs: ["keyword"] });
      const { memories, pictures } = subject.storage;
      expect(await memories.getVector(keyOf(silent))).toBeNull();
      expect([...(await memories.vectorsOf(TENANT, [silent.id, other.id])).keys()]).toEqual([other.id]);
      expect(await memories.countPending({ tenant_id: TENANT }, 10)).toBe(0);
      expect(await memories.pendingIds(TENANT, [silent.id], SPACE.id)).toEqual([]);
      const placed = await pictures.placed({ tenant_id: TENANT }, { after: null, limit: 5, characters: 9 });
      expect(placed.map(({ id, vector }) => ({ id, vector }))).toEqual([{ id: other.id, vector: aVector(0) }]);
      await expectSound();
    });

    test("leaves the room of a pool to others, however few these are", async () => {
      const silent = Array.from({ length: 40 }, () => anEntry(aRow(), ZEROS));
      const others = [aRow(), aRow(), aRow()];
      await subject.seed(...silent, ...others.map((row, i) => anEntry(row, aVector(i))));
      const found = await subject.hits({ vector: asked(aVector(180)), pool: 3 });
      expect(hitIds(found)).toEqual(others.map(({ id }) => id).sort());
    });

    test("is no longer found by what was made of an earlier text, and is once another is read", async () => {
      const row = aRow();
      await subject.seed(anEntry(row, aVector(0)));
      const become = (own: Float32Array) =>
        subject.storage.memories.update({ tenant_id: TENANT, ids: [row.id] }, ACTOR, () => ({
          patch: { embedded_by: SPACE.id },
          vectors: { own, context: null },
          action: "memory.update",
        }));
      await become(ZEROS);
      for (const values of ALL_AROUND) expect(await near(values)).toEqual([]);
      await expectSound();
      await become(aVector(0));
      expect(await near(aVector(0))).toEqual([row.id]);
      await subject.storage.memories.fillVectors(TENANT, [
        { id: row.id, content_hash: row.content_hash, vectors: { own: ZEROS, context: null } },
      ]);
      for (const values of ALL_AROUND) expect(await near(values)).toEqual([]);
      await expectSound();
    });

    test("stays read when it changes, loses the row before it, goes and comes back, or all is rebuilt", async () => {
      const [first, silent, third] = ["one", "two", "three"].map((content) => aRow({ content, run_id: "walk" }));
      if (!first || !silent || !third) throw new Error("There are three.");
      const after = anEntry(third, aVector(20), readAfter(silent, aVector(25)));
      await subject.seed(anEntry(first, aVector(0)), anEntry(silent, ZEROS), after);
      const filter = { tenant_id: TENANT, ids: [silent.id] };
      const { memories } = subject.storage;
      await memories.update(filter, ACTOR, () => ({ patch: { memory_type: "rule" }, action: "memory.update" }));
      await memories.remove({ tenant_id: TENANT, ids: [first.id] }, ACTOR, 1);
      await memories.remove(filter, ACTOR, 1);
      const deleted = { ...filter, include_deleted: true, deleted: {} };
      const batch = { filter: deleted, limit: 1, after: null, memories_limit: 10, jobsFor: () => [], actor: ACTOR };
      await memories.restore(batch);
      expect(await rebuild()).toBe(0);
      expect(await memories.pendingIds(TENANT, [silent.id], SPACE.id)).toEqual([]);
      for (const values of ALL_AROUND) expect(await near(values)).toEqual([third.id]);
      await expectSound();
    });

    test("is like no row that another one may contradict", async () => {
      const [silent, twin, other] = [aRow({ content: "ⴰⵣⵓⵍ" }), aRow({ content: "ⴰⵎⴰⵏ" }), aRow({ content: "Kites." })];
      await subject.seed(anEntry(silent, ZEROS), anEntry(twin, ZEROS), anEntry(other, aVector(0)));
      const { contradictions } = subject.storage;
      const rows = [silent, twin, other];
      await contradictions.record(
        rows.map((memory) => ({ memory, claim: null, findings: [] })),
        ACTOR,
      );
      const asking = { claim: null, embedder_id: SPACE.id, now: toTimestamp(subject.clock.now()), unrecorded: [] };
      for (const memory of rows)
        expect(await contradictions.candidates({ ...asking, memory, happened_at: memory.created_at })).toEqual([]);
    });

    test("tells the Forge nothing by its vector", async () => {
      const silent = aRow({ run_id: "walk" });
      await subject.seed(anEntry(silent, ZEROS));
      const { rows } = await subject.storage.forge.traceRows({
        tenant_id: TENANT,
        fleet_id: null,
        since: toTimestamp(0),
        unexpired_at: toTimestamp(subject.clock.now()),
        embedder_id: SPACE.id,
        before: null,
        scan: 10,
        content_max: 100,
      });
      expect(rows.map(({ id, vector }) => [id, vector])).toEqual([[silent.id, null]]);
    });
  });

  test("a document that the model cannot read is near to nothing, found by its words, and stays read", async () => {
    await put("silent", "ⴰⵣⵓⵍ heron", ZEROS);
    await put("kite", "A kite.", aVector(0));
    const look = async () => {
      for (const values of ALL_AROUND)
        expect((await documents({ values })).map(({ doc_id }) => doc_id)).toEqual(["kite"]);
      expect(await documents({ words: ["heron"], values: aVector(90) })).toContainEqual({
        doc_id: "silent",
        vec_sim: null,
      });
      await expectSound();
    };
    await look();
    expect(await rebuild()).toBe(0);
    await look();
    await put("kite", "ⴰⵎⴰⵏ", ZEROS);
    for (const values of ALL_AROUND) expect(await documents({ values })).toEqual([]);
    await expectSound();
  });
}
