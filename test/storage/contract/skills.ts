import { describe, expect, test } from "bun:test";
import { toTimestamp } from "../../../src/core/kernel/clock.ts";
import type { JsonObject } from "../../../src/core/kernel/json.ts";
import type { DenylistEntry, InboxQuery, SkillChange } from "../../../src/core/ports/skill-store.ts";
import { SKILL_UPDATES, SKILLS } from "../../../src/core/schema/skill.ts";
import { ACTOR, anEntry, aRow, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { aChange } from "./documents.ts";

const MINUTE_MS = 60_000;

export function describeSkills(subject: Subject): void {
  const put = (doc_id: string, data: JsonObject, fields: Partial<SkillChange> = {}, collection = SKILLS) =>
    subject.storage.skills.change({ tenant_id: TENANT, collection, doc_id }, ACTOR, () => ({
      ...aChange(data),
      ...fields,
    }));
  const inbox = async (fields: { fleet_id?: string; offset?: number; limit?: number } = {}) => {
    const all: InboxQuery = { tenant_id: TENANT, fleet_id: null, fleets: "all", offset: 0, limit: 100 };
    return (await subject.storage.skills.inbox({ bytes: 1e6, ...all, ...fields })).items.map(({ doc_id }) => doc_id);
  };
  const now = () => toTimestamp(subject.clock.now());
  const anEntryOf = (fields: Partial<DenylistEntry> = {}): DenylistEntry => ({
    tenant_id: TENANT,
    fleet_id: null,
    fingerprint: "fp",
    rejected_by: null,
    rejected_at: now(),
    expires_at: toTimestamp(subject.clock.now() + 1_000),
    reason: "no",
    ...fields,
  });
  const until = (fields: { tenant_id?: string; fleet_id?: string | null; fingerprint?: string } = {}) =>
    subject.storage.skills.denylistedUntil({
      tenant_id: TENANT,
      fleet_id: null,
      fingerprint: "fp",
      at: now(),
      ...fields,
    });

  describe("skills", () => {
    test("are decided on with the whole family in view, updates that wait included", async () => {
      await put("tidy", { status: "active" });
      await put("agent/tidy", { status: "staged" });
      await put("agent/tidy", { status: "staged" }, {}, SKILL_UPDATES);
      await put("tidy-up", { status: "active" });
      let seen: string[] = [];
      await subject.storage.skills.change(
        { tenant_id: TENANT, collection: SKILLS, doc_id: "forge/tidy" },
        ACTOR,
        (current, family) => {
          expect(current).toBeNull();
          seen = family.map(({ collection, doc_id }) => `${collection} ${doc_id}`).sort();
          return aChange({ status: "candidate" });
        },
      );
      expect(seen).toEqual([`${SKILL_UPDATES} agent/tidy`, `${SKILLS} agent/tidy`, `${SKILLS} tidy`]);
      expect(await subject.storage.skills.family(TENANT, "tidy")).toHaveLength(4);
      expect(await subject.storage.skills.family("acme", "tidy")).toEqual([]);
    });

    test("take the place of what they absorb, all or nothing", async () => {
      const waiting = { tenant_id: TENANT, collection: SKILL_UPDATES, doc_id: "agent/tidy" };
      await put("agent/tidy", { status: "staged" }, {}, SKILL_UPDATES);
      const refuse = (): never => {
        throw new Error("refused");
      };
      const key = { ...waiting, collection: SKILLS };
      await expect(subject.storage.skills.change(key, ACTOR, refuse)).rejects.toThrow("refused");
      expect(await subject.storage.documents.get(waiting)).not.toBeNull();
      await put("agent/tidy", { status: "active" }, { absorbs: waiting });
      expect(await subject.storage.documents.get(waiting)).toBeNull();
      expect((await subject.storage.documents.get(key))?.data.status).toBe("active");
    });

    test("wait in the inbox while staged: newest first, deferred last, the longest deferred first", async () => {
      for (const doc_id of ["a", "b", "c"]) {
        await put(doc_id, { status: "staged" });
        subject.clock.advance(1);
      }
      await put("late", { status: "staged", deferred_at: "2026-02-02" });
      await put("early", { status: "staged", deferred_at: "2026-01-01" });
      await put("active", { status: "active" });
      await put("agent/x", { status: "staged" }, { fleet_id: "red" }, SKILL_UPDATES);
      expect(await inbox()).toEqual(["agent/x", "c", "b", "a", "early", "late"]);
      expect(await inbox({ offset: 1, limit: 2 })).toEqual(["c", "b"]);
      expect(await inbox({ fleet_id: "red" })).toEqual(["agent/x"]);
    });

    test("keep the vector of a summary that stays the same, and only then", async () => {
      const searchable = (summary: string) => ({ searchable: { summary, text: summary } });
      const vector = new Float32Array(64).fill(0.125);
      await put("tidy", { a: 1 }, { ...searchable("Same"), vector, embedded_by: "test-space" });
      expect((await put("tidy", { a: 2 }, searchable("Same"))).after.embedded_by).toBe("test-space");
      expect((await put("tidy", { a: 2 }, searchable("Other"))).after.embedded_by).toBeNull();
    });

    test("name their tenants", async () => {
      await put("a", {});
      await subject.storage.skills.change({ tenant_id: "acme", collection: SKILLS, doc_id: "a" }, ACTOR, () =>
        aChange({}),
      );
      await subject.storage.documents.upsert({ tenant_id: "other", collection: "books", doc_id: "a" }, ACTOR, () =>
        aChange({}),
      );
      expect(await subject.storage.skills.tenants()).toEqual(["acme", TENANT]);
    });

    test("show members in the audit log that their change names, and its reason", async () => {
      await put("a", { status: "staged", content: "secret" }, { shown: ["status", "absent"], reason: "Because." });
      const [entry] = await subject.storage.audit.list({ tenant_id: TENANT, limit: 1 });
      expect(entry).toMatchObject({ target_id: "skills/a", after: { status: "staged" }, reason: "Because." });
      expect(Object.keys(entry?.after ?? {}).sort()).toEqual(["data_hash", "status"]);
    });
  });

  describe("a rejected fingerprint", () => {
    test("is barred until it expires, in its tenant, from its fleet", async () => {
      await put("a", {}, { denylisted: anEntryOf({ fleet_id: "red" }) });
      const ends = toTimestamp(subject.clock.now() + 1_000);
      expect(await until()).toBe(ends);
      expect(await until({ fleet_id: "red" })).toBe(ends);
      expect(await until({ fleet_id: "blue" })).toBeNull();
      expect(await until({ tenant_id: "acme" })).toBeNull();
      expect(await until({ fingerprint: "other" })).toBeNull();
      subject.clock.advance(999);
      expect(await until()).toBe(ends);
      subject.clock.advance(1);
      expect(await until()).toBeNull();
    });

    test("without a fleet is barred from every fleet, as long as its last entry says", async () => {
      await put("a", {}, { denylisted: anEntryOf({ expires_at: toTimestamp(subject.clock.now() + 9_000) }) });
      await put("b", {}, { denylisted: anEntryOf() });
      expect(await until({ fleet_id: "blue" })).toBe(toTimestamp(subject.clock.now() + 9_000));
    });

    test("is not barred by a change that was refused", async () => {
      const refused = subject.storage.skills.change(
        { tenant_id: TENANT, collection: SKILLS, doc_id: "a" },
        ACTOR,
        () => {
          throw new Error("refused");
        },
      );
      await expect(refused).rejects.toThrow("refused");
      expect(await until()).toBeNull();
    });
  });

  test("memories tell their status to whoever asks what a skill rests on, deleted ones too", async () => {
    const rows = [aRow(), aRow({ status: "outdated" }), aRow(), aRow({ tenant_id: "acme" })];
    await subject.seed(...rows.map((row) => anEntry(row)));
    const [one, two, three, theirs] = rows.map(({ id }) => id);
    await subject.storage.memories.remove({ tenant_id: TENANT, ids: [three ?? ""] }, ACTOR, 1);
    const ids = [one, two, three, theirs, "no such id"].map(String);
    expect(await subject.storage.skills.memoryStatuses(TENANT, ids)).toEqual(
      new Map([
        [String(one), "active"],
        [String(two), "outdated"],
        [String(three), "deleted"],
      ]),
    );
  });

  describe("a look at the skills of a tenant", () => {
    const kinds = async () => {
      const found: string[] = [];
      for (let job = await claim(); job; job = await claim()) {
        found.push(job.job.kind);
        await subject.storage.jobs.finish(job.id);
      }
      return found.filter((kind) => kind === "review_skills");
    };
    const claim = () => subject.storage.jobs.claim(subject.clock.now(), 60_000);

    test("is queued once for all memories that fall within a minute, and not where no skill is active", async () => {
      const rows = [aRow(), aRow(), aRow()];
      await subject.seed(...rows.map((row) => anEntry(row)));
      const [one, two, three] = rows.map(({ id }) => String(id));
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [String(one)] }, ACTOR, 1);
      expect(await kinds()).toEqual([]);
      await put("a", { status: "active" });
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [String(two)] }, ACTOR, 1);
      await subject.storage.memories.update({ tenant_id: TENANT, ids: [String(three)] }, ACTOR, () => ({
        patch: { status: "outdated" },
        action: "memory.update",
      }));
      expect(await kinds()).toEqual([]);
      subject.clock.advance(MINUTE_MS);
      expect(await kinds()).toEqual(["review_skills"]);
    });

    test("that waits for more to fall runs at once when something else asks for it", async () => {
      const row = aRow();
      await subject.seed(anEntry(row));
      await put("a", { status: "active" });
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [row.id] }, ACTOR, 1);
      expect(await kinds()).toEqual([]);
      const job = { kind: "review_skills", payload: { tenant_id: TENANT } } as const;
      await subject.storage.jobs.add([job], subject.clock.now());
      expect(await kinds()).toEqual(["review_skills"]);
      subject.clock.advance(MINUTE_MS);
      expect(await kinds()).toEqual([]);
    });
  });
}
