import { expect, setDefaultTimeout, test } from "bun:test";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import type { Services } from "../../src/core/ports/context.ts";
import type { JobLane } from "../../src/core/ports/job-store.ts";
import type { Job } from "../../src/core/schema/job.ts";
import { linkEntities } from "../../src/entities/link.ts";
import { workThrough } from "../../src/jobs/lanes.ts";
import { createRunner } from "../../src/jobs/runner.ts";
import { contradictionsApi } from "../support/api/contradictions.ts";
import { memoriesApi } from "../support/api/memories.ts";
import { TENANT } from "../support/builders.ts";
import { turnsDuring } from "../support/event-loop.ts";
import { openApp } from "../support/in-process.ts";

/** Only against a hang: less than the longest pause of the loop, which a lost nudge would take. */
setDefaultTimeout(10_000);

/** A job that touches nothing but the data file. */
const aJob = (name: string): Job => ({
  kind: "embed_memories",
  payload: { tenant_id: TENANT, memory_ids: [name] },
});
const JOBS = 20;

test("between two jobs, whoever calls has a turn", async () => {
  const { app } = await openApp();
  const { storage, clock } = app.services;
  await storage.jobs.add(
    Array.from({ length: JOBS }, (_, i) => aJob(`${i}`)),
    clock.now(),
  );
  // Two jobs that embed are in hand at a time.
  expect(await turnsDuring(() => app.runner.drain())).toBeGreaterThanOrEqual(JOBS / 2 - 1);
  await app.stop();
});

test("between a few linked rows and the next, whoever calls has a turn", async () => {
  const { app } = await openApp();
  const rows = { tenant_id: TENANT, memory_ids: Array.from({ length: 100 }, (_, i) => `${i}`) };
  expect(await turnsDuring(() => linkEntities(app.services, rows))).toBeGreaterThanOrEqual(4);
  await app.stop();
});

test("a job that comes while the loop reckons its pause is not left until the pause is over", async () => {
  const { app } = await openApp();
  const { services } = app;
  const { jobs } = services.storage;
  const done = Promise.withResolvers<void>();
  let looks = 0;
  const nextDue = async () => {
    const due = await jobs.nextDue();
    if (looks++ === 0) {
      await jobs.add([aJob("late")], services.clock.now());
      runner.nudge();
    }
    return due;
  };
  const finish = async (id: number) => {
    await jobs.finish(id);
    done.resolve();
  };
  const watched: Services = { ...services, storage: { ...services.storage, jobs: { ...jobs, nextDue, finish } } };
  const runner = createRunner(watched);
  runner.start();
  await done.promise;
  await runner.stop();
  await app.stop();
});

test("rows are read while others are embedded, each once it has its vector", async () => {
  const real = hashEmbedder();
  const held = Promise.withResolvers<void>();
  const embedder: typeof real = {
    ...real,
    embed: async (texts, options) => {
      if (texts.some((text) => text.startsWith("Second"))) await held.promise;
      return real.embed(texts, options);
    },
  };
  const { app, client } = await openApp({ embedder });
  const { bulk, list } = memoriesApi(client);
  await bulk([{ content: "First of all, Nadia prefers green tea." }]);
  await bulk([{ content: "Second, Nadia prefers black tea." }]);
  const { contradictions } = contradictionsApi(client);
  const drained = app.runner.drain();
  const checked = async () => {
    const { items } = await list();
    const rows = await Promise.all(items.map(async ({ id, content }) => ({ content, ...(await contradictions(id)) })));
    return rows.flatMap(({ content, checked_at }) => (checked_at === null ? [] : content.split(" ")[0])).sort();
  };
  while ((await checked()).length === 0) await Bun.sleep(5);
  expect(await checked()).toEqual(["First"]);
  held.resolve();
  expect(await drained).toBe(4);
  expect(await checked()).toEqual(["First", "Second,"]);
  await app.stop();
});

test("a lane without a job takes the one that is added while another lane works", async () => {
  let added = Promise.withResolvers<void>();
  const waiting: JobLane[] = [];
  const ran: JobLane[] = [];
  const long = Promise.withResolvers<void>();
  const runNext = async (lanes: readonly JobLane[]): Promise<boolean> => {
    const index = waiting.findIndex((one) => lanes.includes(one));
    const [lane] = index < 0 ? [] : waiting.splice(index, 1);
    if (lane === undefined) return false;
    if (lane === "others") await long.promise;
    ran.push(lane);
    return true;
  };
  waiting.push("others");
  const worked = workThrough(runNext, () => added.promise);
  await Bun.sleep(5);
  waiting.push("embedding");
  const before = added;
  added = Promise.withResolvers();
  before.resolve();
  while (ran.length === 0) await Bun.sleep(1);
  expect(ran).toEqual(["embedding"]);
  long.resolve();
  expect(await worked).toBe(2);
});
