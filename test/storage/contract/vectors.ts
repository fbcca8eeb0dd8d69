import { describe, expect, test } from "bun:test";
import { searchableText } from "../../../src/documents/searchable.ts";
import { ACTOR, anEntry, aRow, aVector, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, asked, hitIds, idsOf } from "../subject.ts";
import { aChange } from "./documents.ts";

export function describeVectors(subject: Subject): void {
  const pendingIds = async (ids: readonly string[], embedder: string = SPACE.id, tenant = TENANT) =>
    (await subject.storage.memories.pending(tenant, ids, embedder)).map(({ memory }) => memory.id).sort();
  const fill = (row: { id: string; content_hash: string }, own = aVector(7)) => ({
    id: row.id,
    content_hash: row.content_hash,
    vectors: { own, context: null },
  });

  describe("rows that wait for a vector", () => {
    test("are those named that lack one of this embedder, and are not deleted", async () => {
      const [waits, has, gone, unnamed] = [aRow(), aRow(), aRow(), aRow()];
      await subject.seed(anEntry(waits), anEntry(has, aVector(0)), anEntry(gone), anEntry(unnamed));
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [gone.id] }, ACTOR, 1);
      const named = idsOf([waits, has, gone]);
      expect(await pendingIds(named)).toEqual([waits.id]);
      expect(await pendingIds(named, "a-newer-model")).toEqual([waits.id, has.id].sort());
      expect(await pendingIds(named, SPACE.id, "acme")).toEqual([]);
    });

    test("are found by meaning once filled, and wait no more", async () => {
      const row = aRow();
      await subject.seed(anEntry(row));
      expect(hitIds(await subject.hits({ vector: asked(aVector(7)) }))).toEqual([]);
      const { memories } = subject.storage;
      await memories.fillVectors(TENANT, [fill(row)]);
      expect(hitIds(await subject.hits({ vector: asked(aVector(7)) }))).toEqual([row.id]);
      expect(await pendingIds([row.id])).toEqual([]);
      const filled = await memories.get({ tenant_id: TENANT, id: row.id }, ANYBODY);
      expect(filled).toEqual({ ...row, embedded_by: SPACE.id });
      expect(await memories.getVector({ tenant_id: TENANT, id: row.id })).toEqual(aVector(7));
    });

    test("may be filled twice, the last one counts", async () => {
      const row = aRow();
      await subject.seed(anEntry(row));
      const { memories } = subject.storage;
      await memories.fillVectors(TENANT, [fill(row), fill(row, aVector(50))]);
      expect(await memories.getVector({ tenant_id: TENANT, id: row.id })).toEqual(aVector(50));
      const { hits } = await subject.hits({ vector: asked(aVector(50)) });
      expect(hits).toHaveLength(1);
      expect(hits[0]?.vec_sim).toBeCloseTo(1, 5);
    });

    test("are not filled with the vector of a text they no longer have, nor when deleted, unknown or another tenant's", async () => {
      const [changed, gone, fine] = [aRow(), aRow(), aRow()];
      await subject.seed(anEntry(changed), anEntry(gone), anEntry(fine));
      const { memories } = subject.storage;
      await memories.remove({ tenant_id: TENANT, ids: [gone.id] }, ACTOR, 1);
      const stale = { ...fill(changed), content_hash: "the hash of an older text" };
      const unknown = fill({ id: crypto.randomUUID(), content_hash: fine.content_hash });
      await memories.fillVectors("acme", [fill(fine)]);
      expect(await pendingIds(idsOf([changed, fine]))).toEqual([changed.id, fine.id].sort());
      await memories.fillVectors(TENANT, [stale, fill(gone), unknown, fill(fine)]);
      expect(await pendingIds(idsOf([changed, gone, fine]))).toEqual([changed.id]);
      expect(hitIds(await subject.hits({ vector: asked(aVector(7)) }))).toEqual([fine.id]);
      expect(await memories.getVector({ tenant_id: TENANT, id: gone.id })).toBeNull();
    });
  });

  describe("rows that only another model has read", () => {
    const ROWS = { tenant_id: TENANT, embedder_id: SPACE.id, below: null, limit: 10 };

    test("are told newest first, those of several models together, below a number and no more than are asked for", async () => {
      const { memories } = subject.storage;
      const models = ["z-old", "a-old", "z-old", null, "a-old", SPACE.id];
      const rows = models.map((embedded_by) => aRow({ embedded_by }));
      const [oldest, second, gone, _waits, newest] = rows;
      if (!oldest || !second || !gone || !newest) return expect.unreachable();
      await subject.seed(...rows.map((row) => anEntry(row)), anEntry(aRow({ tenant_id: "acme", embedded_by: "old" })));
      await memories.remove({ tenant_id: TENANT, ids: [gone.id] }, ACTOR, 1);
      const found = await memories.stale(ROWS);
      expect(idsOf(found)).toEqual(idsOf([newest, second, oldest]));
      expect(idsOf(await memories.stale({ ...ROWS, limit: 2 }))).toEqual(idsOf([newest, second]));
      expect(idsOf(await memories.stale({ ...ROWS, below: found[1]?.seq ?? 0 }))).toEqual([oldest.id]);
      expect(await memories.stale({ ...ROWS, tenant_id: "nobody" })).toEqual([]);
    });

    test("are of documents those that search reads", async () => {
      const { documents } = subject.storage;
      const put = async (doc_id: string, embedded_by: string | null, summary: string | null = "A heron") => {
        const searchable = summary === null ? null : { summary, text: summary };
        const change = aChange({ a: 1 }, { searchable, embedded_by });
        return documents.upsert({ tenant_id: TENANT, collection: "books", doc_id }, ACTOR, () => change);
      };
      const [first] = [await put("one", "old"), await put("two", SPACE.id), await put("three", null)];
      await put("four", "old", null);
      const second = await put("five", "z-old");
      const found = await documents.stale(ROWS);
      expect(idsOf(found)).toEqual([second.after.id, first?.after.id ?? ""]);
      expect(idsOf(await documents.stale({ ...ROWS, below: found[0]?.seq ?? 0 }))).toEqual([first?.after.id ?? ""]);
    });
  });

  test("recalls are counted on the rows named, of that tenant alone, and change nothing that ranks", async () => {
    const [row, other, foreign] = [aRow({ content: "A wren." }), aRow(), aRow({ tenant_id: "acme" })];
    await subject.seed(anEntry(row, aVector(0)), anEntry(other), anEntry(foreign));
    const { memories } = subject.storage;
    const before = await subject.hits({ words: ["wren"], vector: asked(aVector(0)) });
    const at = "2026-05-05T05:05:05.555Z";
    await memories.touchRecalls(TENANT, [row.id, foreign.id], at);
    await memories.touchRecalls(TENANT, [row.id], at);
    const touched = await memories.get({ tenant_id: TENANT, id: row.id }, ANYBODY);
    expect(touched).toEqual({ ...row, embedded_by: SPACE.id, recall_count: 2, last_recalled_at: at });
    expect(await memories.get({ tenant_id: TENANT, id: other.id }, ANYBODY)).toEqual(other);
    const [untouched] = await subject.list({ tenant_id: "acme" });
    expect(untouched?.recall_count).toBe(0);
    const after = await subject.hits({ words: ["wren"], vector: asked(aVector(0)) });
    const signals = ({ hits, words }: typeof after) => [words, hits.map(({ memory: _, ...signal }) => signal)];
    expect(signals(after)).toEqual(signals(before));
  });

  describe("a rebuild", () => {
    test("leaves rows that wait to be read anew as they are, and queues none of them", async () => {
      const { documents, indexes, jobs, memories } = subject.storage;
      const [stale, lost, whole] = [aRow({ embedded_by: "old" }), aRow({ embedded_by: SPACE.id }), aRow()];
      await subject.seed(anEntry(stale), anEntry(lost), anEntry(whole, aVector(1)));
      const key = { tenant_id: TENANT, collection: "books", doc_id: "one" };
      const searchable = { summary: "A heron", text: "A heron" };
      await documents.upsert(key, ACTOR, () => aChange({ a: 1 }, { searchable, embedded_by: "old" }));
      expect(await jobs.addReembedding(SPACE.id, subject.clock.now())).toBe(1);
      let queued = 0;
      for (let step = await indexes.rebuild(null, searchableText); ; ) {
        queued += step.embeddings_queued;
        if (step.next === null) break;
        step = await indexes.rebuild(step.next, searchableText);
      }
      expect(queued).toBe(1);
      const rows = await memories.list({
        filter: { tenant_id: TENANT },
        sort: "created_at",
        order: "asc",
        after: null,
        offset: 0,
        limit: 10,
      });
      expect(rows.map(({ embedded_by }) => embedded_by)).toEqual(["old", null, SPACE.id]);
      expect(await documents.get(key)).toMatchObject({ embedded_by: "old" });
      expect(await jobs.addReembedding(SPACE.id, subject.clock.now())).toBe(0);
    });
  });
}
