import { describe, expect, test } from "bun:test";
import type { CandidateQuery } from "../../../src/core/ports/contradiction-store.ts";
import { CORRECTION } from "../../../src/core/ports/contradiction-store.ts";
import type { NewFinding } from "../../../src/core/ports/finding.ts";
import type { ReadScope } from "../../../src/core/ports/memory-filter.ts";
import type { MemoryPatch } from "../../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import type { ReviewDecision } from "../../../src/core/schema/observing/conflict.ts";
import { POSSIBLE } from "../../../src/core/schema/observing/possible-change.ts";
import { ACTOR, anEntry, aRow, aVector, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, agentOf, hitIds, idsOf } from "../subject.ts";
import { aFinding } from "./contradictions.ts";

const DETECTOR = { agent_id: null, auth_source: "detector" } as const;
const OTHER_TENANT = "acme";

interface Pair {
  readonly older: StoredMemory;
  readonly newer: StoredMemory;
}

/** What storage does with findings that change nothing until somebody decides, and with those that are judged anew. */
export function describePossible(subject: Subject): void {
  const stored = async ({ id, tenant_id }: StoredMemory): Promise<StoredMemory> => {
    const [row] = await subject.list({ tenant_id, ids: [id], include_deleted: true });
    return row ?? expect.unreachable("There is no such row.");
  };
  const statusOf = async (row: StoredMemory) => (await stored(row)).status;
  const linkOf = async (row: StoredMemory) => (await stored(row)).supersedes_id;
  const seedRow = async (fields: Partial<StoredMemory> = {}): Promise<StoredMemory> => {
    const row = aRow(fields);
    await subject.seed(anEntry(row));
    return row;
  };
  const aPair = async (older: Partial<StoredMemory> = {}, newer: Partial<StoredMemory> = {}): Promise<Pair> => ({
    older: await seedRow(older),
    newer: await seedRow(newer),
  });
  const record = (memory: StoredMemory, findings: readonly NewFinding[] = []) =>
    subject.storage.contradictions.record([{ memory, claim: null, findings }], DETECTOR);
  const find = ({ older, newer }: Pair, fields: Partial<NewFinding> = {}) =>
    record(newer, [aFinding(older, newer, { rule: "judge", ...fields })]);
  const maybe = ({ older, newer }: Pair, fields: Partial<NewFinding> = {}): NewFinding =>
    aFinding(older, newer, { status: POSSIBLE, rule: "judge", confidence: 0.3, ...fields });
  const findMaybe = (pair: Pair, fields: Partial<NewFinding> = {}) => record(pair.newer, [maybe(pair, fields)]);
  const aMaybe = async (older: Partial<StoredMemory> = {}, newer: Partial<StoredMemory> = {}): Promise<Pair> => {
    const pair = await aPair(older, newer);
    await findMaybe(pair);
    return pair;
  };
  const update = (row: StoredMemory, patch: MemoryPatch) =>
    subject.storage.memories.update({ tenant_id: TENANT, ids: [row.id] }, ACTOR, () => ({
      patch,
      action: "memory.update",
    }));
  const remove = (row: StoredMemory) => subject.storage.memories.remove({ tenant_id: TENANT, ids: [row.id] }, ACTOR, 1);
  const findings = async ({ id }: StoredMemory, read_scope: ReadScope = ANYBODY) =>
    (await subject.storage.contradictions.findings({ tenant_id: TENANT, id }, read_scope)).map(
      ({ direction, other, status }) => `${direction} ${other.id} ${status}`,
    );
  const review = ({ older, newer }: Pair, decision: ReviewDecision) =>
    subject.storage.contradictions.review(
      {
        ...{ newer_id: newer.id, older_id: older.id, decision, reason: null, permit: () => {} },
        filter: { tenant_id: newer.tenant_id },
      },
      ACTOR,
    );
  const possible = async (rows: readonly StoredMemory[], read_scope: ReadScope = ANYBODY) =>
    (await subject.storage.contradictions.possible(read_scope.tenant_id, idsOf(rows), read_scope)).map(
      ({ older_id, id }) => `${older_id} ${id}`,
    );
  const asPossible = ({ older, newer }: Pair) => `${older.id} ${newer.id}`;
  const countOpen = (tenant_id = TENANT) => subject.storage.contradictions.countOpen({ tenant_id }, 100);
  const judged = async (after: number | null = null, tenant_id = TENANT) =>
    subject.storage.contradictions.judged(tenant_id, after);
  const unchecked = async (...rows: readonly StoredMemory[]) =>
    (await subject.storage.contradictions.unchecked(TENANT, idsOf(rows), SPACE.id)).map(({ memory }) => memory.id);
  const queued = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (let job = await subject.storage.jobs.claim(subject.clock.now(), 1_000); job; ) {
      if (job.job.kind === "understand_memories") ids.push(...job.job.payload.memory_ids);
      await subject.storage.jobs.finish(job.id);
      job = await subject.storage.jobs.claim(subject.clock.now(), 1_000);
    }
    return ids;
  };
  const auditOf = async ({ id }: StoredMemory) =>
    (await subject.storage.audit.list({ tenant_id: TENANT, target_id: id, limit: 20 })).filter(
      ({ action }) => action !== "memory.create",
    );
  const expectSound = async () => {
    const { checks } = await subject.storage.indexes.inspect(null, () => {});
    expect(checks.find(({ name }) => name === "detector")).toMatchObject({ faults: 0 });
  };

  describe("a possible finding", () => {
    test("changes neither of its rows and what is read of them, and is listed by both", async () => {
      const pair = await aPair({ status: "confirmed", content: "A heron stands at the weir." });
      const { older, newer } = pair;
      const read = async () => {
        const filter = { tenant_id: TENANT, valid_at: new Date(subject.clock.now()).toISOString() };
        const ids = idsOf([older, newer]);
        const { contradictions } = subject.storage;
        return {
          rows: [await stored(older), await stored(newer)],
          audit: [await auditOf(older), await auditOf(newer)],
          held: idsOf(await subject.list(filter)),
          live: idsOf(await subject.list({ statuses: ["confirmed"] })),
          outdated: idsOf(await subject.list({ statuses: ["outdated", "conflicted"] })),
          hits: hitIds(await subject.hits({ filter: { ...filter, statuses: ["confirmed"] }, words: ["heron"] })),
          superseded: await contradictions.superseded(TENANT, ids, ANYBODY),
          successors: await contradictions.successors(ids, { tenant_id: TENANT }),
        };
      };
      subject.clock.advance(86_400_000);
      const before = await read();
      expect(before).toMatchObject({
        live: [older.id],
        outdated: [],
        hits: [older.id],
        superseded: [],
        successors: [],
      });
      await findMaybe(pair);
      expect(await read()).toEqual(before);
      expect(await findings(newer)).toEqual([`supersedes ${older.id} possible`]);
      expect(await findings(older)).toEqual([`superseded_by ${newer.id} possible`]);
      await expectSound();
    });

    test("stands beside sure ones about other rows: only those decide what a row is and points at", async () => {
      const [a, b, newer] = [await seedRow(), await seedRow(), await seedRow()];
      const sure = aFinding(b, newer, { status: "conflicted", confidence: 0.6 });
      await record(newer, [maybe({ older: a, newer }, { confidence: 0.9 }), sure]);
      expect([await statusOf(a), await statusOf(b), await linkOf(newer)]).toEqual(["active", "conflicted", b.id]);
      const third = await seedRow();
      await findMaybe({ older: b, newer: third }, { confidence: 0.95 });
      expect([await statusOf(b), await linkOf(third)]).toEqual(["conflicted", null]);
      const { contradictions } = subject.storage;
      const superseded = await contradictions.superseded(TENANT, idsOf([newer, third]), ANYBODY);
      expect(superseded.map(({ older }) => older.id)).toEqual([b.id]);
      expect(await contradictions.successors(idsOf([a, b]), { tenant_id: TENANT })).toEqual([
        { older_id: b.id, newer_id: newer.id },
      ]);
      await remove(newer);
      expect(await statusOf(b)).toBe("active");
      await expectSound();
    });

    test("is stored once, however often it is found, from either of its rows and by itself", async () => {
      const pair = await aMaybe();
      await findMaybe(pair);
      await record(pair.older, [maybe(pair)]);
      await subject.storage.contradictions.put(maybe(pair), DETECTOR);
      expect(await findings(pair.newer)).toEqual([`supersedes ${pair.older.id} possible`]);
    });

    test("falls away once a row has another text or is deleted, and may then be found anew", async () => {
      for (const side of ["older", "newer"] as const) {
        const changed = await aMaybe();
        await update(changed[side], { content: "Another text.", content_hash: crypto.randomUUID() });
        expect([await findings(changed.older), await findings(changed.newer)]).toEqual([[], []]);
        const again = { older: await stored(changed.older), newer: await stored(changed.newer) };
        await findMaybe(again);
        expect(await findings(again.newer)).toEqual([`supersedes ${again.older.id} possible`]);
        const removed = await aMaybe();
        await remove(removed[side]);
        expect([await findings(removed.older), await findings(removed.newer)]).toEqual([[], []]);
      }
      await expectSound();
    });

    test("is counted among the open ones, and as one that is possible", async () => {
      const pair = await aMaybe();
      await find(await aPair(), { status: "outdated" });
      await find(await aPair(), { status: "conflicted" });
      expect(await countOpen()).toEqual({ open: 3, waiting: 1, possible: 1 });
      expect(await countOpen(OTHER_TENANT)).toEqual({ open: 0, waiting: 0, possible: 0 });
      await review(pair, "accept");
      expect(await countOpen()).toEqual({ open: 2, waiting: 1, possible: 0 });
      await review(pair, "reopen");
      expect((await countOpen()).possible).toBe(1);
      await review(pair, "both_stand");
      expect((await countOpen()).possible).toBe(0);
    });
  });

  describe("a decision about a possible finding", () => {
    const listed = async () => {
      const page = { filter: { tenant_id: TENANT }, state: "all", after: null, limit: 50, bytes: 1_000_000 } as const;
      const { items } = await subject.storage.contradictions.conflicts(page);
      return items.map(({ newer, older, status, state }) => `${newer.id} ${older.id} ${status} ${state}`);
    };

    test("to accept makes the older row outdated and links the newer one, and outlasts that one", async () => {
      const pair = await aMaybe({ status: "confirmed" });
      expect(await review(pair, "accept")).toMatchObject({
        ...{ state: "accepted", status: "possible", older: { status: "outdated" } },
        reviewed_by: ACTOR.agent_id,
      });
      expect([await statusOf(pair.older), await linkOf(pair.newer)]).toEqual(["outdated", pair.older.id]);
      expect(await listed()).toEqual([`${pair.newer.id} ${pair.older.id} possible accepted`]);
      expect(await possible([pair.older])).toEqual([]);
      await remove(pair.newer);
      expect(await statusOf(pair.older)).toBe("outdated");
      await expectSound();
    });

    test.each(["accept", "both_stand"] as const)(
      "to %s is taken back whole: it is possible again",
      async (decision) => {
        const pair = await aMaybe({ status: "confirmed" });
        const before = [await stored(pair.older), await stored(pair.newer)];
        await review(pair, decision);
        expect(await review(pair, "reopen")).toMatchObject({ state: "open", status: "possible", reviewed_at: null });
        expect([await stored(pair.older), await stored(pair.newer)]).toEqual(before);
        expect(await findings(pair.older)).toEqual([`superseded_by ${pair.newer.id} possible`]);
        expect(await possible([pair.older])).toEqual([asPossible(pair)]);
        await expectSound();
      },
    );

    test("that both stand undoes it, also after it was accepted, and the pair is not found again", async () => {
      const pair = await aMaybe({ status: "confirmed" });
      await review(pair, "accept");
      expect(await review(pair, "both_stand")).toMatchObject({ state: "both_stand", older: { status: "confirmed" } });
      await findMaybe(pair);
      await find(pair);
      await record(pair.older, [aFinding(pair.older, pair.newer)]);
      expect([await statusOf(pair.older), await linkOf(pair.newer)]).toEqual(["confirmed", null]);
      expect([await findings(pair.newer), await possible([pair.older])]).toEqual([[], []]);
      expect(await listed()).toEqual([`${pair.newer.id} ${pair.older.id} possible both_stand`]);
      await expectSound();
    });

    test("is left as it is by what the detector finds of the pair later", async () => {
      const pair = await aMaybe();
      await review(pair, "accept");
      const before = [await stored(pair.older), await stored(pair.newer), await listed()];
      await findMaybe(pair);
      await find(pair, { status: "conflicted" });
      expect([await stored(pair.older), await stored(pair.newer), await listed()]).toEqual(before);
    });
  });

  describe("of one pair", () => {
    test.each(["record", "put"] as const)("a sure finding takes the place of a possible one (%s)", async (way) => {
      const pair = await aMaybe({ status: "confirmed" });
      const sure = aFinding(pair.older, pair.newer, { rule: "judge" });
      if (way === "record") await record(pair.newer, [sure]);
      else await subject.storage.contradictions.put(sure, DETECTOR);
      expect([await statusOf(pair.older), await linkOf(pair.newer)]).toEqual(["outdated", pair.older.id]);
      expect(await findings(pair.newer)).toEqual([`supersedes ${pair.older.id} outdated`]);
      expect([await possible([pair.older]), await countOpen()]).toEqual([[], { open: 1, waiting: 0, possible: 0 }]);
      // What gave way is not what somebody decided.
      await remove(pair.newer);
      expect(await statusOf(pair.older)).toBe("confirmed");
      await expectSound();
    });

    test("a sure finding does so whichever row is the older one, and leaves what is possible of other pairs", async () => {
      const pair = await aMaybe();
      const third = await seedRow();
      await findMaybe({ older: pair.older, newer: third });
      await find({ older: pair.newer, newer: pair.older });
      expect([await statusOf(pair.newer), await linkOf(pair.older)]).toEqual(["outdated", pair.newer.id]);
      expect(await findings(pair.newer)).toEqual([`superseded_by ${pair.older.id} outdated`]);
      expect((await findings(pair.older)).sort()).toEqual(
        [`supersedes ${pair.newer.id} outdated`, `superseded_by ${third.id} possible`].sort(),
      );
    });

    test("a possible finding never takes the place of a sure one", async () => {
      const pair = await aPair();
      await find(pair, { confidence: 0.5 });
      const before = [await stored(pair.older), await stored(pair.newer)];
      await findMaybe(pair, { confidence: 0.99 });
      await subject.storage.contradictions.put(maybe(pair, { confidence: 0.99 }), DETECTOR);
      await record(pair.older, [maybe({ older: pair.newer, newer: pair.older }, { confidence: 0.99 })]);
      expect([await stored(pair.older), await stored(pair.newer)]).toEqual(before);
      expect(await findings(pair.newer)).toEqual([`supersedes ${pair.older.id} outdated`]);
      expect(await possible([pair.older, pair.newer])).toEqual([]);
    });
  });

  describe("rows by which others may hold no longer", () => {
    test("are shown with how surely, by which rule, and how their texts begin", async () => {
      const older = await seedRow();
      const newer = await seedRow({ content: `It moved. ${"And so on. ".repeat(40)}` });
      await findMaybe({ older, newer }, { rule: "part", confidence: 0.25 });
      expect(await subject.storage.contradictions.possible(TENANT, [older.id], ANYBODY)).toEqual([
        {
          ...{ older_id: older.id, id: newer.id, created_at: newer.created_at, rule: "part", certainty: 0.25 },
          preview: newer.content.slice(0, 200),
        },
      ]);
      expect(await possible([newer])).toEqual([]);
      expect(await possible([])).toEqual([]);
    });

    test("are the three surest of each of some rows, the surest first", async () => {
      const [one, other] = [await seedRow(), await seedRow()];
      const by: string[] = [];
      for (const confidence of [0.2, 0.35, 0.1, 0.3]) {
        const newer = await seedRow();
        await findMaybe({ older: one, newer }, { confidence });
        by.push(newer.id);
      }
      const [second, first, , third] = by;
      const last = await seedRow();
      await findMaybe({ older: other, newer: last }, { confidence: 0.09 });
      const ofOne = [first, third, second].map((id) => `${one.id} ${id}`);
      expect(await possible([one])).toEqual(ofOne);
      expect(await possible([one, other])).toEqual([...ofOne, `${other.id} ${last.id}`]);
    });

    test("are only those that the reader sees: what is hidden takes no place from others", async () => {
      const older = await seedRow({ visibility: "scope_agent" });
      const shared: StoredMemory[] = [];
      for (let i = 0; i < 3; i++) shared.push(await seedRow());
      const secret = await seedRow({ visibility: "scope_agent" });
      const ofFleet = await seedRow({ fleet_id: "red" });
      for (const [i, newer] of shared.entries()) await findMaybe({ older, newer }, { confidence: 0.3 - i / 100 });
      await findMaybe({ older, newer: secret }, { confidence: 0.39 });
      await findMaybe({ older, newer: ofFleet }, { confidence: 0.38 });
      const seen = (rows: readonly StoredMemory[]) => rows.map(({ id }) => `${older.id} ${id}`);
      expect(await possible([older], agentOf("ada"))).toEqual(seen([secret, ...shared.slice(0, 2)]));
      expect(await possible([older], agentOf("bob"))).toEqual(seen(shared));
      expect(await possible([older], agentOf("bob", "red"))).toEqual(seen([ofFleet, ...shared.slice(0, 2)]));
      expect(await findings(older, agentOf("bob"))).toHaveLength(3);
    });

    test("are none of another tenant", async () => {
      const pair = await aMaybe();
      const theirs = await aMaybe({ tenant_id: OTHER_TENANT }, { tenant_id: OTHER_TENANT });
      const elsewhere = { ...ANYBODY, tenant_id: OTHER_TENANT };
      expect(await possible([pair.older, theirs.older])).toEqual([asPossible(pair)]);
      expect(await possible([pair.older, theirs.older], elsewhere)).toEqual([asPossible(theirs)]);
    });

    test("are live: no such row that is itself outdated, in conflict, withdrawn or deleted", async () => {
      const older = await seedRow();
      const newer: StoredMemory[] = [];
      for (let i = 0; i < 3; i++) {
        newer.push(await seedRow());
        await findMaybe({ older, newer: newer.at(-1) ?? expect.unreachable() }, { confidence: 0.3 - i / 100 });
      }
      const [outdated, conflicted, live] = newer;
      if (!outdated || !conflicted || !live) return expect.unreachable();
      const third = await seedRow();
      await find({ older: outdated, newer: third });
      await find({ older: conflicted, newer: third }, { status: "conflicted" });
      expect(await possible([older])).toEqual([`${older.id} ${live.id}`]);
      await remove(third);
      expect(await possible([older])).toHaveLength(3);
      await update(live, { status: "archived" });
      await remove(outdated);
      expect(await possible([older])).toEqual([`${older.id} ${conflicted.id}`]);
    });
  });

  describe("findings to be judged anew", () => {
    test("are read in the order of their numbers, a few at a time", async () => {
      const olders: StoredMemory[] = [];
      for (let i = 0; i < 30; i++) olders.push(aRow());
      await subject.seed(...olders.map((row) => anEntry(row)));
      const newer = await seedRow();
      for (const [i, older] of olders.entries())
        await (i % 2 === 0 ? find({ older, newer }, { rule: "value" }) : findMaybe({ older, newer }));
      const first = await judged();
      const rest = await judged(first.at(-1)?.number ?? null);
      expect(first.length).toBeGreaterThan(1);
      expect(rest.length).toBeGreaterThan(0);
      const all = [...first, ...rest];
      expect(all.map(({ older }) => older.id)).toEqual(idsOf(olders));
      expect(new Set(all.map((one) => one.newer.id))).toEqual(new Set([newer.id]));
      const numbers = all.map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(all.slice(0, 2).map(({ status }) => status)).toEqual(["outdated", "possible"]);
      expect(await judged(numbers.at(-1))).toEqual([]);
    });

    test("have both rows whole, as they are now", async () => {
      const pair = await aPair({ metadata: { a: 1 } });
      await find(pair);
      expect(await judged()).toEqual([
        {
          ...{ number: expect.any(Number), status: "outdated", rule: "judge" },
          older: { ...pair.older, status: "outdated" },
          newer: { ...pair.newer, supersedes_id: pair.older.id },
        },
      ]);
    });

    test("are none that somebody reviewed or made, none by what callers stated, none taken back, none of another tenant", async () => {
      const kept = await aMaybe();
      for (const decision of ["accept", "both_stand"] as const) await review(await aMaybe(), decision);
      await subject.storage.contradictions.put(
        aFinding(await seedRow(), await seedRow(), { rule: CORRECTION }),
        DETECTOR,
      );
      await find(await aPair(), { rule: "other_value" });
      const gone = await aMaybe();
      await remove(gone.newer);
      const theirs = await aMaybe({ tenant_id: OTHER_TENANT }, { tenant_id: OTHER_TENANT });
      expect((await judged()).map(({ older }) => older.id)).toEqual([kept.older.id]);
      expect((await judged(null, OTHER_TENANT)).map(({ older }) => older.id)).toEqual([theirs.older.id]);
    });
  });

  describe("findings that are judged otherwise", () => {
    const numberOf = async ({ older }: Pair, tenant_id = TENANT): Promise<number> =>
      (await judged(null, tenant_id)).find((one) => one.older.id === older.id)?.number ??
      expect.unreachable("There is no such finding.");
    const retract = (numbers: readonly number[], tenant_id = TENANT) =>
      subject.storage.contradictions.judgeAgain(tenant_id, { gone: numbers, kept: [] }, DETECTOR);

    test("free the older row, which is checked again, and may be found anew", async () => {
      const pair = await aPair({ status: "confirmed" });
      await record(pair.older);
      await find(pair);
      await queued();
      await retract([await numberOf(pair)]);
      expect([await statusOf(pair.older), await linkOf(pair.newer)]).toEqual(["confirmed", null]);
      expect([await findings(pair.older), await judged()]).toEqual([[], []]);
      expect(await queued()).toEqual([pair.older.id]);
      expect(await unchecked(pair.older, pair.newer)).toEqual([pair.older.id]);
      const [told] = await auditOf(pair.older);
      expect(told).toMatchObject({ ...DETECTOR, before: { status: "outdated" }, after: { status: "confirmed" } });
      expect(told?.reason).toContain("judges the two otherwise");
      await expectSound();
      await findMaybe(pair);
      expect(await findings(pair.older)).toEqual([`superseded_by ${pair.newer.id} possible`]);
    });

    test("leave a row demoted that another one holds", async () => {
      const pair = await aPair();
      await find(pair);
      const number = await numberOf(pair);
      await find({ older: pair.older, newer: await seedRow() }, { status: "conflicted" });
      await retract([number]);
      expect([await statusOf(pair.older), await linkOf(pair.newer)]).toEqual(["conflicted", null]);
      await expectSound();
    });

    test("are gone where they were merely possible, and change no row", async () => {
      const pair = await aMaybe();
      const before = [await stored(pair.older), await stored(pair.newer)];
      await retract([await numberOf(pair)]);
      expect([await findings(pair.older), await possible([pair.older]), (await countOpen()).open]).toEqual([[], [], 0]);
      expect([await stored(pair.older), await stored(pair.newer)]).toEqual(before);
      expect(await review(pair, "accept")).toBeNull();
    });

    test("that the detector shares have what it makes of them now, unless somebody reviewed them", async () => {
      const [shared, accepted] = [await aMaybe(), await aMaybe()];
      const now = { rule: "part", confidence: 0.7, why: "near in meaning (+2.0)" };
      const kept = await Promise.all(
        [shared, accepted].map(async (pair) => ({ number: await numberOf(pair), ...now })),
      );
      await review(accepted, "accept");
      await subject.storage.contradictions.judgeAgain(TENANT, { gone: [], kept }, DETECTOR);
      const [first] = await subject.storage.contradictions.findings(
        { tenant_id: TENANT, id: shared.older.id },
        { tenant_id: TENANT, agent_id: null, fleets: [] },
      );
      expect(first).toMatchObject({ status: "possible", ...now });
      expect(await review(accepted, "reopen")).toMatchObject({ rule: "judge", why: null });
    });

    test("are left as they are where somebody reviewed them meanwhile, or they are another tenant's", async () => {
      const [accepted, standing, open] = [await aMaybe(), await aMaybe(), await aPair()];
      await find(open);
      const theirs = await aPair({ tenant_id: OTHER_TENANT }, { tenant_id: OTHER_TENANT });
      await find(theirs);
      const numbers = await Promise.all([accepted, standing, open].map((pair) => numberOf(pair)));
      const foreign = await numberOf(theirs, OTHER_TENANT);
      await review(accepted, "accept");
      await review(standing, "both_stand");
      await retract([...numbers, foreign]);
      await retract([]);
      expect([await statusOf(accepted.older), await linkOf(accepted.newer)]).toEqual(["outdated", accepted.older.id]);
      expect([await statusOf(open.older), await statusOf(theirs.older)]).toEqual(["active", "outdated"]);
      expect(await review(accepted, "reopen")).toMatchObject({ state: "open", status: "possible" });
      expect(await review(standing, "reopen")).toMatchObject({ state: "open", status: "possible" });
      await expectSound();
    });
  });

  describe("texts that somebody said to stand", () => {
    const said = (fleet_id: string | null = null, tenant_id = TENANT) =>
      subject.storage.contradictions.saidToStand({ tenant_id, fleet_id, agent_id: "nobody" });
    const textsOf = ({ older, newer }: Pair) => ({ one: newer.content, other: older.content });
    const standing = async (fields: Partial<StoredMemory> = {}): Promise<Pair> => {
      const pair = await aMaybe(fields, fields);
      await review(pair, "both_stand");
      return pair;
    };

    test("are those of the fleet, or of none, and of the tenant", async () => {
      const shared = await standing();
      const red = await standing({ fleet_id: "red" });
      const theirs = await standing({ tenant_id: OTHER_TENANT });
      expect(await said()).toEqual([textsOf(shared)]);
      expect(await said("red")).toEqual([textsOf(red)]);
      expect(await said("blue")).toEqual([]);
      expect(await said(null, OTHER_TENANT)).toEqual([textsOf(theirs)]);
      expect(await said("red", OTHER_TENANT)).toEqual([]);
    });

    test("of private memories are told to their author alone", async () => {
      const own = await standing({ visibility: "scope_agent", agent_id: "anna" });
      const to = (agent_id: string) =>
        subject.storage.contradictions.saidToStand({ tenant_id: TENANT, fleet_id: null, agent_id });
      expect(await to("anna")).toEqual([textsOf(own)]);
      expect(await to("bela")).toEqual([]);
    });

    test("are none that nobody decided, that were accepted or that were reopened, and none of a text that is another now", async () => {
      await aMaybe();
      await review(await aMaybe(), "accept");
      const reopened = await standing();
      await review(reopened, "reopen");
      const changed = await standing();
      const kept = await standing();
      expect((await said()).map(({ other }) => other).sort()).toEqual(
        [changed.older.content, kept.older.content].sort(),
      );
      await update(changed.newer, { content: "Another text.", content_hash: "another" });
      expect(await said()).toEqual([textsOf(kept)]);
    });

    test("come with the last decision first", async () => {
      const [first, second] = [await aMaybe(), await aMaybe()];
      await review(second, "both_stand");
      subject.clock.advance(1_000);
      await review(first, "both_stand");
      expect(await said()).toEqual([textsOf(first), textsOf(second)]);
    });
  });

  describe("candidates among named rows", () => {
    const ask = async (memory: StoredMemory, fields: Partial<CandidateQuery> = {}) => {
      const query = {
        ...{ memory, claim: null, happened_at: memory.created_at, embedder_id: SPACE.id, unrecorded: [] },
        now: new Date(subject.clock.now()).toISOString(),
      };
      return subject.storage.contradictions.candidates({ ...query, ...fields });
    };
    const saying = (content: string, fields: Partial<StoredMemory> = {}) =>
      aRow({ content, content_hash: content, ...fields });

    test("are told how near they are, although they are outdated or were never looked at", async () => {
      const own = saying("Quorvex keeps its kayaks in Oslo.");
      const near = saying("The kayaks of Quorvex lie in Bergen.");
      const far = saying("Nadia prefers green tea.");
      const [unread, other] = [saying("A heron at the weir."), saying("One more row.")];
      await subject.seed(anEntry(own, aVector(0)), anEntry(near, aVector(2)), anEntry(far, aVector(90)));
      await subject.seed(anEntry(unread), anEntry(other, aVector(1)));
      await find({ older: await stored(near), newer: await stored(own) });
      expect(await statusOf(near)).toBe("outdated");
      expect(idsOf((await ask(own)).map(({ memory }) => memory))).not.toContain(near.id);
      const found = await ask(own, { among: idsOf([near, far, unread]) });
      expect(idsOf(found.map(({ memory }) => memory)).sort()).toEqual(idsOf([near, far, unread]).sort());
      const one = (row: StoredMemory) => found.find(({ memory }) => memory.id === row.id) ?? expect.unreachable();
      expect(one(near).memory).toEqual(await stored(near));
      expect(one(near).closeness).toBeCloseTo(Math.cos((2 * Math.PI) / 180), 4);
      expect(one(far).closeness).toBeCloseTo(0, 4);
      expect(one(unread).closeness).toBeNull();
      expect(one(near).shared_words).toBeGreaterThan(0);
      expect(one(near).shared_words).toBeLessThan(1);
      expect(one(far).shared_words).toBe(0);
    });

    test("are none but those, and none that is deleted or another tenant's", async () => {
      const [own, gone] = [await seedRow(), await seedRow()];
      const theirs = await seedRow({ tenant_id: OTHER_TENANT });
      await remove(gone);
      expect(await ask(own, { among: [gone.id, theirs.id] })).toEqual([]);
      expect(await ask(own, { among: [] })).toEqual([]);
    });
  });
}
