import { expect, setDefaultTimeout, test } from "bun:test";
import type { Services } from "../../src/core/ports/context.ts";
import type { Job } from "../../src/core/schema/job.ts";
import { linkEntities } from "../../src/entities/link.ts";
import { createRunner } from "../../src/jobs/runner.ts";
import { TENANT } from "../support/builders.ts";
import { turnsDuring } from "../support/event-loop.ts";
import { openApp } from "../support/in-process.ts";

/** Only against a hang: less than the longest pause of the loop, which a lost nudge would take. */
setDefaultTimeout(10_000);

/** A job that touches nothing but the data file. */
const aJob = (name: string): Job => ({
  kind: "understand_memories",
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
  expect(await turnsDuring(() => app.runner.drain())).toBeGreaterThanOrEqual(JOBS - 1);
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
