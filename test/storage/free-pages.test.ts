import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/kernel/clock.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import { restoreBackup } from "../../src/storage/sqlite/backup/restore.ts";
import { GIVES_PAGES_BACK, giveBackPages } from "../../src/storage/sqlite/engine/free-pages.ts";
import { compact } from "../../src/storage/sqlite/salvage/compact.ts";
import { temporaryFolder } from "../support/app.ts";
import { ACTOR, aBatch, anEntry, aRow, TENANT } from "../support/builders.ts";
import { openApp } from "../support/in-process.ts";
import { ENGINES } from "./engines.ts";

const root = temporaryFolder();
afterAll(root.remove);
const engine = ENGINES.find(({ name }) => name === "sqlite in a folder") ?? expect.unreachable();
let stores = 0;

/** A store in a folder of its own, and that folder. */
async function aStore(): Promise<{ readonly storage: Storage; readonly folder: string }> {
  const place = join(root.path, `place-${++stores}`);
  mkdirSync(place);
  const storage = await engine.open(systemClock, place);
  const [name = ""] = [...new Bun.Glob("store-*/cairn.db").scanSync(place)];
  return { storage, folder: join(place, name.replace("/cairn.db", "")) };
}

const ROWS = 1_500;
/** Rows of some pages each, with a text that nothing else holds. */
async function fill(storage: Storage): Promise<void> {
  for (let i = 0; i < ROWS; i += 100) {
    const rows = Array.from({ length: 100 }, (_, j) => aRow({ content: `zqvxw ${i + j} ${"harbour ".repeat(1_000)}` }));
    const entries = rows.map((row) => anEntry(row));
    await storage.memories.insert(aBatch(entries, { memories_limit: 2 * ROWS }));
  }
}

async function eraseAll(storage: Storage, exclude_ids: readonly string[] = []): Promise<void> {
  const filter = { tenant_id: TENANT, include_deleted: true, exclude_ids };
  while ((await storage.memories.erase(filter, ACTOR, 100)) > 0);
}

function pragma(folder: string, name: string): number {
  const db = new Database(join(folder, "cairn.db"), { readonly: true });
  const [said = 0] = Object.values(db.query<Record<string, number>, []>(`pragma ${name}`).get() ?? {});
  db.close();
  return said;
}
const sizeOf = (folder: string): number => statSync(join(folder, "cairn.db")).size;

async function giveBack(storage: Storage): Promise<void> {
  while (await storage.retention.giveBackPages());
}

describe("after an erasure", () => {
  test("the data file shrinks, and a reserve of free pages stays", async () => {
    const { storage, folder } = await aStore();
    await fill(storage);
    await storage.emptyLog();
    const [before, size] = [pragma(folder, "page_count"), sizeOf(folder)];
    await eraseAll(storage);
    expect(pragma(folder, "freelist_count")).toBeGreaterThan(2_000);
    await giveBack(storage);
    await storage.emptyLog();
    expect(pragma(folder, "freelist_count")).toBeLessThan(1_010);
    expect(pragma(folder, "freelist_count")).toBeGreaterThanOrEqual(1_000);
    expect(pragma(folder, "page_count")).toBeLessThan(before / 2);
    expect(sizeOf(folder)).toBeLessThan(size / 2);
    expect((await storage.indexes.inspect(null, () => {})).checks.filter(({ ok }) => !ok)).toEqual([]);
    // Nothing is given back that the next rows would take again.
    expect(await storage.retention.giveBackPages()).toBe(false);
    await storage.close();
  }, 180_000);

  test("rows that stay are found whole where they were moved to", async () => {
    const { storage } = await aStore();
    await fill(storage);
    const kept = aRow({ content: "The night ferry leaves from pier four." });
    await storage.memories.insert(aBatch([anEntry(kept)], { memories_limit: 2 * ROWS }));
    await eraseAll(storage, [kept.id]);
    await giveBack(storage);
    const found = await storage.memories.get({ tenant_id: TENANT, id: kept.id }, READER);
    expect(found?.content).toBe(kept.content);
    await storage.close();
  }, 180_000);
});

const READER = { tenant_id: TENANT, agent_id: null, fleets: "all" } as const;

test("a step ends when its time is over", () => {
  const db = new Database(join(root.path, "steps.db"));
  db.exec(`${GIVES_PAGES_BACK}; pragma synchronous = off; create table some (text text)`);
  const put = db.query("insert into some values (?)");
  db.transaction(() => {
    for (let i = 0; i < 2_000; i++) put.run("x".repeat(5_000));
  })();
  db.exec("delete from some");
  const freeNow = () => db.query<{ freelist_count: number }, []>("pragma freelist_count").get()?.freelist_count ?? 0;
  let now = 0;
  for (let left = freeNow(); giveBackPages(db, 10, () => (now += 5)); left = freeNow())
    expect(left - freeNow()).toBeLessThanOrEqual(16);
  expect(now).toBeGreaterThan(1_000);
  db.close();
});

test("a data file that an older Cairn made keeps them at a start, and gives them back once it was written anew", async () => {
  const folder = join(root.path, "older");
  const start = async () => {
    const { app } = await openApp({ folder });
    expect(await app.services.storage.retention.giveBackPages()).toBe(false);
    await app.stop();
  };
  await start();
  const db = new Database(join(folder, "cairn.db"));
  db.exec("pragma auto_vacuum = none; vacuum; pragma wal_checkpoint(truncate)");
  db.close();
  await start();
  expect(pragma(folder, "auto_vacuum")).toBe(0);
  compact(folder);
  expect(pragma(folder, "auto_vacuum")).toBe(2);
});

test("what a backup restores gives its pages back", async () => {
  const { storage, folder } = await aStore();
  await storage.memories.insert(aBatch([anEntry(aRow())]));
  expect(pragma(folder, "auto_vacuum")).toBe(2);
  const { backup } = await storage.backups.write(
    { ...storage.backups.placeOf({}), keep: null, release: "test" },
    () => {},
  );
  await storage.close();
  const target = join(root.path, "restored");
  await restoreBackup({ file: backup.file, folder: target, stamp: "now", cacheDir: target });
  expect(pragma(target, "auto_vacuum")).toBe(2);
});
