import { describe, expect, test } from "bun:test";
import type { Job } from "../../../src/core/schema/job.ts";
import { ACTOR, aBatch, anEntry, aRow, aVector, DIMENSIONS, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, asked, hitIds, idsOf } from "../subject.ts";

const embedJob = (memory_ids: string[]): Job => ({
  kind: "embed_memories",
  payload: { tenant_id: TENANT, memory_ids },
});

export function describeInsert(subject: Subject): void {
  describe("insert", () => {
    test("answers one outcome an entry, in order, and keeps every field", async () => {
      const full = aRow({
        agent_id: "ада",
        fleet_id: "red",
        memory_type: "decision",
        title: "A title",
        content: "Zürich, 北京, мир 🎉 'quoted' \"twice\" \\ %_",
        weight: 0.25,
        source_uri: "https://example.org/7",
        run_id: "run-1",
        metadata: { nested: { list: [1, null, "x", true] }, "a.b": 0 },
        system_metadata: { ignored_fields: ["colour"] },
        entity_links: [{ entity_id: "01920000-0000-7000-8000-000000000001", role: "subject" }],
        expires_at: "2090-01-01T00:00:00.000Z",
        subject_entity_id: "01920000-0000-7000-8000-000000000001",
        predicate: "is",
        object_value: "so",
        ts_valid_start: "2025-01-01T00:00:00.000Z",
        ts_valid_end: "2026-01-01T00:00:00.000Z",
        status: "confirmed",
        visibility: "scope_org",
        supersedes_id: "01920000-0000-7000-8000-000000000002",
      });
      const plain = aRow();
      const outcomes = await subject.storage.memories.insert(aBatch([anEntry(full), anEntry(plain)]));
      expect(outcomes).toEqual([
        { outcome: "created", memory: full },
        { outcome: "created", memory: plain },
      ]);
      const { memories } = subject.storage;
      expect(await memories.get({ tenant_id: TENANT, id: full.id }, ANYBODY)).toEqual(full);
      expect(await memories.get({ tenant_id: TENANT, id: plain.id }, ANYBODY)).toEqual(plain);
    });

    test("writes row, words, vector, count, audit and jobs together", async () => {
      const row = aRow({ content: "The heron stands in the reeds." });
      const vector = aVector(10);
      const entries = [anEntry(row, vector)];
      await subject.storage.memories.insert(aBatch(entries, { jobsFor: (created) => [embedJob(idsOf(created))] }));
      const { memories, audit, jobs } = subject.storage;
      expect(idsOf(await subject.list())).toEqual([row.id]);
      expect(hitIds(await subject.hits({ words: ["heron"] }))).toEqual([row.id]);
      expect(hitIds(await subject.hits({ vector: asked(aVector(11)) }))).toEqual([row.id]);
      expect(await memories.getVector({ tenant_id: TENANT, id: row.id })).toEqual(vector);
      expect(await memories.stored(TENANT)).toBe(1);
      expect(await audit.list({ tenant_id: TENANT, limit: 10 })).toMatchObject([
        { action: "memory.create", target_id: row.id, before: null, after: { status: "active" }, ...ACTOR },
      ]);
      expect(await jobs.claim(subject.clock.now(), 1)).toMatchObject({ job: embedJob([row.id]), attempt: 1 });
    });

    test.each([
      [
        "its jobs cannot be made",
        [],
        {
          jobsFor: () => {
            throw new Error("no jobs");
          },
        },
      ],
      ["a later entry cannot be stored", [anEntry(aRow({ weight: Number.NaN }))], {}],
      ["a later vector does not fit", [anEntry(aRow(), new Float32Array(DIMENSIONS / 2).fill(1))], {}],
    ])("leaves nothing behind when %s", async (_, later, fields) => {
      const row = aRow({ content: "A crane builds its nest." });
      const { memories, audit, jobs } = subject.storage;
      await expect(memories.insert(aBatch([anEntry(row, aVector(5)), ...later], fields))).rejects.toThrow();
      expect(await subject.list({ include_deleted: true })).toEqual([]);
      expect(hitIds(await subject.hits({ words: ["crane"], vector: asked(aVector(5)) }))).toEqual([]);
      expect(await memories.stored(TENANT)).toBe(0);
      expect(await audit.list({ tenant_id: TENANT, limit: 10 })).toEqual([]);
      expect(await jobs.nextDue()).toBeNull();
      await subject.seed(anEntry(row, aVector(5)));
    });

    test("tells the listener of its jobs once they are stored", async () => {
      const due: (number | null)[] = [];
      const seen = Promise.withResolvers<void>();
      subject.storage.onJobAdded(() => {
        void subject.storage.jobs.nextDue().then((at) => {
          due.push(at);
          seen.resolve();
        });
      });
      const row = aRow();
      await subject.storage.memories.insert(aBatch([anEntry(row)], { jobsFor: () => [embedJob([row.id])] }));
      await seen.promise;
      expect(due).toEqual([subject.clock.now()]);
    });
  });

  describe("an entry is a duplicate", () => {
    test("of a stored row with the same text, author, fleet and visibility, and is answered with its id", async () => {
      const row = aRow({ fleet_id: "red" });
      await subject.seed(anEntry(row));
      const twin = aRow({ fleet_id: "red", content: row.content, weight: 1, memory_type: "task", run_id: "other" });
      const outcomes = await subject.storage.memories.insert(aBatch([anEntry(twin, aVector(1))]));
      expect(outcomes).toEqual([{ outcome: "duplicate_content", id: row.id }]);
      expect(idsOf(await subject.list())).toEqual([row.id]);
      expect(await subject.storage.memories.getVector({ tenant_id: TENANT, id: row.id })).toBeNull();
    });

    test("of an earlier one of the same batch", async () => {
      const row = aRow();
      const twin = aRow({ content: row.content });
      const outcomes = await subject.storage.memories.insert(aBatch([anEntry(row), anEntry(twin), anEntry(aRow())]));
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(["created", "duplicate_content", "created"]);
      expect(await subject.storage.memories.stored(TENANT)).toBe(2);
    });

    test.each([
      ["author", { agent_id: "bob" }],
      ["fleet", { fleet_id: "blue" }],
      ["visibility", { visibility: "scope_agent" as const }],
      ["tenant", { tenant_id: "acme" }],
    ])("but not of a row of another %s", async (_, other) => {
      const row = aRow();
      await subject.seed(anEntry(row), anEntry(aRow({ content: row.content, ...other })));
    });

    test("but not of a deleted row", async () => {
      const row = aRow();
      await subject.seed(anEntry(row));
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [row.id] }, ACTOR, 1);
      await subject.seed(anEntry(aRow({ content: row.content })));
    });
  });

  describe("a repeated item of an attempt", () => {
    const attempt = (client_request_id: string, row = aRow()) => ({ ...anEntry(row), client_request_id });

    test("is answered with the first row, even when its text changed or the row was deleted", async () => {
      const first = attempt("a:0");
      await subject.seed(first);
      const { memories } = subject.storage;
      const again = { outcome: "duplicate_attempt" as const, id: first.memory.id };
      expect(await memories.insert(aBatch([attempt("a:0")]))).toEqual([again]);
      await memories.remove({ tenant_id: TENANT, ids: [first.memory.id] }, ACTOR, 1);
      expect(await memories.insert(aBatch([attempt("a:0", first.memory)]))).toEqual([again]);
      expect(await memories.stored(TENANT)).toBe(0);
    });

    test("is found by the name of its request in its own tenant, deleted or not", async () => {
      const first = attempt("once:a");
      await subject.seed(first);
      const { memories } = subject.storage;
      const found = async (tenant_id = TENANT) => (await memories.ofRequest(tenant_id, "once:a"))?.id;
      expect([await found(), await found("acme")]).toEqual([first.memory.id, undefined]);
      await memories.remove({ tenant_id: TENANT, ids: [first.memory.id] }, ACTOR, 1);
      expect(await found()).toBe(first.memory.id);
    });

    test("of another tenant, or of another attempt, is an item of its own", async () => {
      await subject.seed(attempt("a:0"), attempt("a:1"), attempt("a:0", aRow({ tenant_id: "acme" })));
    });
  });

  describe("a tenant's limit", () => {
    const outcomesOf = async (entries: Parameters<typeof aBatch>[0], memories_limit: number) =>
      (await subject.storage.memories.insert(aBatch(entries, { memories_limit }))).map(({ outcome }) => outcome);

    test("refuses what is beyond it, stores the rest, and lets duplicates be duplicates", async () => {
      const row = aRow();
      await subject.seed(anEntry(row));
      const twin = anEntry(aRow({ content: row.content }));
      expect(await outcomesOf([anEntry(aRow()), anEntry(aRow()), twin, anEntry(aRow())], 2)).toEqual([
        "created",
        "over_limit",
        "duplicate_content",
        "over_limit",
      ]);
      expect(await subject.storage.memories.stored(TENANT)).toBe(2);
      expect(await subject.list()).toHaveLength(2);
    });

    test("does not count deleted rows or those of others", async () => {
      const row = aRow();
      await subject.seed(anEntry(row), anEntry(aRow({ tenant_id: "acme" })));
      expect(await outcomesOf([anEntry(aRow())], 1)).toEqual(["over_limit"]);
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [row.id] }, ACTOR, 1);
      expect(await outcomesOf([anEntry(aRow())], 1)).toEqual(["created"]);
    });
  });
}
