import { describe, expect, test } from "bun:test";
import type { CandidateQuery, Check } from "../../../src/core/ports/contradiction-store.ts";
import type { NewFinding } from "../../../src/core/ports/finding.ts";
import type { ReadScope } from "../../../src/core/ports/memory-filter.ts";
import type { MemoryPatch } from "../../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import type { Job } from "../../../src/core/schema/job.ts";
import { ACTOR, anEntry, aRow, aVector, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, agentOf, idsOf } from "../subject.ts";

const DETECTOR = { agent_id: null, auth_source: "detector" } as const;
const KEY = { subject_key: "the staging database", predicate: "version" };

/** A finding about two rows as they were seeded. */
export const aFinding = (older: StoredMemory, newer: StoredMemory, fields: Partial<NewFinding> = {}): NewFinding => ({
  older,
  newer,
  status: "outdated",
  rule: "other_value",
  confidence: 0.9,
  why: null,
  older_span: { start: 0, end: 4 },
  newer_span: { start: 1, end: 5 },
  ...fields,
});

export function describeContradictions(subject: Subject): void {
  const rowOf = async (id: string): Promise<StoredMemory> => {
    const [row] = await subject.list({ ids: [id], include_deleted: true });
    return row ?? expect.unreachable("There is no such row.");
  };
  const statusOf = async ({ id }: StoredMemory) => (await rowOf(id)).status;
  const linkOf = async ({ id }: StoredMemory) => (await rowOf(id)).supersedes_id;
  const record = (memory: StoredMemory, findings: readonly NewFinding[] = [], claim: Check["claim"] = null) =>
    subject.storage.contradictions.record([{ memory, findings, claim }], DETECTOR);
  const update = (id: string, patch: MemoryPatch) =>
    subject.storage.memories.update({ tenant_id: TENANT, ids: [id] }, ACTOR, () => ({
      patch,
      action: "memory.update",
    }));
  const remove = (...rows: readonly StoredMemory[]) =>
    subject.storage.memories.remove({ tenant_id: TENANT, ids: idsOf(rows) }, ACTOR, 10);
  const findings = async ({ id }: StoredMemory, read_scope: ReadScope = ANYBODY) =>
    (await subject.storage.contradictions.findings({ tenant_id: TENANT, id }, read_scope)).map(
      ({ direction, other, status }) => `${direction} ${other.id} ${status}`,
    );
  const unchecked = async (...rows: readonly StoredMemory[]) =>
    (await subject.storage.contradictions.unchecked(TENANT, idsOf(rows), SPACE.id)).map(({ memory }) => memory.id);
  const auditOf = async ({ id }: StoredMemory) =>
    (await subject.storage.audit.list({ tenant_id: TENANT, target_id: id, limit: 20 }))
      .filter(({ action }) => action !== "memory.create")
      .toReversed();
  const queued = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (let job = await subject.storage.jobs.claim(subject.clock.now(), 1_000); job; ) {
      if (job.job.kind === "understand_memories") ids.push(...job.job.payload.memory_ids);
      await subject.storage.jobs.finish(job.id);
      job = await subject.storage.jobs.claim(subject.clock.now(), 1_000);
    }
    return ids;
  };
  const seedRows = async (...fields: readonly Partial<StoredMemory>[]) => {
    const rows = fields.map((one) => aRow(one));
    await subject.seed(...rows.map((row) => anEntry(row)));
    return rows;
  };
  const aPair = async (older: Partial<StoredMemory> = {}, newer: Partial<StoredMemory> = {}) => {
    const [first, second] = await seedRows(older, newer);
    return { older: first ?? expect.unreachable(), newer: second ?? expect.unreachable() };
  };

  describe("a finding", () => {
    test("demotes the older row, links the newer one, and leaves an audit row for each", async () => {
      const { older, newer } = await aPair({ status: "confirmed" });
      await record(newer, [aFinding(older, newer)]);
      expect(await rowOf(older.id)).toEqual({ ...older, status: "outdated" });
      expect(await rowOf(newer.id)).toEqual({ ...newer, supersedes_id: older.id });
      const [demotion, ...more] = await auditOf(older);
      expect(more).toEqual([]);
      expect(demotion).toMatchObject({ ...DETECTOR, action: "memory.status" });
      expect(demotion).toMatchObject({ before: { status: "confirmed" }, after: { status: "outdated" } });
      expect(demotion?.reason).toContain("other_value");
      expect(demotion?.reason).toContain(newer.id);
      const [link, ...others] = await auditOf(newer);
      expect(others).toEqual([]);
      expect(link).toMatchObject({ ...DETECTOR, action: "memory.supersede", after: { supersedes_id: older.id } });
    });

    test("recorded twice, from either of its rows, changes nothing more", async () => {
      const { older, newer } = await aPair();
      await record(newer, [aFinding(older, newer)]);
      const before = [await rowOf(older.id), await rowOf(newer.id), await auditOf(older), await auditOf(newer)];
      await record(newer, [aFinding(older, newer)]);
      await record(older, [aFinding(older, newer, { status: "conflicted" })]);
      expect([await rowOf(older.id), await rowOf(newer.id), await auditOf(older), await auditOf(newer)]).toEqual(
        before,
      );
      expect(await findings(newer)).toEqual([`supersedes ${older.id} outdated`]);
      expect(await findings(older)).toEqual([`superseded_by ${newer.id} outdated`]);
    });

    test("is read with no more of the other row than is shown, however large its metadata", async () => {
      const { older, newer } = await aPair();
      await record(newer, [aFinding(older, newer)]);
      const [found] = await subject.storage.contradictions.findings({ tenant_id: TENANT, id: newer.id }, ANYBODY);
      expect(Object.keys(found?.other ?? {}).sort()).toEqual([
        "content",
        "created_at",
        "id",
        "status",
        "supersedes_id",
      ]);
    });

    test("stands beside others: the surest is linked, and what one calls outdated is outdated", async () => {
      const [a, b, newer] = await seedRows({}, {}, {});
      if (!a || !b || !newer) return expect.unreachable();
      await record(newer, [
        aFinding(a, newer, { confidence: 0.7, status: "conflicted" }),
        aFinding(b, newer, { confidence: 0.8 }),
      ]);
      expect([await statusOf(a), await statusOf(b), await linkOf(newer)]).toEqual(["conflicted", "outdated", b.id]);
      const newest = aRow();
      await subject.seed(anEntry(newest));
      await record(newest, [aFinding(a, newest)]);
      expect([await statusOf(a), await linkOf(newest)]).toEqual(["outdated", a.id]);
      expect(await findings(a)).toEqual([
        `superseded_by ${newest.id} outdated`,
        `superseded_by ${newer.id} conflicted`,
      ]);
    });

    test.each(["cancelled", "outdated", "conflicted", "archived"] as const)(
      "never overwrites the status %s that somebody else set",
      async (status) => {
        const { older, newer } = await aPair({ status });
        await record(newer, [aFinding(older, newer)]);
        expect([await statusOf(older), await linkOf(newer)]).toEqual([status, null]);
        expect(await findings(newer)).toEqual([]);
      },
    );

    test.each([
      ["text", { content: "Another text.", content_hash: "another" }],
      ["readers", { visibility: "scope_org" }],
      ["time", { ts_valid_start: "2020-01-01T00:00:00.000Z" }],
    ] satisfies [string, MemoryPatch][])(
      "is passed over when the %s of a row changed since it was read, and the row looked at is queued again",
      async (_, patch) => {
        for (const changed of ["older", "newer"] as const) {
          const pair = await aPair();
          await update(pair[changed].id, "content" in patch ? { ...patch, content_hash: crypto.randomUUID() } : patch);
          await queued();
          await record(pair.newer, [aFinding(pair.older, pair.newer)]);
          expect([await statusOf(pair.older), await linkOf(pair.newer)]).toEqual(["active", null]);
          expect(await queued()).toEqual([pair.newer.id]);
          expect(await unchecked(pair.newer)).toEqual([pair.newer.id]);
        }
      },
    );

    test("about a row that is gone is dropped", async () => {
      const { older, newer } = await aPair();
      await remove(older);
      await record(newer, [aFinding(older, newer)]);
      expect(await findings(newer)).toEqual([]);
      await remove(newer);
      await record(newer, [aFinding(older, newer)]);
      expect(await queued()).toEqual([]);
    });
  });

  describe("a finding no longer stands", () => {
    test.each([
      ["text", { content: "Another text.", content_hash: "another", supersedes_id: null }],
      ["readers", { visibility: "scope_org" }],
      ["time", { ts_valid_start: "2020-01-01T00:00:00.000Z" }],
    ] satisfies [string, MemoryPatch][])(
      "once the newer row has another %s: the older one is as it was, and both are looked at anew",
      async (_, patch) => {
        const { older, newer } = await aPair({ status: "pending" });
        await record(older);
        await record(newer, [aFinding(older, newer)]);
        await update(newer.id, patch);
        expect([await statusOf(older), await linkOf(newer)]).toEqual(["pending", null]);
        expect([await findings(older), await findings(newer)]).toEqual([[], []]);
        expect((await queued()).sort()).toEqual([older.id, newer.id].sort());
        expect(await unchecked(older, newer)).toEqual([older.id, newer.id]);
      },
    );

    test("once the older row has another text: the newer one lets go of it, or takes the next", async () => {
      const [a, b, newer] = await seedRows({}, {}, {});
      if (!a || !b || !newer) return expect.unreachable();
      await record(newer, [aFinding(a, newer), aFinding(b, newer, { confidence: 0.8 })]);
      await update(a.id, { content: "Another text.", content_hash: "another", status: "active" });
      expect([await statusOf(a), await linkOf(newer)]).toEqual(["active", b.id]);
      await update(b.id, { content: "One more text.", content_hash: "one more", status: "active" });
      expect([await statusOf(b), await linkOf(newer)]).toEqual(["active", null]);
    });

    test("once one of its rows is deleted", async () => {
      const first = await aPair({ status: "confirmed" });
      await record(first.newer, [aFinding(first.older, first.newer)]);
      await remove(first.newer);
      expect([await statusOf(first.older), await findings(first.older)]).toEqual(["confirmed", []]);
      const [, restored] = await auditOf(first.older);
      expect(restored).toMatchObject({ ...ACTOR, before: { status: "outdated" }, after: { status: "confirmed" } });
      const second = await aPair();
      await record(second.newer, [aFinding(second.older, second.newer)]);
      await remove(second.older);
      expect([await statusOf(second.older), await linkOf(second.newer)]).toEqual(["deleted", null]);
      expect(await findings(second.newer)).toEqual([]);
    });

    test("but the older row stays demoted while another one holds it", async () => {
      const [older, a, b] = await seedRows({}, {}, {});
      if (!older || !a || !b) return expect.unreachable();
      await record(a, [aFinding(older, a)]);
      await record(b, [aFinding(older, b, { status: "conflicted" })]);
      await remove(a);
      expect(await statusOf(older)).toBe("conflicted");
      await remove(b);
      expect(await statusOf(older)).toBe("active");
    });

    test("and a status that a caller set meanwhile stays", async () => {
      const { older, newer } = await aPair();
      await record(newer, [aFinding(older, newer)]);
      await update(older.id, { status: "archived" });
      await remove(newer);
      expect(await statusOf(older)).toBe("archived");
    });
  });

  describe("a caller who undoes a demotion", () => {
    test("is not overruled for that pair, by either row, until one of the texts changes", async () => {
      const { older, newer } = await aPair();
      await record(newer, [aFinding(older, newer)]);
      await update(older.id, { status: "active" });
      expect([await statusOf(older), await linkOf(newer), await findings(newer)]).toEqual(["active", null, []]);
      await record(newer, [aFinding(older, newer)]);
      await record(older, [aFinding(older, newer)]);
      expect([await statusOf(older), await linkOf(newer)]).toEqual(["active", null]);
      await update(newer.id, { content: "Another text.", content_hash: "another" });
      const changed = await rowOf(newer.id);
      await record(changed, [aFinding(older, changed)]);
      expect([await statusOf(older), await linkOf(newer)]).toEqual(["outdated", older.id]);
    });

    test("leaves the row open to what a third one says", async () => {
      const [older, a, b] = await seedRows({}, {}, {});
      if (!older || !a || !b) return expect.unreachable();
      await record(a, [aFinding(older, a)]);
      await update(older.id, { status: "active" });
      await record(b, [aFinding(older, b)]);
      expect([await statusOf(older), await linkOf(a), await linkOf(b)]).toEqual(["outdated", null, older.id]);
    });
  });

  describe("rows that are not looked at", () => {
    test("are those without a check of their present text, and none that are deleted or another tenant's", async () => {
      const [seen, unseen, changed, gone] = await seedRows({}, {}, {}, {});
      if (!seen || !unseen || !changed || !gone) return expect.unreachable();
      for (const row of [seen, changed, gone]) await record(row);
      await update(changed.id, { content: "Another text.", content_hash: "another" });
      await remove(gone);
      expect(await unchecked(seen, unseen, changed, gone)).toEqual(idsOf([unseen, changed]));
      const { contradictions } = subject.storage;
      expect(await contradictions.unchecked("acme", [unseen.id], SPACE.id)).toEqual([]);
      const at = { tenant_id: TENANT };
      expect(await contradictions.checkedAt({ ...at, id: seen.id })).toBe(new Date(subject.clock.now()).toISOString());
      expect(await contradictions.checkedAt({ ...at, id: unseen.id })).toBeNull();
      expect(await contradictions.checkedAt({ ...at, id: changed.id })).toBeNull();
    });

    test("include, and queue, those that got their vector while they were looked at", async () => {
      const [row] = await seedRows({});
      if (!row) return expect.unreachable();
      const vectors = { own: aVector(3), context: null };
      await subject.storage.memories.fillVectors(TENANT, [{ ...row, vectors }]);
      await record(row);
      expect(await queued()).toEqual([row.id]);
      expect(await unchecked(row)).toEqual([row.id]);
    });

    test("include, and queue, those looked at before they had a vector", async () => {
      const [early, unseen] = await seedRows({}, {});
      if (!early || !unseen) return expect.unreachable();
      await record(early);
      expect(await unchecked(early)).toEqual([]);
      const vectors = { own: aVector(3), context: null };
      const filled = [early, unseen].map(({ id, content_hash }) => ({ id, content_hash, vectors }));
      await subject.storage.memories.fillVectors(TENANT, filled);
      expect(await queued()).toEqual([early.id]);
      expect(await unchecked(early)).toEqual([early.id]);
      await record(await rowOf(early.id));
      expect(await unchecked(early)).toEqual([]);
      await subject.storage.memories.fillVectors(TENANT, filled);
      expect(await queued()).toEqual([]);
    });
  });

  describe("rows compared while others have only vectors of another model", () => {
    const stale = () => aRow({ embedded_by: "old" });
    const fill = ({ id, content_hash }: StoredMemory) =>
      subject.storage.memories.fillVectors(TENANT, [{ id, content_hash, vectors: { own: aVector(3), context: null } }]);
    const check = async ({ id }: StoredMemory) => record(await rowOf(id));
    const recheckSince = (since: string, below: number | null = null) =>
      subject.storage.contradictions.recheckSince(TENANT, since, below);

    test("are compared once more when it is told, those that were compared since, and not before", async () => {
      const [before, since, elsewhere] = [aRow(), aRow(), aRow({ tenant_id: "acme" })];
      const waiting = aRow();
      await subject.seed(anEntry(before, aVector(0)), anEntry(since, aVector(1)), anEntry(elsewhere, aVector(2)));
      await subject.seed(anEntry(waiting));
      await check(before);
      subject.clock.advance(1_000);
      const from = new Date(subject.clock.now()).toISOString();
      await check(since);
      await check(waiting);
      await subject.storage.contradictions.record(
        [{ memory: { ...elsewhere, embedded_by: SPACE.id }, findings: [], claim: null }],
        DETECTOR,
      );
      expect(await recheckSince(from)).toBeNull();
      expect(await queued()).toEqual([since.id]);
      expect(await unchecked(before, since)).toEqual([since.id]);
      // Until it was looked at it is not queued a second time.
      expect(await recheckSince(from)).toBeNull();
      expect(await queued()).toEqual([]);
    });

    test("are gone through a few at a time, newest first", async () => {
      const rows = Array.from({ length: 501 }, () => aRow({ embedded_by: SPACE.id }));
      await subject.seed(...rows.map((row) => anEntry(row, aVector(0))));
      await subject.storage.contradictions.record(
        rows.map((memory) => ({ memory, findings: [], claim: null })),
        DETECTOR,
      );
      const since = new Date(subject.clock.now()).toISOString();
      const below = await recheckSince(since);
      const [oldest, ...others] = idsOf(rows);
      expect((await queued()).sort()).toEqual(others.sort());
      expect(below).not.toBeNull();
      expect(await recheckSince(since, below)).toBeNull();
      expect(await queued()).toEqual([oldest ?? ""]);
    });

    test("are compared once more where all was read anew before they were recorded", async () => {
      const { jobs, contradictions } = subject.storage;
      const [old, row] = [stale(), aRow({ embedded_by: SPACE.id })];
      await subject.seed(anEntry(old), anEntry(row, aVector(0)));
      const look = async () => {
        const [seen] = await contradictions.unchecked(TENANT, [row.id], SPACE.id);
        return seen ?? expect.unreachable("It is checked.");
      };
      const recordAs = (is_partial: boolean) =>
        contradictions.record([{ memory: row, findings: [], claim: null, is_partial }], DETECTOR);
      expect((await look()).is_partial).toBe(false);
      await jobs.addReembedding(SPACE.id, subject.clock.now());
      const { is_partial } = await look();
      expect(is_partial).toBe(true);
      const reread = (await jobs.claim(subject.clock.now(), 1_000, ["reembedding"])) ?? expect.unreachable();
      await fill(old);
      const last = { table: "memory_checks", number: null } as const;
      if (reread.job.kind !== "reread_rows") return expect.unreachable();
      const going: Job = { kind: "reread_rows", payload: { ...reread.job.payload, below: last } };
      await jobs.replace(reread.id, [going], subject.clock.now());
      expect(await recheckSince(reread.job.payload.since)).toBeNull();
      await recordAs(is_partial);
      expect((await look()).is_partial).toBe(false);
      expect(await queued()).toEqual([row.id]);
      await recordAs(false);
      expect(await unchecked(row)).toEqual([]);
    });

    test("are recorded as they are while others are still to be read anew", async () => {
      const [old, row] = [stale(), aRow({ embedded_by: SPACE.id })];
      await subject.seed(anEntry(old), anEntry(row, aVector(0)));
      await subject.storage.jobs.addReembedding(SPACE.id, subject.clock.now());
      await subject.storage.contradictions.record(
        [{ memory: row, findings: [], claim: null, is_partial: true }],
        DETECTOR,
      );
      expect(await unchecked(row)).toEqual([]);
    });

    test("and are of these themselves, are compared once more as soon as they are read", async () => {
      const row = stale();
      await subject.seed(anEntry(row));
      await check(row);
      expect(await unchecked(row)).toEqual([]);
      await fill(row);
      expect(await queued()).toEqual([row.id]);
      expect(await unchecked(row)).toEqual([row.id]);
      await check(row);
      expect(await unchecked(row)).toEqual([]);
    });

    test("and were read while they were looked at, are compared once more", async () => {
      const row = stale();
      await subject.seed(anEntry(row));
      const seen = await rowOf(row.id);
      await fill(row);
      await record(seen);
      expect(await queued()).toEqual([row.id]);
    });
  });

  describe("candidates", () => {
    const ask = (memory: StoredMemory, fields: Partial<CandidateQuery> = {}) =>
      subject.storage.contradictions.candidates({
        memory,
        claim: KEY,
        happened_at: memory.ts_valid_start ?? memory.created_at,
        embedder_id: SPACE.id,
        now: new Date(subject.clock.now()).toISOString(),
        unrecorded: [],
        ...fields,
      });
    const candidates = async (memory: StoredMemory, fields?: Partial<CandidateQuery>) =>
      (await ask(memory, fields)).map((candidate) => candidate.memory.id).sort();
    let texts = 0;
    /** A text that shares no word with any other. */
    const apart = () => ({
      content: ["a", "b", "c"].map((end) => `w${texts}${end}`).join(" "),
      content_hash: `h${texts++}`,
    });
    /** Seeds rows that all state something of the same, and have no word in common. */
    const claiming = async (...fields: readonly Partial<StoredMemory>[]) => {
      const rows = await seedRows(...fields.map((one) => ({ ...apart(), ...one })));
      for (const row of rows) await record(row, [], KEY);
      return rows;
    };

    test("are found by what their writers state, in the same tenant and fleet, live and unexpired", async () => {
      const hour = 3_600_000;
      const at = (ms: number) => new Date(subject.clock.now() + ms).toISOString();
      const [own, twin, confirmed, pending, unexpired] = await claiming(
        {},
        {},
        { status: "confirmed" },
        { status: "pending" },
        { expires_at: at(hour) },
        { tenant_id: "acme" },
        { fleet_id: "red" },
        { status: "archived" },
        { status: "outdated" },
        { expires_at: at(-hour) },
      );
      if (!own || !twin || !confirmed || !pending || !unexpired) return expect.unreachable();
      const [other] = await seedRows(apart());
      await record(other ?? own, [], { ...KEY, predicate: "owner" });
      expect(await candidates(own)).toEqual(idsOf([twin, confirmed, pending, unexpired]).sort());
      expect(await candidates(own, { claim: null })).toEqual([]);
      await remove(twin);
      expect(await candidates(own)).toEqual(idsOf([confirmed, pending, unexpired]).sort());
    });

    test("were looked at as they are: each pair is compared when the second one's turn comes", async () => {
      const [own, changed] = await claiming({}, {});
      await seedRows(apart());
      if (!own || !changed) return expect.unreachable();
      expect(await candidates(own)).toEqual([changed.id]);
      await update(changed.id, { content: "Another text.", content_hash: "another" });
      expect(await candidates(own)).toEqual([]);
    });

    test("are rows in hand, too, as they will be recorded first: by a shared claim, or by their vectors", async () => {
      const row = () => aRow(apart());
      const [own, alike, near, other] = [row(), row(), row(), row()];
      await subject.seed(anEntry(own, aVector(0)), anEntry(alike), anEntry(near, aVector(2)), anEntry(other));
      const inHand = [
        { id: alike.id, shares_claim: true },
        { id: near.id, shares_claim: false },
        { id: other.id, shares_claim: false },
      ];
      expect(await candidates(own)).toEqual([]);
      expect(await candidates(own, { unrecorded: inHand })).toEqual(idsOf([alike, near]).sort());
    });

    test("of a fleet are of that fleet", async () => {
      const [red, alsoRed] = await claiming({ fleet_id: "red" }, { fleet_id: "red" }, { fleet_id: "blue" }, {});
      if (!red || !alsoRed) return expect.unreachable();
      expect(await candidates(red)).toEqual([alsoRed.id]);
    });

    test("share readers: a private row has its agent's rows, a shared one shared rows and the author's own", async () => {
      const mine = { agent_id: "ada" };
      const [secret, team, org, theirs, theirSecret] = await claiming(
        { ...mine, visibility: "scope_agent" },
        mine,
        { ...mine, visibility: "scope_org" },
        { agent_id: "bob" },
        { agent_id: "bob", visibility: "scope_agent" },
      );
      if (!secret || !team || !org || !theirs || !theirSecret) return expect.unreachable();
      expect(await candidates(secret)).toEqual(idsOf([team, org]).sort());
      expect(await candidates(team)).toEqual(idsOf([secret, org, theirs]).sort());
      expect(await candidates(theirSecret)).toEqual([theirs.id]);
    });

    test("are found by their vectors, the nearest first, with how near they are", async () => {
      const row = () => aRow(apart());
      const [own, near, far] = [row(), row(), row()];
      const others = Array.from({ length: 80 }, (_, i) => anEntry(row(), aVector(90 + i)));
      await subject.seed(anEntry(own, aVector(0)), anEntry(near, aVector(2)), anEntry(far, aVector(181)), ...others);
      for (const row of await subject.list()) await record(row);
      const found = await ask(own, { claim: null });
      expect(found[0]?.memory.id).toBe(near.id);
      expect(found[0]?.closeness).toBeCloseTo(Math.cos((2 * Math.PI) / 180), 4);
      const closeness = found.flatMap((one) => one.closeness ?? []);
      expect(closeness).toEqual(closeness.toSorted((a, b) => b - a));
      expect(found.map(({ memory }) => memory.id)).not.toContain(far.id);
      expect(found.length).toBeLessThanOrEqual(64);
      expect(await candidates(own, { claim: null, embedder_id: "another-model" })).toEqual([]);
    });

    test("are found by words in common, however far their vectors are, with how much they share: rare words weigh most", async () => {
      const saying = (content: string) => aRow({ content, content_hash: content });
      const [own, named] = [saying("Quorvex moved the depot to Oslo."), saying("The lease of Quorvex ends in May.")];
      const others = Array.from({ length: 60 }, (_, i) => saying(`Depot number ${i} is open.`));
      await subject.seed(...[own, named, ...others].map((memory) => anEntry(memory)));
      for (const one of await subject.list()) await record(one);
      const found = await ask(own, { claim: null });
      expect(found[0]?.memory.id).toBe(named.id);
      const shared = new Map(found.map(({ memory, shared_words }) => [memory.id, shared_words]));
      expect(shared.get(named.id)).toBeGreaterThan(shared.get(others.at(-1)?.id ?? "") ?? 1);
      expect(shared.get(named.id)).toBeLessThan(1);
    });

    test("include what the detector demoted where it may still matter: in conflict, or later than the row", async () => {
      const [first, outdated, conflicted, newest] = await claiming({}, {}, {}, {});
      if (!first || !outdated || !conflicted || !newest) return expect.unreachable();
      expect(await candidates(first)).toEqual(idsOf([outdated, conflicted, newest]).sort());
      await record(newest, [aFinding(outdated, newest), aFinding(conflicted, newest, { status: "conflicted" })], KEY);
      expect(await candidates(first)).toEqual(idsOf([outdated, conflicted, newest]).sort());
      expect(await candidates(newest)).toEqual(idsOf([first, conflicted]).sort());
      await update(conflicted.id, { status: "archived" });
      expect(await candidates(newest)).toEqual([first.id]);
    });
  });

  describe("what a row supersedes", () => {
    test("is shown with the finding to whoever sees the older row", async () => {
      const { older, newer } = await aPair({ visibility: "scope_agent" }, { visibility: "scope_org" });
      await record(newer, [aFinding(older, newer, { status: "conflicted" })]);
      const shown = (read_scope: ReadScope) =>
        subject.storage.contradictions.superseded(TENANT, [newer.id], read_scope);
      expect(await shown(agentOf("ada"))).toEqual([
        {
          newer_id: newer.id,
          older: { id: older.id, status: "conflicted" },
          status: "conflicted",
          preview: older.content,
        },
      ]);
      expect(await shown(agentOf("bob"))).toEqual([]);
      expect(await findings(newer, agentOf("bob"))).toEqual([]);
      expect(await findings(older, agentOf("bob"))).toEqual([`superseded_by ${newer.id} conflicted`]);
    });

    test("is at most a hundred rows, the surest of those that the reader sees", async () => {
      const hidden = await seedRows({ visibility: "scope_agent" });
      const rows = await seedRows(...Array.from({ length: 120 }, () => ({})));
      const [newer] = await seedRows({ visibility: "scope_org" });
      if (!newer) return expect.unreachable();
      await record(
        newer,
        [...rows, ...hidden].map((older, i) => aFinding(older, newer, { confidence: 0.5 + i / 1_000 })),
      );
      const shown = await subject.storage.contradictions.superseded(TENANT, [newer.id], agentOf("bob"));
      expect(shown.map(({ older }) => older.id)).toEqual(idsOf(rows).slice(20).toReversed());
    });

    test("leads to its successors along the chain, as far as they pass the filter", async () => {
      const [a, b, c] = await seedRows({}, {}, {});
      if (!a || !b || !c) return expect.unreachable();
      await record(b, [aFinding(a, b)]);
      await record(c, [aFinding(b, c)]);
      const successors = async (filter: object) =>
        (await subject.storage.contradictions.successors(idsOf([a, b]), { tenant_id: TENANT, ...filter }))
          .map(({ older_id, newer_id }) => [older_id, newer_id])
          .sort();
      expect(await successors({ statuses: ["active"] })).toEqual([
        [a.id, c.id],
        [b.id, c.id],
      ]);
      expect(await successors({ statuses: ["outdated"] })).toEqual([[a.id, b.id]]);
      expect(await successors({ written_by: "nobody" })).toEqual([]);
    });
  });
}
