import { afterAll, describe, expect, test } from "bun:test";
import type { StoragePolicies } from "../../src/core/ports/storage-policies.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { temporaryFolder } from "../support/app.ts";
import { ACTOR, aBatch, anEntry, aRow, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";
import { describeStorage } from "./contract/contract.ts";
import { ENGINES } from "./engines.ts";

const root = temporaryFolder();
afterAll(() => root.remove());

for (const { name, open } of ENGINES) describeStorage(name, (clock) => open(clock, root.path));

/** Rules that no product would have: an engine that follows them has none of its own. */
const STRANGE: StoragePolicies = {
  jobsAfter: () => [{ job: { kind: "review_skills", payload: { tenant_id: "strange" } }, due_ms: 0 }],
  conflicts: {
    ...storagePolicies.conflicts,
    resolveStatus: () => ({ status: "archived", previous_status: "pending", is_freed: false }),
    chooseSuperseded: (_, ids) => ids.at(-1) ?? null,
    mayBeDemoted: () => true,
    isDecided: () => false,
    demotionReason: () => "for no reason",
    statusBeforeDeletion: () => ({ status: "cancelled", was_live: false }),
  },
  settleNames: (rows) => ({ filed: [], taught: [], renamed: [], links: rows.map(() => []) }),
};

describe.each(ENGINES)("$name", ({ open }) => {
  test("links no row to what it names by itself", async () => {
    const storage = await open(fakeClock(), root.path, STRANGE);
    const row = aRow({ content: "Mira Stahl fires the kiln." });
    await storage.memories.insert(aBatch([anEntry(row)]));
    const named = {
      name: "Mira Stahl",
      key: "mirastahl",
      entity_type: "person",
      role: "mentioned",
      sure: true,
    } as const;
    const things = [{ ...named, short_key: null, alike_key: null }];
    await storage.entities.link(TENANT, [{ id: row.id, content_hash: row.content_hash, things, same: [] }]);
    const read_scope = { tenant_id: TENANT, agent_id: null, fleets: "all" } as const;
    const { items } = await storage.entities.list({ read_scope, offset: 0, limit: 5, bytes: 1_000_000 });
    expect(items).toEqual([]);
    await storage.close();
  });

  test("decides no status and queues no job by itself", async () => {
    const clock = fakeClock();
    const storage = await open(clock, root.path, STRANGE);
    const [older, newer] = [aRow({ content: "The kiln is hot." }), aRow({ content: "The kiln is cold." })];
    await storage.memories.insert(aBatch([anEntry(older), anEntry(newer)]));
    const span = { start: 0, end: 3 };
    const found = {
      older,
      newer,
      status: "outdated",
      rule: "value",
      confidence: 0.9,
      why: null,
      older_span: span,
      newer_span: span,
    } as const;
    await storage.contradictions.record([{ memory: newer, claim: null, findings: [found] }], ACTOR);
    const read_scope = { tenant_id: TENANT, agent_id: null, fleets: "all" } as const;
    const rows = await storage.memories.several(read_scope, [older.id, newer.id]);
    expect(rows.map(({ status }) => status).sort()).toEqual(["active", "archived"]);
    const told = await storage.audit.list({ tenant_id: TENANT, limit: 10 });
    expect(JSON.stringify(told)).toContain("for no reason");
    expect(await storage.jobs.claim(clock.now(), 1_000)).toMatchObject({ job: { payload: { tenant_id: "strange" } } });

    await storage.memories.remove({ tenant_id: TENANT, ids: [newer.id] }, ACTOR, 1);
    const deleted = { tenant_id: TENANT, ids: [newer.id], include_deleted: true, deleted: {} };
    const batch = { filter: deleted, limit: 1, after: null, memories_limit: 10, jobsFor: () => [], actor: ACTOR };
    const { outcomes } = await storage.memories.restore(batch);
    expect(outcomes).toMatchObject([{ outcome: "restored", memory: { status: "cancelled" } }]);
    await storage.close();
  });
});
