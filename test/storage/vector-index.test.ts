import { afterAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { openStorage } from "../../src/storage/open.ts";
import { temporaryFolder } from "../support/app.ts";
import { ACTOR, aBatch, anEntry, aRow, aVector, SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";
import { asked } from "./subject.ts";

const folder = temporaryFolder();
afterAll(folder.remove);
/** More than are read at once where the folder is opened. */
const ROWS = 1_500;
const WHILE_LOADING = 40;
const MANY = 10_000;

const open = (): Storage =>
  openStorage({
    folder: folder.path,
    clock: fakeClock(),
    log: silentLogger,
    space: SPACE,
    textOf: searchableText,
    policies: storagePolicies,
    cacheDir: tmpdir(),
  });

async function untilReady(storage: Storage): Promise<void> {
  while (storage.searchIndex().state === "loading") await Bun.sleep(1);
}

const nearest = async (storage: Storage, pool: number) =>
  (await storage.memories.hits({ filter: { tenant_id: TENANT }, vector: asked(aVector(0)), words: [], pool })).hits;

test("a large folder is read in the background, with what is written and deleted meanwhile", async () => {
  const rows = Array.from({ length: ROWS }, (_, i) => ({ row: aRow(), vector: aVector(20 + (i % 60)) }));
  const first = open();
  const batch = aBatch(rows.map(({ row, vector }) => anEntry(row, vector)));
  await first.memories.insert({ ...batch, memories_limit: MANY });
  expect(first.searchIndex()).toMatchObject({ state: "ready", rows: ROWS });
  await first.close();

  const second = open();
  expect(second.searchIndex()).toMatchObject({ state: "loading", ready_ms: null });
  // Before the index is there, the table of codes answers.
  expect((await nearest(second, 10)).length).toBe(10);
  const near = Array.from({ length: WHILE_LOADING }, () => aRow());
  for (const row of near) await second.memories.insert({ ...aBatch([anEntry(row, aVector(0))]), memories_limit: MANY });
  const [gone, ...kept] = near.map(({ id }) => id);
  await second.memories.remove({ tenant_id: TENANT, ids: [gone ?? ""] }, ACTOR, 1);
  await untilReady(second);
  expect(second.searchIndex()).toMatchObject({ state: "ready", rows: ROWS + WHILE_LOADING });
  const found = await nearest(second, kept.length);
  expect(found.map(({ memory }) => memory.id).sort()).toEqual(kept.sort());
  const { checks } = await second.indexes.inspect(null, () => {});
  expect(checks.find(({ name }) => name === "vector index in memory")).toMatchObject({ ok: true, faults: 0 });
  await second.close();
});

test("a transaction that is rolled back leaves nothing in the index", async () => {
  const storage = open();
  await untilReady(storage);
  const { rows } = storage.searchIndex();
  const entries = [anEntry(aRow(), aVector(0))];
  const jobsFor = () => {
    throw new Error("No jobs today.");
  };
  await expect(storage.memories.insert({ ...aBatch(entries), memories_limit: MANY, jobsFor })).rejects.toThrow(
    "No jobs today.",
  );
  await storage.memories.insert({ ...aBatch([anEntry(aRow(), aVector(0))]), memories_limit: MANY });
  expect(storage.searchIndex().rows).toBe(rows + 1);
  await storage.close();
});
