import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Job } from "../../../src/core/schema/job.ts";
import { RECURRING_KINDS } from "../../../src/core/schema/job.ts";
import { insertJobs } from "../../../src/storage/jobs/queue.ts";
import { retentionStore } from "../../../src/storage/keeping/retention.ts";
import { memoryStore } from "../../../src/storage/memories/store.ts";
import type { Engine } from "../../../src/storage/postgres/engine/work.ts";
import type { ClosableJobStore } from "../../../src/storage/postgres/jobs/leases.ts";
import { postgresJobStore } from "../../../src/storage/postgres/jobs/leases.ts";
import { JOBS_CHANNEL } from "../../../src/storage/postgres/jobs/queue.ts";
import { LEFT_TO_SERVER } from "../../../src/storage/postgres/keeping/left-room.ts";
import { findHits } from "../../../src/storage/postgres/search/hits.ts";
import { postgresRunner } from "../../../src/storage/postgres/units/run.ts";
import { aBatch, anEntry, aRow, aVector, TENANT } from "../../support/builders.ts";
import type { FakeClock } from "../../support/clock.ts";
import { fakeClock } from "../../support/clock.ts";
import { processesOverOne } from "../../support/postgres/processes.ts";

const LEASE_MS = 60_000;
/** How often and how long it is looked for what a server tells. */
const [LOOKS_MAX, LOOK_MS] = [1_000, 5];
const aJob = (name: string): Job => ({ kind: "embed_memories", payload: { tenant_id: TENANT, memory_ids: [name] } });
const reading = (id: string): Job => ({
  kind: "understand_memories",
  payload: { tenant_id: TENANT, memory_ids: [id] },
});

let processes: Awaited<ReturnType<typeof processesOverOne>>;
let clock: FakeClock;
let engine: Engine;
let one: ClosableJobStore;
let other: ClosableJobStore;
let heard = 0;

beforeEach(async () => {
  clock = fakeClock();
  processes = await processesOverOne();
  const first = await processes.open();
  const second = await processes.open();
  engine = first.engine;
  one = postgresJobStore(first.engine, "one", clock);
  other = postgresJobStore(second.engine, "other", clock);
  heard = 0;
  await second.driver.listen(JOBS_CHANNEL, () => heard++);
});
afterEach(async () => {
  await one.close();
  await other.close();
  await processes.close();
});

const claim = (store: ClosableJobStore, leaseMs = LEASE_MS) => store.claim(clock.now(), leaseMs);
const claimedBy = async (store: ClosableJobStore, leaseMs?: number): Promise<number> => {
  const leased = await claim(store, leaseMs);
  return leased?.id ?? expect.unreachable("There is nothing to claim.");
};

test("a job is of the process that claimed it, among any number that ask", async () => {
  await one.add([aJob("a"), aJob("b"), aJob("c")], clock.now());
  const all = await Promise.all([one, other, one, other, one, other].map((store) => claim(store)));
  const ids = all.flatMap((leased) => (leased ? [leased.id] : []));
  expect(new Set(ids).size).toBe(3);
  expect(ids).toHaveLength(3);
});

test("jobs that one reads together are not claimed by another", async () => {
  await one.add([reading("a"), reading("b")], clock.now());
  expect((await claim(one))?.job).toEqual({
    kind: "understand_memories",
    payload: { tenant_id: TENANT, memory_ids: ["a", "b"] },
  });
  expect(await claim(other)).toBeNull();
});

test("a job whose lease has passed is another's, and the first has no say in it any more", async () => {
  await one.add([aJob("a")], clock.now());
  const id = await claimedBy(one);
  clock.advance(LEASE_MS - 1);
  expect(await claim(other)).toBeNull();
  clock.advance(1);
  expect(await claim(other)).toMatchObject({ id, attempt: 2 });
  await one.finish(id);
  await one.retry(id, 0, "too late");
  await one.again(id, 0);
  expect(await other.tally(clock.now(), null)).toMatchObject({ running: 1, due: 0, failing: 0 });
  await other.finish(id);
  expect(await other.nextDue()).toBeNull();
});

test("a job in hand stays so for longer than a lease", async () => {
  const leaseMs = 60;
  await one.add([aJob("a")], clock.now());
  const id = await claimedBy(one, leaseMs);
  const claimedAt = clock.now();
  clock.advance(leaseMs - 1);
  for (let i = 0; i < 500 && ((await other.nextDue()) ?? 0) <= claimedAt + leaseMs; i++) await Bun.sleep(10);
  clock.advance(leaseMs - 1);
  expect(await claim(other, leaseMs)).toBeNull();
  await one.finish(id);
  expect(await other.isIdle(clock.now())).toBe(true);
});

test("a process that starts makes due what nobody has in hand, and leaves the rest", async () => {
  await one.add([aJob("in hand"), aJob("failed")], clock.now());
  const inHand = await claimedBy(one);
  const failed = await claimedBy(one);
  await one.retry(failed, clock.now() + 1_000_000, "The model is away.");
  await other.wake(clock.now());
  expect(await claimedBy(other)).toBe(failed);
  expect(await claim(other)).toBeNull();
  expect(await other.tally(clock.now(), null)).toMatchObject({ running: 2 });
  await one.finish(inHand);
  expect(await other.tally(clock.now(), null)).toMatchObject({ running: 1 });
});

test("what a process could not give back is its own again after a wake, and no other's before its lease ends", async () => {
  await one.add([aJob("a")], clock.now());
  const id = await claimedBy(one);
  await one.wake(clock.now());
  expect(await claim(other)).toBeNull();
  expect(await other.nextDue()).toBe(clock.now() + LEASE_MS);
  expect(await one.nextDue()).toBe(clock.now());
  expect(await claimedBy(one)).toBe(id);
});

test("a store that is closed gives back what it has in hand, and tells the others", async () => {
  await one.add([aJob("a")], clock.now());
  const id = await claimedBy(one);
  const before = heard;
  await one.close();
  expect(await isHeardAfter(before)).toBe(true);
  expect(await claim(other)).toMatchObject({ id, attempt: 2 });
});

test("nobody asks over and over for rows that wait for what another process embeds", async () => {
  await one.add([aJob("a"), reading("a")], clock.now());
  const id = await claimedBy(one);
  expect(await claim(other)).toBeNull();
  expect(await other.nextDue()).toBe(clock.now() + LEASE_MS);
  await one.finish(id);
  expect(await other.nextDue()).toBe(clock.now());
  expect((await claim(other))?.job).toEqual(reading("a"));
});

test("recurring jobs have one row each, however many processes ensure them", async () => {
  const recurring = RECURRING_KINDS.map((kind): Job => ({ kind, payload: {} }));
  await Promise.all([one, other, one, other].map((store) => store.ensure(recurring, clock.now())));
  await postgresRunner(engine).change((work) => insertJobs(work, recurring, clock.now()));
  const rows = await engine.look((work) =>
    work.rows<{ kind: string }>(sql`select kind from jobs order by kind collate "C"`),
  );
  expect(rows.map(({ kind }) => kind)).toEqual([...RECURRING_KINDS].sort());
});

test("a recurring job that one has in hand is brought forward by nobody", async () => {
  await one.ensure([{ kind: "forge_schedule", payload: {} }], clock.now());
  const id = await claimedBy(one);
  await other.bringForward("forge_schedule", clock.now() - 1);
  expect(await other.nextDue()).toBe(clock.now() + LEASE_MS);
  await one.again(id, clock.now() + 1_000);
  await other.bringForward("forge_schedule", clock.now() + 500);
  expect(await one.nextDue()).toBe(clock.now() + 500);
});

test("what another model embedded is read anew by one job a tenant, however many processes start with the new one", async () => {
  const driver = await processes.open();
  const memories = memoryStore(postgresRunner(driver.engine), {
    space: driver.engine.space,
    clock,
    hits: (query) => findHits(driver.engine, driver.engine.space, query),
  });
  const tenants = ["acme", "default", "zeta"];
  for (const tenant_id of tenants) await memories.insert(aBatch([anEntry(aRow({ tenant_id }), aVector(1))]));
  const queued = await Promise.all([one, other].map((store) => store.addReembedding("another", clock.now())));
  expect(queued.reduce((sum, count) => sum + count, 0)).toBe(tenants.length);
  const named: unknown[] = [];
  for (let next = await claim(one); next; next = await claim(other)) {
    const { kind, payload } = next.job;
    named.push([kind, "tenant_id" in payload ? payload.tenant_id : null]);
  }
  expect(named).toEqual(tenants.map((tenant_id) => ["reread_rows", tenant_id]));
});

test("a job that another process has taken over is replaced by nothing", async () => {
  await one.add([aJob("a")], clock.now());
  const id = await claimedBy(one);
  await one.close();
  expect(await claimedBy(other)).toBe(id);
  await one.replace(id, [aJob("b")], clock.now());
  await other.replace(id, [aJob("c")], clock.now());
  expect((await claim(other))?.job).toEqual(aJob("c"));
  expect(await claim(other)).toBeNull();
});

/** Whether something is told: a server tells what was committed a little later. */
async function isHeardAfter(before: number): Promise<boolean> {
  for (let look = 0; look < LOOKS_MAX && heard <= before; look++) await Bun.sleep(LOOK_MS);
  return heard > before;
}

test("whatever makes a job due is told to every process", async () => {
  const told = async (change: () => Promise<unknown>): Promise<boolean> => {
    const before = heard;
    await change();
    return isHeardAfter(before);
  };
  expect(await told(() => one.add([aJob("a")], clock.now()))).toBe(true);
  const id = await claimedBy(one);
  expect(await told(() => one.retry(id, clock.now() + 10, "The model is away."))).toBe(true);
  expect(await told(() => one.ensure([{ kind: "forge_schedule", payload: {} }], clock.now() + 100))).toBe(true);
  expect(await told(() => one.bringForward("forge_schedule", clock.now()))).toBe(true);
  const schedule = await claimedBy(one);
  expect(await told(() => one.again(schedule, clock.now() + 100))).toBe(true);
});

test("a job of a kind that nobody knows waits with its reason, and goes after a month of attempts", async () => {
  await engine.change((work) =>
    work.run(sql`insert into jobs (kind, payload, run_after, attempt, rank) values ('dig_tunnels', '{}', 0, 0, 1)`),
  );
  expect(await claim(one)).toBeNull();
  expect(await one.failing(null, 10)).toMatchObject([
    { tenant_id: null, kind: "dig_tunnels", attempt: 1, run_after_ms: clock.now() + LEASE_MS },
  ]);
  expect(await one.tally(clock.now(), null)).toMatchObject({ running: 0, scheduled: 1 });
  await one.add([aJob("known")], clock.now());
  await engine.change((work) => work.run(sql`update jobs set attempt = 8640`));
  const { removeSpent } = retentionStore(postgresRunner(engine), LEFT_TO_SERVER);
  expect(await removeSpent(clock.now(), 10)).toBe(0);
  await engine.change((work) => work.run(sql`update jobs set attempt = 8641`));
  expect(await removeSpent(clock.now(), 10)).toBe(1);
  expect((await claim(one))?.job).toEqual(aJob("known"));
});
