import { expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Logger } from "../../../src/core/kernel/log.ts";
import { silentLogger } from "../../../src/core/kernel/log.ts";
import type { Embedder } from "../../../src/core/ports/embedder.ts";
import { createEmbeddingLog } from "../../../src/jobs/embedding-log.ts";
import { createRunner } from "../../../src/jobs/runner.ts";
import { embedJobsOf } from "../../../src/memories/embed.ts";
import { aBatch, anEntry, aRow, TENANT } from "../../support/builders.ts";
import type { FakeClock } from "../../support/clock.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const REFUSED = "A text that no model reads.";
/** More than are told of. */
const ROWS = 1_200;

/** An embedder that refuses one text, and takes its time for all others. */
function refusing(clock: FakeClock): Embedder {
  const inner = hashEmbedder();
  return {
    ...inner,
    embed: async (texts, options) => {
      if (texts.includes(REFUSED)) throw new Error("Refused.");
      clock.advance(3_000);
      return inner.embed(texts, options);
    },
  };
}

async function openWith() {
  const clock = fakeClock();
  const told: number[] = [];
  const log: Logger = {
    ...silentLogger,
    info: (message, fields) => {
      if (message === "embedding") told.push(Number(fields?.rows_left));
    },
  };
  const { app } = await openApp({ clock, embedder: refusing(clock) });
  const { storage } = app.services;
  let counts = 0;
  const memories = {
    ...storage.memories,
    countAllPending: () => {
      counts++;
      return storage.memories.countAllPending();
    },
  };
  const services = { ...app.services, log, storage: { ...storage, memories } };
  const insert = async (...contents: readonly string[]) => {
    const rows = contents.map((content) => aRow({ content }));
    for (let i = 0; i < rows.length; i += 200)
      await storage.memories.insert(
        aBatch(
          rows.slice(i, i + 200).map((row) => anEntry(row)),
          { memories_limit: 10_000 },
        ),
      );
    await storage.jobs.add(embedJobsOf(rows), clock.now());
  };
  return { app, clock, services, told, insert, counted: () => counts };
}
const texts = (count: number, about: string) => Array.from({ length: count }, (_, i) => `Note ${i} about ${about}.`);

test("a row that no model reads is told once, and not counted after every job that ends", async () => {
  const { app, services, told, insert, counted } = await openWith();
  await insert(REFUSED, ...texts(ROWS, "the pier"));
  const runner = createRunner(services);
  await runner.drain();
  expect(told.at(-1)).toBe(1);
  expect(told.filter((left) => left === 1)).toHaveLength(1);
  const before = counted();
  const JOBS = 10;
  for (let i = 0; i < JOBS; i++) {
    await insert(`Something else ${i}.`);
    await runner.drain();
  }
  // A look every ten seconds, of which three pass with each job.
  expect(counted() - before).toBeLessThanOrEqual(JOBS / 2);
  expect(told.filter((left) => left === 1)).toHaveLength(1);
  await runner.stop();
  await app.stop();
});

test("after a change of model, the storage of the new one is counted", async () => {
  const { app, services, told, insert } = await openWith();
  const other = await openWith();
  await insert("One row.");
  const tell = createEmbeddingLog(services);
  await other.insert(...texts(ROWS, "the crane"));
  services.storage = other.services.storage;
  await tell();
  expect(told).toEqual([ROWS]);
  await app.stop();
  await other.app.stop();
});

test("a job whose rows were read already tells nothing of how fast rows are read", async () => {
  const { app } = await openApp();
  const { clock, pace, storage } = app.services;
  await storage.jobs.add(
    [{ kind: "embed_memories", payload: { tenant_id: TENANT, memory_ids: ["gone"] } }],
    clock.now(),
  );
  await app.runner.drain();
  expect(pace.embedding.perSecond()).toBeNull();
  await app.stop();
});
