import { afterAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { openSqlite } from "../../src/storage/sqlite/open.ts";
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
  openSqlite({
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

test("a row that expires in another century is found after a start as before it", async () => {
  const written = aRow({ content: "a lease for ninety years", expires_at: "2116-05-04T00:00:00.000Z" });
  const find = async (storage: Storage) => {
    const filter = { tenant_id: TENANT, unexpired_at: "2026-01-01T00:00:00.000Z" };
    const { hits } = await storage.memories.hits({ filter, vector: null, words: ["lease"], pool: 5 });
    return hits.map(({ memory }) => memory.id);
  };
  const first = open();
  await untilReady(first);
  await first.memories.insert({ ...aBatch([anEntry(written, aVector(3))]), memories_limit: MANY });
  expect(await find(first)).toEqual([written.id]);
  await first.close();
  const second = open();
  await untilReady(second);
  expect(await find(second)).toEqual([written.id]);
  await second.close();
});

test("what the index does not know of a filter is asked of the rows, however many others have the words", async () => {
  const storage = open();
  await untilReady(storage);
  const content = "the lighthouse keeper writes a page";
  const of = (count: number, day: string) =>
    Array.from({ length: count }, (_, i) =>
      aRow({
        content: `${content}, number ${i} of ${day}`,
        ts_valid_start: day,
        ts_valid_end: day.replace("01-01", "12-31"),
      }),
    );
  const wanted = of(3, "2020-01-01T00:00:00.000Z");
  const others = of(2_500, "2024-01-01T00:00:00.000Z");
  for (const rows of [wanted, others])
    await storage.memories.insert({ ...aBatch(rows.map((row) => anEntry(row))), memories_limit: MANY });
  const filter = { tenant_id: TENANT, valid_at: "2020-06-01T00:00:00.000Z" };
  const { hits } = await storage.memories.hits({ filter, vector: null, words: ["lighthouse"], pool: 10 });
  expect(hits.map(({ memory }) => memory.id).sort()).toEqual(wanted.map(({ id }) => id).sort());
  await storage.close();
});
