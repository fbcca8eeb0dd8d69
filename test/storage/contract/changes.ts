import { describe, expect, test } from "bun:test";
import type { MemoryChange } from "../../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { ACTOR, anEntry, aRow, aVector, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, agentOf, asked, hitIds, idsOf } from "../subject.ts";

export function describeChanges(subject: Subject): void {
  const rowOf = (id: string) => subject.storage.memories.get({ tenant_id: TENANT, id }, ANYBODY);
  const update = (id: string, change: Partial<MemoryChange>) =>
    subject.storage.memories.update({ tenant_id: TENANT, ids: [id] }, ACTOR, () => ({
      patch: {},
      action: "memory.update",
      ...change,
    }));
  const auditOf = (target_id: string) => subject.storage.audit.list({ tenant_id: TENANT, target_id, limit: 10 });

  describe("remove", () => {
    test("marks the row with the moment and hides it from every read", async () => {
      const row = aRow();
      await subject.seed(anEntry(row, aVector(0)));
      const { memories } = subject.storage;
      subject.clock.advance(1_500);
      expect(await memories.remove({ tenant_id: TENANT, ids: [row.id] }, ACTOR, 1)).toBe(1);
      expect(await rowOf(row.id)).toBeNull();
      expect(await subject.list()).toEqual([]);
      expect(await memories.count({ tenant_id: TENANT })).toBe(0);
      expect(await memories.stored(TENANT)).toBe(0);
      const deleted_at = new Date(subject.clock.now()).toISOString();
      const [kept] = await subject.list({ include_deleted: true });
      expect(kept).toEqual({ ...row, embedded_by: SPACE.id, status: "deleted", deleted_at });
    });

    test("counts what it removed; a second time there is nothing left", async () => {
      const rows = [aRow(), aRow(), aRow()];
      await subject.seed(...rows.map((row) => anEntry(row)));
      const filter = { tenant_id: TENANT, ids: [...idsOf(rows.slice(0, 2)), "no such id"] };
      expect(await subject.storage.memories.remove(filter, ACTOR, 10)).toBe(2);
      expect(await subject.storage.memories.remove(filter, ACTOR, 10)).toBe(0);
      expect(idsOf(await subject.list())).toEqual(idsOf(rows.slice(2)));
      expect(await subject.storage.memories.stored(TENANT)).toBe(1);
    });

    test("takes the oldest first, at most as many as it may", async () => {
      const rows = [aRow(), aRow(), aRow()];
      await subject.seed(...rows.map((row) => anEntry(row)));
      expect(await subject.storage.memories.remove({ tenant_id: TENANT }, ACTOR, 2)).toBe(2);
      expect(idsOf(await subject.list())).toEqual(idsOf(rows.slice(2)));
    });

    test("leaves one audit entry a row, with who and from what status", async () => {
      const row = aRow({ status: "confirmed" });
      await subject.seed(anEntry(row));
      await subject.storage.memories.remove({ tenant_id: TENANT }, ACTOR, 10);
      const [entry, created, ...others] = await auditOf(row.id);
      expect(entry).toMatchObject({ action: "memory.delete", before: { status: "confirmed" }, ...ACTOR });
      expect(created?.action).toBe("memory.create");
      expect(others).toEqual([]);
    });

    test("never touches another tenant's rows", async () => {
      const row = aRow({ tenant_id: "acme" });
      await subject.seed(anEntry(row));
      expect(await subject.storage.memories.remove({ tenant_id: TENANT, ids: [row.id] }, ACTOR, 10)).toBe(0);
      expect(await subject.list({ tenant_id: "acme" })).toEqual([row]);
    });
  });

  describe("update", () => {
    test("shows the decision the row as it is, and stores what it decides with audit and jobs", async () => {
      const row = aRow({ metadata: { a: 1 } });
      await subject.seed(anEntry(row, aVector(0)));
      const { memories, jobs } = subject.storage;
      const seen: StoredMemory[] = [];
      const job = { kind: "embed_memories" as const, payload: { tenant_id: TENANT, memory_ids: [row.id] } };
      const updated = await memories.update({ tenant_id: TENANT, ids: [row.id] }, ACTOR, (current) => {
        seen.push(current);
        const patch = { weight: 0.9, metadata: { ...current.metadata, b: 2 } };
        return { patch, jobs: [job], action: "memory.update", reason: "because" };
      });
      const before = { ...row, embedded_by: SPACE.id };
      const after = { ...before, weight: 0.9, metadata: { a: 1, b: 2 } };
      expect(seen).toEqual([before]);
      expect(updated).toEqual({ before, after });
      expect(await rowOf(row.id)).toEqual(after);
      expect(await jobs.claim(subject.clock.now(), 1)).toMatchObject({ job });
      const [entry] = await auditOf(row.id);
      expect(entry).toMatchObject({
        action: "memory.update",
        reason: "because",
        before: { weight: 0.5 },
        after: { weight: 0.9 },
      });
    });

    test("of nothing within the filter is null, and decides nothing", async () => {
      const row = aRow({ visibility: "scope_agent" });
      await subject.seed(anEntry(row));
      const decide = (): MemoryChange => expect.unreachable("There is nothing to decide.");
      const { memories } = subject.storage;
      for (const filter of [
        { tenant_id: TENANT, ids: [crypto.randomUUID()] },
        { tenant_id: "acme", ids: [row.id] },
        { tenant_id: TENANT, ids: [row.id], read_scope: agentOf("bob") },
      ]) {
        expect(await memories.update(filter, ACTOR, decide)).toBeNull();
      }
    });

    test("whose decision throws leaves everything as it was", async () => {
      const row = aRow();
      await subject.seed(anEntry(row));
      const refusal = new Error("not this one");
      const doomed = subject.storage.memories.update({ tenant_id: TENANT, ids: [row.id] }, ACTOR, () => {
        throw refusal;
      });
      await expect(doomed).rejects.toBe(refusal);
      expect(await rowOf(row.id)).toEqual(row);
      expect(await auditOf(row.id)).toHaveLength(1);
    });

    test("of the text moves words and vector", async () => {
      const row = aRow({ content: "An old nightjar." });
      await subject.seed(anEntry(row, aVector(0)));
      const patch = { content: "A new bittern.", content_hash: "new" };
      await update(row.id, { patch, vectors: { own: aVector(90), context: null } });
      expect(hitIds(await subject.hits({ words: ["nightjar"] }))).toEqual([]);
      expect(hitIds(await subject.hits({ words: ["bittern"] }))).toEqual([row.id]);
      const { hits } = await subject.hits({ vector: asked(aVector(90)) });
      expect(hits[0]?.vec_sim).toBeCloseTo(1, 5);
    });

    test("of the text without a new vector forgets the old one", async () => {
      const row = aRow();
      await subject.seed(anEntry(row, aVector(0)));
      await update(row.id, {
        patch: { content: "Another text.", content_hash: "new", embedded_by: null },
        vectors: null,
      });
      expect(hitIds(await subject.hits({ vector: asked(aVector(0)) }))).toEqual([]);
      expect(await subject.storage.memories.getVector({ tenant_id: TENANT, id: row.id })).toBeNull();
      const waiting = await subject.storage.memories.pending(TENANT, [row.id], SPACE.id);
      expect(waiting.map(({ memory }) => memory.content)).toEqual(["Another text."]);
    });

    test("to a text that stands elsewhere is refused with its id, and changes nothing", async () => {
      const [row, twin] = [aRow(), aRow()];
      await subject.seed(anEntry(row), anEntry(twin));
      const patch = { content: twin.content, content_hash: twin.content_hash };
      await expect(update(row.id, { patch })).rejects.toMatchObject({
        code: "DUPLICATE_MEMORY",
        details: { existing_id: twin.id, reason: "exact_content_hash" },
      });
      expect(await rowOf(row.id)).toEqual(row);
    });

    test("of type and visibility moves the row between the filters of both legs", async () => {
      const row = aRow({ content: "A plover." });
      await subject.seed(anEntry(row, aVector(0)));
      await update(row.id, { patch: { memory_type: "task", visibility: "scope_agent" } });
      const found = async (fields: object) => {
        const filter = { tenant_id: TENANT, ...fields };
        const legs = [{ words: ["plover"] }, { vector: asked(aVector(0)) }];
        return (await Promise.all(legs.map((leg) => subject.hits({ filter, ...leg })))).map(
          (reply) => hitIds(reply).length,
        );
      };
      expect(await found({ memory_types: ["task"], read_scope: agentOf("ada") })).toEqual([1, 1]);
      expect(await found({ memory_types: ["fact"], read_scope: agentOf("ada") })).toEqual([0, 0]);
      expect(await found({ read_scope: agentOf("bob") })).toEqual([0, 0]);
    });
  });
}
