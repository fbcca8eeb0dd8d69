import * as fc from "fast-check";
import type { Job } from "../../../src/core/schema/job.ts";
import { limit, memoryIds, orNull, TENANTS, tenant } from "./pools.ts";
import type { World } from "./world.ts";
import { stepOf } from "./world.ts";

const RECURRING = ["skills_schedule", "forge_schedule", "memories_schedule", "retention_schedule"] as const;
const job: fc.Arbitrary<Job> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("embed_memories" as const, "understand_memories" as const, "compare_stated" as const),
      tenant,
      memoryIds,
    )
    .map(([kind, tenant_id, memory_ids]) => ({ kind, payload: { tenant_id, memory_ids } })),
  tenant.map((tenant_id) => ({ kind: "review_skills" as const, payload: { tenant_id } })),
  fc.constant({ kind: "wipe_traces" as const, payload: {} }),
  fc.constantFrom(...RECURRING).map((kind) => ({ kind, payload: {} })),
);
const later = fc.constantFrom(0, 0, 1_000, 3_600_000, -5_000);
const lane = fc.constantFrom(undefined, "embedding", "reembedding", "stated", "others");

const add = stepOf("add jobs", fc.record({ jobs: fc.array(job, { maxLength: 3 }), later }), (world, drawn) =>
  world.storage.jobs.add(drawn.jobs, world.clock.now() + drawn.later),
);
const ensure = stepOf("ensure jobs", fc.record({ jobs: fc.array(job, { maxLength: 2 }), later }), (world, drawn) =>
  world.storage.jobs.ensure(drawn.jobs, world.clock.now() + drawn.later),
);

/** Claims a job and does something with it, or keeps it in hand. */
const claim = stepOf(
  "claim",
  fc.record({
    lane,
    lease: fc.constantFrom(1_000, 3_600_000),
    next: fc.constantFrom("finish", "keep", "retry", "again", "replace"),
    others: fc.array(job, { maxLength: 2 }),
    later,
  }),
  async (world, { lane, lease, next, others, later }) => {
    const { jobs } = world.storage;
    const found = await jobs.claim(world.clock.now(), lease, lane && [lane]);
    if (!found) return null;
    const at = world.clock.now() + later;
    if (next === "finish") await jobs.finish(found.id);
    else if (next === "retry") await jobs.retry(found.id, at, "it failed");
    else if (next === "again") await jobs.again(found.id, at);
    else if (next === "replace") await jobs.replace(found.id, others, at);
    else world.claimed.push(found.id);
    return [found.job, found.attempt];
  },
);
const finishKept = stepOf("finish one in hand", fc.record({ retry: fc.boolean() }), async (world, drawn) => {
  const id = world.claimed.shift();
  if (id === undefined) return;
  if (drawn.retry) await world.storage.jobs.retry(id, world.clock.now(), "late");
  else await world.storage.jobs.finish(id);
});
const wake = stepOf("wake", fc.constant(null), (world) => world.storage.jobs.wake(world.clock.now()));
const forward = stepOf(
  "bring forward",
  fc.record({ kind: fc.constantFrom(...RECURRING), later }),
  (world, { kind, later }) => world.storage.jobs.bringForward(kind, world.clock.now() + later),
);
const reembed = stepOf("reembed", fc.record({ embedder_id: fc.constantFrom("test-space", "other") }), (world, drawn) =>
  world.storage.jobs.addReembedding(drawn.embedder_id, world.clock.now()),
);

export const jobSteps = fc.oneof(
  { arbitrary: add, weight: 5 },
  { arbitrary: claim, weight: 5 },
  { arbitrary: finishKept, weight: 1 },
  { arbitrary: ensure, weight: 1 },
  { arbitrary: wake, weight: 1 },
  { arbitrary: forward, weight: 1 },
  { arbitrary: reembed, weight: 1 },
);

const tally = stepOf("tally", fc.record({ tenant_id: orNull(tenant), limit }), async (world, drawn) => {
  const { jobs } = world.storage;
  const now = world.clock.now();
  return [
    await jobs.tally(now, drawn.tenant_id),
    await jobs.countByKind(now, drawn.tenant_id),
    await jobs.failing(drawn.tenant_id, drawn.limit),
    await jobs.nextDue(),
    await jobs.isIdle(now),
  ];
});
export const jobQuestions = tally;

/** All jobs in the order in which they are claimed; takes them away. */
export async function allOfJobs(world: World): Promise<unknown> {
  const { jobs } = world.storage;
  const told: unknown[] = [];
  for (const tenant_id of [null, ...TENANTS]) told.push(await jobs.countByKind(world.clock.now(), tenant_id));
  for (let left = 200; left > 0; left--) {
    // Later than whatever was put off.
    const found = await jobs.claim(world.clock.now() + 1e11, 1_000);
    if (!found) break;
    told.push([found.job, found.attempt]);
    await jobs.finish(found.id);
  }
  return told;
}
