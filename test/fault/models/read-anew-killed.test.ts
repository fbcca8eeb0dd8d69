import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { aBatch, anEntry, aRow } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";
import { doctor } from "../doctor.ts";
import { aFolder, cleanUp, count, openData, runToEnd, spawnServer, until, untilSettled } from "../server.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(120_000);
afterAll(cleanUp);

/** So many that a server is killed before it has read all of them. */
const ROWS = 4_000;
const ROWS_PER_BATCH = 500;
const MODEL = "another-model";
const STALE = `memories where embedded_by = '${MODEL}'`;
const JOBS = "jobs where kind = 'reread_rows'";

/** Stores rows that another model has read. */
async function fill(folder: string, rows: number): Promise<void> {
  const { app } = await openApp({ folder });
  for (let i = 0; i < rows; i += ROWS_PER_BATCH) {
    const size = Math.min(ROWS_PER_BATCH, rows - i);
    const batch = Array.from({ length: size }, () => anEntry(aRow({ embedded_by: MODEL })));
    await app.services.storage.memories.insert(aBatch(batch, { memories_limit: rows }));
  }
  await app.stop();
}

test("a server that is killed while it reads rows anew goes on where it was", async () => {
  const folder = aFolder();
  await fill(folder, ROWS);
  const looked = <T>(look: (db: ReturnType<typeof openData>) => T): T => {
    const db = openData(folder);
    try {
      return look(db);
    } finally {
      db.close();
    }
  };
  const stale = () => looked((db) => count(db, STALE));
  expect(stale()).toBe(ROWS);
  const killed = await spawnServer({ folder });
  await until("some rows are read anew", async () => stale() < ROWS);
  await killed.kill();
  const left = stale();
  expect(left).toBeGreaterThan(0);
  // The one job says where it was: of the rows above that place none is left.
  expect(looked((db) => count(db, JOBS))).toBe(1);
  const below = `(select coalesce(payload ->> '$.below.number', ${Number.MAX_SAFE_INTEGER}) from ${JOBS})`;
  expect(looked((db) => count(db, `${STALE} and seq < ${below}`))).toBe(left);
  const next = await spawnServer({ folder });
  await untilSettled(next);
  await next.terminate();
  expect([stale(), looked((db) => count(db, JOBS))]).toEqual([0, 0]);
});

const add = (folder: string) => runToEnd(["add", "The ferry is late.", `--data=${folder}`, "--embedder=hash"]);

/** Runs a command in a folder in which another model has read so many rows. Returns how many are left, and how many jobs read them. */
async function leftAfter(rows: number, command: (folder: string) => Promise<unknown>): Promise<[number, number]> {
  const folder = aFolder();
  await fill(folder, rows);
  await command(folder);
  const db = openData(folder);
  const left: [number, number] = [count(db, STALE), count(db, JOBS)];
  db.close();
  return left;
}

test.each([
  ["add", add],
  ["doctor", (folder: string) => doctor(folder, "--embedder=hash")],
])("a folder that only commands use is read anew as well: %s", async (_, command) => {
  const [left, jobs] = await leftAfter(1, command);
  // Read by now, or to be read by the next one.
  expect(left).toBeLessThanOrEqual(jobs);
});

test("a command does not wait until all is read anew", async () => {
  const [left, jobs] = await leftAfter(ROWS, add);
  expect(left).toBeGreaterThan(0);
  expect(jobs).toBe(1);
});
