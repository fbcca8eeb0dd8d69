import { describe, expect, test } from "bun:test";
import { ACTOR, anEntry, aRow, aVector, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, asked, hitIds, idsOf } from "../subject.ts";

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
}
