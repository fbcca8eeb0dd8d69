import * as fc from "fast-check";
import type { FindingEdge } from "../../../src/core/ports/contradiction-store.ts";
import { SPACE } from "../../support/builders.ts";
import { aFinding } from "../contract/contradictions.ts";
import { filter } from "./memory-filters.ts";
import { rowsOf } from "./memory-steps.ts";
import {
  actor,
  bytes,
  EVERY_ID,
  everything,
  limit,
  memoryId,
  memoryIds,
  readScope,
  TENANTS,
  tenant,
  time,
} from "./pools.ts";
import type { World } from "./world.ts";
import { stepOf } from "./world.ts";

const claim = fc.constantFrom(
  null,
  { subject_key: "staging", predicate: "version" },
  { subject_key: "anna", predicate: "lives_in" },
);
const finding = fc.record({
  newer: memoryId,
  older: memoryId,
  status: fc.constantFrom("outdated", "conflicted"),
  rule: fc.constantFrom("other_value", "negated"),
  confidence: fc.constantFrom(0.9, 0.5),
});
type Drawn = typeof finding extends fc.Arbitrary<infer T> ? T : never;

/** The finding about two rows as they are, or as they never were; null where one is not there. */
async function findingOf(world: World, tenant_id: string, { newer, older, ...fields }: Drawn) {
  const rows = await rowsOf(world, tenant_id, [newer, older]);
  const [first, second] = [rows.find(({ id }) => id === newer), rows.find(({ id }) => id === older)];
  return first && second && first !== second ? aFinding(second, first, fields) : null;
}

const record = stepOf(
  "record",
  fc.record({
    tenant_id: tenant,
    checks: fc.array(fc.record({ finding, claim, alone: fc.boolean(), is_partial: fc.boolean() }), {
      minLength: 1,
      maxLength: 2,
    }),
    actor,
  }),
  async (world, { tenant_id, checks, actor }) => {
    const found = [];
    for (const { finding: drawn, claim, alone, is_partial } of checks) {
      const made = await findingOf(world, tenant_id, drawn);
      if (made) found.push({ memory: made.newer, claim, findings: alone ? [] : [made], is_partial });
    }
    await world.storage.contradictions.record(found, actor);
  },
);
const put = stepOf("put finding", fc.record({ tenant_id: tenant, finding, actor }), async (world, drawn) => {
  const made = await findingOf(world, drawn.tenant_id, drawn.finding);
  if (made) await world.storage.contradictions.put(made, drawn.actor);
});
const review = stepOf(
  "review",
  fc.record({
    filter,
    newer_id: memoryId,
    older_id: memoryId,
    decision: fc.constantFrom("accept", "both_stand", "reopen"),
    reason: fc.constantFrom(null, "so"),
    actor,
  }),
  (world, { actor, ...drawn }) => world.storage.contradictions.review({ ...drawn, permit: () => {} }, actor),
);
/** Any finding there is, so that decisions meet one. */
const reviewKnown = stepOf(
  "review one that stands",
  fc.record({
    tenant_id: tenant,
    which: fc.nat(3),
    decision: fc.constantFrom("accept", "both_stand", "reopen"),
    actor,
  }),
  async (world, { tenant_id, which, decision, actor }) => {
    const found = await conflictsOf(world, tenant_id);
    const one = found[which % Math.max(1, found.length)];
    if (!one) return null;
    const key = { newer_id: one.newer.id, older_id: one.older.id, filter: { tenant_id }, reason: null };
    return world.storage.contradictions.review({ ...key, decision, permit: () => {} }, actor);
  },
);
const expire = stepOf("retract expired", fc.record({ actor }), (world, drawn) =>
  world.storage.contradictions.retractExpired(drawn.actor),
);

const recheck = stepOf("recheck since", fc.record({ tenant_id: tenant, since: time }), async (world, drawn) => {
  await world.storage.contradictions.recheckSince(drawn.tenant_id, drawn.since, null);
});
const refuse = stepOf("recheck once read", fc.record({ tenant_id: tenant, ids: memoryIds }), (world, drawn) =>
  world.storage.contradictions.recheckOnceRead(drawn.tenant_id, drawn.ids),
);

export const conflictSteps = fc.oneof(
  { arbitrary: record, weight: 6 },
  { arbitrary: put, weight: 2 },
  { arbitrary: review, weight: 1 },
  { arbitrary: reviewKnown, weight: 3 },
  { arbitrary: expire, weight: 1 },
  { arbitrary: recheck, weight: 1 },
  { arbitrary: refuse, weight: 1 },
);

const state = fc.constantFrom("all", "open", "accepted", "both_stand");

const conflictsOf = async (world: World, tenant_id: string) =>
  (
    await world.storage.contradictions.conflicts({
      filter: { tenant_id },
      state: "all",
      after: null,
      limit: 100,
      bytes: 1_000_000,
    })
  ).items;

const walk = stepOf("walk through conflicts", fc.record({ filter, state, limit, bytes }), async (world, query) => {
  const pages: unknown[] = [];
  for (let after: FindingEdge | null = null, left = 20; left > 0; left--) {
    const { items, more } = await world.storage.contradictions.conflicts({ ...query, after });
    pages.push([items, more]);
    const last = items.at(-1);
    if (!more || !last) break;
    after = { found_at: last.found_at, newer_id: last.newer.id, older_id: last.older.id };
  }
  return pages;
});
const count = stepOf("count open", fc.record({ filter, max: limit }), (world, drawn) =>
  world.storage.contradictions.countOpen(drawn.filter, drawn.max),
);
const findings = stepOf("findings", fc.record({ readScope, id: memoryId }), async (world, { readScope: scope, id }) => {
  const key = { tenant_id: scope.tenant_id, id };
  return [await world.storage.contradictions.findings(key, scope), await world.storage.contradictions.checkedAt(key)];
});
const chains = stepOf("chains", fc.record({ filter, readScope, ids: memoryIds }), async (world, drawn) => {
  const { contradictions } = world.storage;
  return [
    await contradictions.superseded(drawn.readScope.tenant_id, drawn.ids, drawn.readScope),
    await contradictions.successors(drawn.ids, drawn.filter),
  ];
});
const unchecked = stepOf("unchecked", fc.record({ tenant_id: tenant, ids: memoryIds }), (world, drawn) =>
  world.storage.contradictions.unchecked(drawn.tenant_id, drawn.ids, SPACE.id),
);
const candidates = stepOf(
  "candidates",
  fc.record({ tenant_id: tenant, id: memoryId, claim, unrecorded: fc.uniqueArray(memoryId, { maxLength: 2 }) }),
  async (world, { tenant_id, id, claim, unrecorded }) => {
    const [memory] = await rowsOf(world, tenant_id, [id]);
    if (!memory || memory.deleted_at) return null;
    const now = new Date(world.clock.now()).toISOString();
    const found = await world.storage.contradictions.candidates({
      memory,
      claim,
      happened_at: memory.ts_valid_start ?? memory.created_at,
      embedder_id: SPACE.id,
      now,
      unrecorded: unrecorded.map((one) => ({ id: one, shares_claim: claim !== null })),
    });
    const shown = found.map(({ memory, closeness, shared_words }) => [
      memory.id,
      closeness?.toFixed(2),
      shared_words.toFixed(2),
    ]);
    return shown.sort((a, b) => (String(a) < String(b) ? -1 : 1));
  },
);

export const conflictQuestions = fc.oneof(walk, walk, count, findings, findings, chains, unchecked, candidates);

/** All findings, and which rows were checked when. */
export async function allOfConflicts(world: World): Promise<unknown> {
  const { contradictions } = world.storage;
  const answers: unknown[] = [];
  for (const tenant_id of TENANTS) {
    answers.push(await conflictsOf(world, tenant_id));
    answers.push(await contradictions.unchecked(tenant_id, EVERY_ID, SPACE.id));
    answers.push(await contradictions.superseded(tenant_id, EVERY_ID, everything(tenant_id)));
    for (const id of EVERY_ID) {
      const at = await contradictions.checkedAt({ tenant_id, id });
      const found = await contradictions.findings({ tenant_id, id }, everything(tenant_id));
      if (at !== null || found.length > 0) answers.push([id, at, found]);
    }
  }
  return answers;
}
