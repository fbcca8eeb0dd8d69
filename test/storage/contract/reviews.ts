import { describe, expect, test } from "bun:test";
import type {
  ConflictQuery,
  FindingEdge,
  FindingReview,
  FoundConflict,
} from "../../../src/core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../src/core/ports/memory-filter.ts";
import type { MemoryPatch } from "../../../src/core/ports/memory-store.ts";
import type { Page } from "../../../src/core/ports/page.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import type { ReviewDecision } from "../../../src/core/schema/observing/conflict.ts";
import { ACTOR, aBatch, anEntry, aRow, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { agentOf } from "../subject.ts";
import { aFinding } from "./contradictions.ts";

const DETECTOR = { agent_id: null, auth_source: "detector" } as const;

export function describeReviews(subject: Subject): void {
  const rowOf = async ({ id }: StoredMemory): Promise<StoredMemory> => {
    const [row] = await subject.list({ ids: [id], include_deleted: true });
    return row ?? expect.unreachable("There is no such row.");
  };
  const statusOf = async (row: StoredMemory) => (await rowOf(row)).status;
  const linkOf = async (row: StoredMemory) => (await rowOf(row)).supersedes_id;
  const seedRow = async (fields: Partial<StoredMemory> = {}): Promise<StoredMemory> => {
    const row = aRow(fields);
    await subject.seed(anEntry(row));
    return row;
  };
  const find = (older: StoredMemory, newer: StoredMemory, fields: Parameters<typeof aFinding>[2] = {}) =>
    subject.storage.contradictions.record(
      [{ memory: newer, claim: null, findings: [aFinding(older, newer, fields)] }],
      DETECTOR,
    );
  const aConflict = async (fields: Partial<StoredMemory> = {}) => {
    const [older, newer] = [await seedRow({ status: "confirmed", ...fields }), await seedRow(fields)];
    await find(older, newer, { status: "conflicted" });
    return { older, newer };
  };
  type Pair = Awaited<ReturnType<typeof aConflict>>;
  type Named = Readonly<Record<keyof Pair, Pick<StoredMemory, "id">>>;
  const review = ({ older, newer }: Pair, decision: ReviewDecision, more: Partial<FindingReview> = {}) =>
    subject.storage.contradictions.review(
      {
        newer_id: newer.id,
        older_id: older.id,
        filter: { tenant_id: TENANT },
        decision,
        reason: null,
        permit: () => {},
        ...more,
      },
      ACTOR,
    );
  const update = (row: StoredMemory, patch: MemoryPatch) =>
    subject.storage.memories.update({ tenant_id: TENANT, ids: [row.id] }, ACTOR, () => ({
      patch,
      action: "memory.update",
    }));
  const remove = (row: StoredMemory) => subject.storage.memories.remove({ tenant_id: TENANT, ids: [row.id] }, ACTOR, 1);
  const listed = async (
    filter: Partial<MemoryFilter> = {},
    state: "open" | "accepted" | "both_stand" | "all" = "all",
  ) => {
    const page = { filter: { tenant_id: TENANT, ...filter }, state, after: null, limit: 50, bytes: 1_000_000 };
    const { items } = await subject.storage.contradictions.conflicts(page);
    return items.map(({ newer, older, ...found }) => `${newer.id} ${older.id} ${found.state}`);
  };
  const asListed = ({ older, newer }: Named, state: string) => `${newer.id} ${older.id} ${state}`;
  const isSound = async () =>
    (await subject.storage.indexes.inspect(null, () => {})).checks.find(({ name }) => name === "detector")?.faults ===
    0;

  describe("a decision about a finding", () => {
    test("to accept makes the older row outdated, and outlasts the finding", async () => {
      const pair = await aConflict();
      expect(await review(pair, "accept")).toMatchObject({
        state: "accepted",
        status: "conflicted",
        older: { status: "outdated" },
        reviewed_by: ACTOR.agent_id,
        reviewed_at: new Date(subject.clock.now()).toISOString(),
      });
      expect([await statusOf(pair.older), await linkOf(pair.newer)]).toEqual(["outdated", pair.older.id]);
      await remove(pair.newer);
      expect([await statusOf(pair.older), await listed()]).toEqual(["outdated", []]);
      expect(await isSound()).toBe(true);
    });

    test.each([
      ["text", { content: "Another text.", content_hash: "another" }],
      ["readers", { visibility: "scope_org" }],
      ["status", { status: "archived" }],
    ] satisfies [string, MemoryPatch][])("that was accepted outlasts another %s of the newer row", async (_, patch) => {
      const pair = await aConflict();
      await review(pair, "accept");
      await update(pair.newer, patch);
      expect([await statusOf(pair.older), await linkOf(pair.newer), await listed()]).toEqual(["outdated", null, []]);
      expect(await review(pair, "reopen")).toBeNull();
      expect(await isSound()).toBe(true);
    });

    test("that was accepted is kept where the older row is deleted and restored", async () => {
      const pair = await aConflict();
      await review(pair, "accept");
      await remove(pair.older);
      const filter = { tenant_id: TENANT, ids: [pair.older.id], deleted: {} };
      const batch = { filter, limit: 1, after: null, actor: ACTOR, memories_limit: 100, jobsFor: () => [] };
      await subject.storage.memories.restore(batch);
      expect(await statusOf(pair.older)).toBe("outdated");
      expect(await isSound()).toBe(true);
    });

    test("that both stand gives the older row its status back, and the pair is not found again", async () => {
      const pair = await aConflict();
      expect(await review(pair, "both_stand")).toMatchObject({ state: "both_stand", older: { status: "confirmed" } });
      await find(pair.older, pair.newer);
      expect([await statusOf(pair.older), await linkOf(pair.newer)]).toEqual(["confirmed", null]);
      expect(await listed()).toEqual([asListed(pair, "both_stand")]);
    });

    test("leaves what another finding holds against the older row", async () => {
      const pair = await aConflict();
      const third = await seedRow();
      await find(pair.older, third, { status: "outdated" });
      await review(pair, "both_stand");
      expect(await statusOf(pair.older)).toBe("outdated");
      await review({ ...pair, newer: third }, "both_stand");
      expect(await statusOf(pair.older)).toBe("confirmed");
    });

    test.each(["accept", "both_stand"] as const)(
      "to %s is taken back whole, also after another one",
      async (decision) => {
        const pair = await aConflict();
        const before = [await rowOf(pair.older), await rowOf(pair.newer)];
        await review(pair, decision === "accept" ? "both_stand" : "accept");
        await review(pair, decision);
        expect(await review(pair, "reopen")).toMatchObject({ state: "open", status: "conflicted", reviewed_at: null });
        expect([await rowOf(pair.older), await rowOf(pair.newer)]).toEqual(before);
        await remove(pair.newer);
        expect(await statusOf(pair.older)).toBe("confirmed");
        expect(await isSound()).toBe(true);
      },
    );

    test("is audited once with what it was before, however often it is made", async () => {
      const pair = await aConflict();
      for (let i = 0; i < 3; i++) await review(pair, "accept", { reason: "Seen on site." });
      const about = { tenant_id: TENANT, target_id: pair.older.id, limit: 20 };
      const told = (await subject.storage.audit.list(about)).filter(({ action }) => action === "memory.review");
      expect(told).toMatchObject([
        { ...ACTOR, before: { state: "open" }, after: { state: "accepted", newer_id: pair.newer.id } },
      ]);
      expect(told[0]?.reason).toBe("Seen on site.");
    });

    test("is nobody's who does not see or may not change both rows, and then changes nothing", async () => {
      const pair = await aConflict({ visibility: "scope_agent" });
      const filter = { tenant_id: TENANT, read_scope: agentOf("bob") };
      expect(await review(pair, "accept", { filter })).toBeNull();
      expect(await review(pair, "accept", { filter: { tenant_id: "acme" } })).toBeNull();
      const permit = ({ id }: StoredMemory) => {
        if (id === pair.older.id) throw new Error("Not that one.");
      };
      await expect(review(pair, "accept", { permit })).rejects.toThrow("Not that one.");
      expect([await statusOf(pair.older), await listed(filter)]).toEqual(["conflicted", []]);
      expect(await listed({ read_scope: agentOf("ada") })).toEqual([asListed(pair, "open")]);
    });

    test("that a finding stands again is refused where the newer row can no longer take the older one's place", async () => {
      for (const patch of [{ status: "cancelled" }, { visibility: "scope_agent" }] satisfies MemoryPatch[]) {
        const pair = await aConflict();
        await review(pair, "both_stand");
        await update(pair.newer, patch);
        for (const decision of ["accept", "reopen"] as const)
          await expect(review(pair, decision)).rejects.toMatchObject({ code: "BAD_REQUEST" });
        expect(await statusOf(pair.older)).toBe("confirmed");
      }
    });

    test("counts no longer where a correction has another finding made of the pair", async () => {
      const pair = await aConflict();
      await review(pair, "both_stand");
      const [older, newer] = [await rowOf(pair.older), await rowOf(pair.newer)];
      const corrects = {
        filter: { tenant_id: TENANT, ids: [older.id] },
        permit: () => {},
        findingOf: (said: StoredMemory, was: StoredMemory) => aFinding(was, said, { rule: "correction" }),
      };
      const again = { ...newer, id: crypto.randomUUID() };
      const outcomes = await subject.storage.memories.insert(aBatch([anEntry(again)], { corrects }));
      expect(outcomes).toEqual([{ outcome: "duplicate_content", id: newer.id }]);
      expect([await listed(), await statusOf(older)]).toEqual([[], "outdated"]);
      expect(await review(pair, "reopen")).toBeNull();
    });

    test("is not kept once a row is erased, nor is its reason", async () => {
      const pair = await aConflict();
      await review(pair, "accept", { reason: "A telling reason." });
      await subject.storage.memories.erase({ tenant_id: TENANT, ids: [pair.newer.id] }, ACTOR, 1);
      const told = await subject.storage.audit.list({ tenant_id: TENANT, action: "memory.review", limit: 20 });
      expect(told).toMatchObject([{ target_id: pair.older.id, before: null, after: null, reason: null }]);
      expect([await listed(), await statusOf(pair.older)]).toEqual([[], "outdated"]);
    });
  });

  describe("a list of findings", () => {
    /** Four, the two in the middle found at once; the last one accepted, the second one taken back, the first one of a fleet. */
    const four = async () => {
      const first = await aConflict({ fleet_id: "red" });
      subject.clock.advance(1_000);
      const [second, third] = [await aConflict(), await aConflict()];
      subject.clock.advance(1_000);
      const last = await aConflict();
      await review(last, "accept");
      await review(second, "both_stand");
      return {
        first: asListed(first, "open"),
        second: asListed(second, "both_stand"),
        third: asListed(third, "open"),
        last: asListed(last, "accepted"),
      };
    };

    test("has the newest first, by what was decided and by fleet, and those that wait are counted", async () => {
      const { first, second, third, last } = await four();
      const all = await listed();
      expect([all[0], all.slice(1, 3).sort(), all[3]]).toEqual([last, [second, third].sort(), first]);
      expect(await listed({}, "accepted")).toEqual([last]);
      expect(await listed({}, "both_stand")).toEqual([second]);
      expect(await listed({}, "open")).toEqual([third, first]);
      expect(await listed({ fleets: { ids: ["red"], orShared: false } }, "open")).toEqual([first]);
      const { contradictions } = subject.storage;
      const filter = { tenant_id: TENANT };
      const retired = { older: await seedRow(), newer: await seedRow() };
      await find(retired.older, retired.newer, { status: "outdated" });
      expect(await contradictions.countOpen(filter, 100)).toEqual({ open: 3, waiting: 2, possible: 0 });
      expect((await contradictions.countOpen(filter, 1)).open).toBe(1);
      expect(await contradictions.countOpen({ tenant_id: "acme" }, 100)).toEqual({ open: 0, waiting: 0, possible: 0 });
    });

    test("goes on where the page before ended", async () => {
      await four();
      const all = await listed();
      const paged: string[] = [];
      for (let after: FindingEdge | null = null, more = true; more; ) {
        const bounds: ConflictQuery = { filter: { tenant_id: TENANT }, state: "all", after, limit: 1, bytes: 1 };
        const page: Page<FoundConflict> = await subject.storage.contradictions.conflicts(bounds);
        const [one = expect.unreachable("There is a page without a row."), ...others] = page.items;
        expect(others).toEqual([]);
        paged.push(asListed(one, one.state));
        after = { found_at: one.found_at, newer_id: one.newer.id, older_id: one.older.id };
        more = page.more;
      }
      expect(paged).toEqual(all);
    });
  });
}
