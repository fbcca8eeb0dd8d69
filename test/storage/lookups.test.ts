import { afterEach, beforeEach, expect, test } from "bun:test";
import { eraseReplies } from "../../src/storage/accounts/kept-replies.ts";
import { staleRows } from "../../src/storage/common/stale.ts";
import { countOpen, listConflicts } from "../../src/storage/conflicts/conflicts.ts";
import { judgedFindings } from "../../src/storage/conflicts/judged.ts";
import { possibleNewer, saidToStand } from "../../src/storage/conflicts/possible.ts";
import { recheckSince } from "../../src/storage/conflicts/retract.ts";
import { getEntity, listEntities } from "../../src/storage/entities/read.ts";
import { jobStore } from "../../src/storage/jobs/store.ts";
import { retentionStore } from "../../src/storage/keeping/retention.ts";
import { counters, listTenants } from "../../src/storage/memories/count.ts";
import { pendingMemories } from "../../src/storage/memories/pending.ts";
import { listMemories } from "../../src/storage/memories/read.ts";
import { oldestOf, removeMemories, touchRecalls } from "../../src/storage/memories/remove.ts";
import { soleHands } from "../../src/storage/sqlite/jobs/hands.ts";
import { sqliteLeftRoom } from "../../src/storage/sqlite/keeping/left-room.ts";
import { changing, looking, sqliteRunner, within } from "../../src/storage/sqlite/units/run.ts";
import { ACTOR, SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";
import type { PlannedStore } from "../support/plans.ts";
import { openPlanned } from "../support/plans.ts";

// A tenant may have a million rows, and as many jobs may wait: what names a few must not walk through all of them.

let store: PlannedStore;
beforeEach(() => {
  store = openPlanned();
});
afterEach(() => store.at.close());

const runner = () => sqliteRunner(store.at, () => {});
const retention = () => retentionStore(runner(), sqliteLeftRoom(store.at));

const ids = ["a", "b", "c"];
const filter = { tenant_id: TENANT, ids };
const read_scope = { tenant_id: TENANT, agent_id: null, fleets: "all" } as const;
const now = "2026-03-01T12:00:00.000Z";
const by = { actor: ACTOR, now, nowMs: Date.parse(now) };
const page = { filter, sort: "created_at", order: "desc", after: null, offset: 0, limit: 3 } as const;

test.each([
  ["a list", ({ at: db }: PlannedStore) => looking(db, (work) => listMemories(work, page))],
  [
    "a removal",
    ({ at: db }: PlannedStore) => changing(db, TENANT, (work) => removeMemories(work, { filter, limit: 3 }, by)),
  ],
  ["counting recalls", ({ at: db }: PlannedStore) => changing(db, TENANT, (work) => touchRecalls(work, ids, now))],
  [
    "what waits for a vector",
    ({ at: db }: PlannedStore) =>
      looking(db, (work) =>
        pendingMemories(work, { tenant_id: TENANT, ids: Array.from({ length: 100 }, String), embedder_id: SPACE.id }),
      ),
  ],
])("%s by ids looks up each id", async (_, act) => {
  const plans = await store.plansOf(() => act(store), "json_each");
  expect(plans).not.toEqual([]);
  for (const plan of plans) expect(plan).toMatch(/SEARCH memories USING .*\(id=\?\)/);
});

test("what happened in a stretch of time is looked up in order of when it happened", async () => {
  const happened = { from: "2026-03-01T00:00:00.000Z", until: "2026-03-31T23:59:59.999Z" };
  const within = { ...page, filter: { tenant_id: TENANT, happened } };
  const plans = await store.plansOf(() => looking(store.at, (work) => listMemories(work, within)), "order by");
  expect(plans).toEqual([
    expect.stringMatching(
      /SEARCH memories USING INDEX memories_by_happening \(tenant_id=\? AND <expr>>\? AND <expr><\?\)/,
    ),
  ]);
});

test("a claim looks up the next job of each rank", async () => {
  const plans = await store.plansOf(() => jobStore(runner(), soleHands(), fakeClock()).claim(0, 1), "order by");
  expect(plans).toHaveLength(4);
  for (const plan of plans) {
    expect(plan).toMatch(/SEARCH jobs USING (COVERING )?INDEX jobs_by_rank \(rank=\? AND run_after<\?\)/);
    expect(plan).not.toMatch(/SCAN|ORDER BY/);
  }
});

test("what another model has read is looked up by who has read it, and what was compared since by number", async () => {
  store.at.writeConnection.exec(`insert into documents
    (id, tenant_id, collection, doc_id, data, created_at, updated_at, summary, embedded_by)
    values ('a', '${TENANT}', 'books', 'one', '{}', '${now}', '${now}', 'A heron', 'old')`);
  const jobs = jobStore(runner(), soleHands(), fakeClock());
  const asked = { tenant_id: TENANT, embedder_id: SPACE.id, below: 3, limit: 3 };
  const plans = [
    ...(await store.plansOf(() => jobs.addReembedding(SPACE.id, 0), "recursive")),
    ...(await store.plansOf(() => looking(store.at, (work) => staleRows(work, "memories", asked)), "memories")),
    ...(await store.plansOf(() => looking(store.at, (work) => staleRows(work, "documents", asked)), "documents")),
  ];
  expect(plans.length).toBeGreaterThanOrEqual(6);
  for (const plan of plans) {
    expect(plan).toMatch(/SEARCH t USING (COVERING )?INDEX (memories|documents)_pending/);
    expect(plan).not.toMatch(/SCAN t|ORDER BY/);
  }
  const since = { since: now, below: 3 };
  const [plan] = await store.plansOf(() => changing(store.at, TENANT, (work) => recheckSince(work, since, 0)), "desc");
  expect(plan).toMatch(/SEARCH m USING INDEX memories_pending \(tenant_id=\? AND embedded_by=\? AND rowid<\?\)/);
  expect(plan).not.toMatch(/SCAN|ORDER BY/);
});

test("what anybody may ask walks through no memories", async () => {
  const plans = await store.plansOf(() => [looking(store.at, counters), looking(store.at, listTenants)], "select");
  expect(plans).toHaveLength(2);
  const steps = plans.flatMap((plan) => plan.split("\n")).filter((step) => /\b(m|memories)\b/.test(step));
  expect(steps).toEqual([
    expect.stringMatching(/^SEARCH m .*INDEX memories_by_writer \(author=\? AND deleted_at=\?\)$/),
  ]);
});

test.each([
  [
    "page",
    ({ at: db }: PlannedStore) => looking(db, (work) => getEntity(work, { tenant_id: TENANT, id: "a" }, read_scope)),
  ],
  [
    "list",
    ({ at: db }: PlannedStore) =>
      looking(db, (work) => listEntities(work, { read_scope, limit: 3, offset: 0, bytes: 1_000_000 })),
  ],
])("what a %s of entities counts is looked up, not counted for all tenants", async (_, act) => {
  store.at.writeConnection.exec(`insert into audiences (tenant_id, kind, owner) values ('${TENANT}', 'scope_org', '')`);
  const plans = await store.plansOf(() => act(store), "entity_audiences");
  expect(plans).not.toEqual([]);
  for (const plan of plans) {
    expect(plan).toMatch(/SEARCH a USING .*\(entity_seq=\? AND audience=\?\)/);
    expect(plan).not.toMatch(/SCAN (a|entity_audiences)\b/);
  }
});

test.each([
  ["deleted", { deleted: { until: now } }, "memories_deleted"],
  ["expired", { expired_by: now }, "memories_by_expiry"],
])("memories that were %s long ago are found a few at a time", async (_, due, index) => {
  const plans = await store.plansOf(
    () => changing(store.at, TENANT, (work) => oldestOf(work, { tenant_id: TENANT, ...due }, 3)),
    "select",
  );
  expect(plans).toEqual([expect.stringMatching(new RegExp(`^SEARCH memories USING INDEX ${index} [^\\n]*$`))]);
});

test("old audit entries are looked up among the oldest of their tenant", async () => {
  const plans = await store.plansOf(() => retention().removeAudit(TENANT, now, 3), "delete");
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain("SEARCH audit_log USING COVERING INDEX audit_by_number (tenant_id=?)");
  expect(plans[0]).not.toMatch(/SCAN audit_log|ORDER BY/);
});

test("replies and jobs that have run out are looked up", async () => {
  const plans = await store.plansOf(() => retention().removeSpent(1, 3), "delete");
  expect(plans).toHaveLength(4);
  expect(plans.filter((plan) => /SCAN (kept_replies|jobs)/.test(plan))).toEqual([]);
});

test.each([
  [
    "listed",
    ({ at: db }: PlannedStore) =>
      looking(db, (work) => listConflicts(work, { filter, state: "all", after: null, limit: 3, bytes: 1 })),
  ],
  ["counted", ({ at: db }: PlannedStore) => looking(db, (work) => countOpen(work, filter, 3))],
])("findings to review are %s among those of their tenant", async (_, act) => {
  const plans = await store.plansOf(() => act(store), "findings");
  expect(plans).not.toEqual([]);
  for (const plan of plans) {
    expect(plan).toMatch(/SEARCH f USING INDEX findings_to_review \(tenant_id=\?\)/);
    expect(plan).not.toMatch(/SCAN (f|newer|older|memories)\b/);
  }
});

test.each([
  [
    "may have changed some rows",
    ({ at: db }: PlannedStore) => looking(db, (work) => possibleNewer(work, TENANT, ids, read_scope)),
    /SEARCH f USING INDEX findings_by_older \(older_seq=\?\)/,
  ],
  [
    "are judged anew",
    ({ at: db }: PlannedStore) => looking(db, (work) => judgedFindings(work, TENANT, 3)),
    /^SEARCH f USING INDEX findings_to_judge \(tenant_id=\? AND rowid>\?\)\n(?![\s\S]*ORDER BY)/,
  ],
  [
    "people said to stand",
    ({ at: db }: PlannedStore) =>
      looking(db, (work) => saidToStand(work, { tenant_id: TENANT, fleet_id: "red", agent_id: "anna" })),
    /^SEARCH f USING INDEX findings_said_to_stand \(tenant_id=\?\)\n(?![\s\S]*ORDER BY)/,
  ],
])("findings that %s are looked up, with their rows", async (_, act, looked) => {
  const plans = await store.plansOf(() => act(store), "findings");
  expect(plans).toEqual([expect.stringMatching(looked)]);
  for (const plan of plans) expect(plan).not.toMatch(/SCAN (f|newer|older|memories)\b/);
});

test("replies that show a row are looked up by each of the places where they may", async () => {
  const plans = await store.plansOf(() => within(store.at, TENANT, (work) => eraseReplies(work, ids)), "delete");
  expect(plans).toHaveLength(1);
  for (const index of ["row", "newer", "older"])
    expect(plans[0]).toContain(`SEARCH kept_replies USING INDEX kept_replies_by_${index}`);
});
