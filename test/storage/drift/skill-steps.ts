import * as fc from "fast-check";
import type { PageEdge } from "../../../src/core/kernel/cursor.ts";
import type { TracePage } from "../../../src/core/ports/forge-store.ts";
import { SKILL_UPDATES, SKILLS } from "../../../src/core/schema/skill.ts";
import { SPACE } from "../../support/builders.ts";
import { aChange } from "../contract/documents.ts";
import { actor, bytes, fleet, limit, memoryIds, offset, orNull, rowId, TENANTS, tenant, time } from "./pools.ts";
import type { World } from "./world.ts";
import { stepOf } from "./world.ts";

const SLUGS = ["tidy", "tidy-up", "a_b"] as const;
const key = fc.record({
  tenant_id: tenant,
  collection: fc.constantFrom(SKILLS, SKILL_UPDATES),
  doc_id: fc.constantFrom("tidy", "agent/tidy", "forge/tidy", "tidy-up", "a_b", "a%b"),
});
const data = fc.record(
  {
    status: fc.constantFrom("staged", "active", "candidate"),
    deferred_at: fc.constantFrom("2026-02-02", "2026-01-01"),
    evidence: fc.constant(`${rowId(0)} ${rowId(1)}`),
  },
  { requiredKeys: ["status"] },
);
const barred = fc.record({
  fleet_id: orNull(fleet),
  fingerprint: fc.constantFrom("fp", "fq"),
  rejected_by: fc.constantFrom(null, "ada"),
  rejected_at: time,
  expires_at: time,
  reason: fc.constant("no"),
});

const change = stepOf(
  "change skill",
  fc.record({ key, actor, data, fleet_id: orNull(fleet), barred: fc.option(barred), absorbed: fc.option(key) }),
  async (world, { key, actor, data, fleet_id, barred, absorbed }) => {
    let seen: unknown = null;
    const absorbs = absorbed === null ? undefined : { ...absorbed, tenant_id: key.tenant_id };
    const changed = await world.storage.skills.change(key, actor, (current, family) => {
      seen = [current, family];
      const denylisted = barred === null ? undefined : { ...barred, tenant_id: key.tenant_id };
      return { ...aChange(data, { fleet_id }), denylisted, absorbs };
    });
    return [changed, seen];
  },
);

const RUNS = ["f0", "f1", "f2"].map((_, n) => rowId(n + 40));
const request = stepOf(
  "request run",
  fc.record({
    id: fc.constantFrom(...RUNS),
    tenant_id: tenant,
    fleet_id: orNull(fleet),
    trigger: fc.constantFrom("manual", "schedule"),
    actor,
    quiet_ms: fc.constantFrom(0, 3_600_000),
  }),
  async (world, drawn) => {
    for (const tenant_id of TENANTS)
      if ((await world.storage.forge.runs(tenant_id, 100)).some(({ id }) => id === drawn.id)) return null;
    return (await world.storage.forge.request(drawn)).outcome;
  },
);
const report = { traces: 3, successes: 2, failures: 1, unknown: 0, clusters: [], written: 0, skipped: 0, error: null };
const run = stepOf(
  "go on with run",
  fc.record({ tenant_id: tenant, id: fc.constantFrom(...RUNS), next: fc.constantFrom("start", "finish", "fail") }),
  (world, { tenant_id, id, next }) => {
    const { forge } = world.storage;
    if (next === "start") return forge.start(tenant_id, id);
    return next === "finish" ? forge.finish(tenant_id, id, report) : forge.fail(tenant_id, id, "it failed");
  },
);
export const skillSteps = fc.oneof(
  { arbitrary: change, weight: 5 },
  { arbitrary: request, weight: 2 },
  { arbitrary: run, weight: 2 },
);

const inbox = stepOf(
  "inbox",
  fc.record({
    tenant_id: tenant,
    fleet_id: orNull(fleet),
    fleets: fc.oneof(fc.constant("all" as const), fc.uniqueArray(fleet, { maxLength: 2 })),
    offset,
    limit,
    bytes,
  }),
  (world, query) => world.storage.skills.inbox(query),
);
const family = stepOf("family", fc.record({ tenant_id: tenant, slug: fc.constantFrom(...SLUGS) }), (world, drawn) =>
  world.storage.skills.family(drawn.tenant_id, drawn.slug),
);
const until = stepOf(
  "denylisted until",
  fc.record({ tenant_id: tenant, fleet_id: orNull(fleet), fingerprint: fc.constantFrom("fp", "fq"), at: time }),
  (world, query) => world.storage.skills.denylistedUntil(query),
);
const statuses = stepOf("memory statuses", fc.record({ tenant_id: tenant, ids: memoryIds }), (world, drawn) =>
  world.storage.skills.memoryStatuses(drawn.tenant_id, drawn.ids),
);
const traces = stepOf(
  "traces",
  fc.record({
    tenant_id: tenant,
    fleet_id: orNull(fleet),
    since: time,
    unexpired_at: time,
    embedder_id: fc.constant(SPACE.id),
    scan: fc.constantFrom(100, 1, 2),
    content_max: fc.constant(9),
  }),
  async (world, query) => {
    const pages: TracePage[] = [];
    for (let before: PageEdge | null = null, left = 40; left > 0; left--) {
      const page = await world.storage.forge.traceRows({ ...query, before });
      pages.push(page);
      before = page.next;
      if (before === null) break;
    }
    return pages;
  },
);
export const skillQuestions = fc.oneof(inbox, inbox, family, until, statuses, traces);

/** All skills, runs and who has any. */
export async function allOfSkills(world: World): Promise<unknown> {
  const { skills, forge } = world.storage;
  const answers: unknown[] = [await skills.tenants(), await forge.optedIn()];
  for (const tenant_id of TENANTS) {
    for (const slug of SLUGS) answers.push(await skills.family(tenant_id, slug));
    answers.push(await forge.runs(tenant_id, 100));
  }
  return answers;
}
