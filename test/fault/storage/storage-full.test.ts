import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { AppError } from "../../../src/core/kernel/errors.ts";
import type { MemoryStore, NewMemory } from "../../../src/core/ports/memory-store.ts";
import { storagePolicies } from "../../../src/startup/storage-policies.ts";
import { memoryStore } from "../../../src/storage/memories/store.ts";
import type { Connections } from "../../../src/storage/sqlite/engine/connection.ts";
import { connect, NOTHING_AROUND } from "../../../src/storage/sqlite/engine/connection.ts";
import { groupCommits } from "../../../src/storage/sqlite/engine/group-commit.ts";
import { vectorExtensionPath } from "../../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../../src/storage/sqlite/migrations/migrate.ts";
import { hitsOf } from "../../../src/storage/sqlite/search/hits.ts";
import { sqliteRunner } from "../../../src/storage/sqlite/units/run.ts";
import { temporaryFolder } from "../../support/app.ts";
import { ACTOR, aBatch, anEntry, aRow, aVector, readAfter, SPACE } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);

const ROWS = 30;
const NO_LIMIT = 1_000_000_000;

const folder = temporaryFolder();
const opened: Connections[] = [];
afterAll(() => {
  for (const db of opened) db.close();
  folder.remove();
});

/** The app's own writer over a file of its own, with the pages it may have left to the test. */
function openStore(name: string) {
  const connections = connect(join(folder.path, `${name}.db`), vectorExtensionPath(folder.path));
  const grouped = groupCommits(connections, NOTHING_AROUND, () => performance.now());
  const db = Object.assign(grouped, { policies: storagePolicies, space: SPACE });
  opened.push(db);
  migrate(db.writeConnection, migrations(SPACE));
  const pages = () => db.writeConnection.query<{ page_count: number }, []>("pragma page_count").get()?.page_count ?? 0;
  return {
    at: db,
    store: memoryStore(
      sqliteRunner(db, () => {}),
      {
        space: SPACE,
        clock: fakeClock(),
        hits: hitsOf(db, { space: SPACE, rows: null, words: null, cache: null }),
      },
    ),
    allowPages: (more: number) => db.writeConnection.exec(`pragma max_page_count = ${pages() + more}`),
    allowAll: () => db.writeConnection.exec(`pragma max_page_count = ${NO_LIMIT}`),
  };
}

const entries = (): NewMemory[] => {
  const rows = Array.from({ length: ROWS }, (_, i) =>
    aRow({ run_id: "one", agent_id: `agent ${i % 3}`, metadata: { filler: "x".repeat(500) } }),
  );
  return rows.map((row, i) => anEntry(row, aVector(i * 11), readAfter(rows[i - 1], aVector(i * 11 + 5))));
};

const jobsFor = (created: readonly { id: string; tenant_id: string }[]) => [
  { kind: "embed_memories" as const, payload: { tenant_id: "default", memory_ids: created.map(({ id }) => id) } },
];

/** Rows of every table, shadow tables of the indexes included. */
function contents({ writeConnection }: Connections): Record<string, unknown> {
  const tables = writeConnection
    .query<{ name: string }, []>("select name from sqlite_master where type = 'table' and rootpage > 0 order by name")
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [name, writeConnection.query(`select count(*) from "${name}"`).values()[0]?.[0]]),
  );
}

/** Whether the work was done. It may only fail by saying that the disk is full, and must then have left no trace. */
async function wholeOrNothing(db: Connections, work: () => Promise<unknown>): Promise<boolean> {
  const before = contents(db);
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(db.writeConnection.inTransaction).toBe(false);
  if (error === null) return true;
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe("UNAVAILABLE");
  expect(error.message).toMatch(/nothing was written.*free some space/i);
  expect(contents(db)).toEqual(before);
  return false;
}

/** Does the work with no page to spare, then with one, and so on until it succeeds. Returns how often it failed. */
async function withEverMoreRoom(
  { at: db, allowPages, allowAll }: ReturnType<typeof openStore>,
  work: () => Promise<unknown>,
): Promise<number> {
  for (let spare = 0; ; spare++) {
    allowPages(spare);
    const done = await wholeOrNothing(db, work);
    allowAll();
    if (done) return spare;
  }
}

test("an insert that runs out of disk at any page leaves no trace, and succeeds as soon as there is room", async () => {
  const opened_ = openStore("insert");
  const batch = aBatch(entries(), { jobsFor });
  const failures = await withEverMoreRoom(opened_, () => opened_.store.insert(batch));
  expect(failures).toBeGreaterThan(10); // Else hardly anything was tried.
  expect(await stored(opened_.store)).toBe(ROWS);
});

test("vectors that run out of disk at any page leave no trace, and succeed as soon as there is room", async () => {
  const opened_ = openStore("vectors");
  const pending = entries().map(({ memory }) => anEntry({ ...memory, embedded_by: null }));
  await opened_.store.insert(aBatch(pending));
  const vectors = pending.map(({ memory }, i) => ({
    id: memory.id,
    content_hash: memory.content_hash,
    vectors: { own: aVector(i), context: readAfter(pending[i - 1]?.memory, aVector(i + 1)) },
  }));
  const failures = await withEverMoreRoom(opened_, () => opened_.store.fillVectors("default", vectors));
  expect(failures).toBeGreaterThan(5);
  const ids = vectors.map(({ id }) => id);
  expect(await opened_.store.pending("default", ids, SPACE.id)).toEqual([]);
});

test("removals that run out of disk at any page leave no trace, and succeed as soon as there is room", async () => {
  const opened_ = openStore("removals");
  for (let i = 0; i < 10; i++) await opened_.store.insert(aBatch(entries()));
  const work = () => opened_.store.remove({ tenant_id: "default" }, ACTOR, 10 * ROWS);
  const failures = await withEverMoreRoom(opened_, work);
  expect(failures).toBeGreaterThan(0);
  expect(await stored(opened_.store)).toBe(0);
});

test("on a full disk reads go on as before", async () => {
  const { store, allowPages, at: db } = openStore("reads");
  const batch = aBatch(entries());
  await store.insert(batch);
  allowPages(0);
  expect(await wholeOrNothing(db, () => store.insert(aBatch(entries())))).toBe(false);
  const [first] = batch.entries;
  const vector = { embedder_id: SPACE.id, values: aVector(0) };
  const read_scope = { tenant_id: "default", agent_id: null, fleets: "all" } as const;
  const { hits } = await store.hits({
    filter: { tenant_id: "default", read_scope },
    vector,
    words: ["note"],
    pool: 50,
  });
  expect(hits.length).toBe(ROWS);
  expect(await store.get({ tenant_id: "default", id: first?.memory.id ?? "" }, read_scope)).toEqual(
    first?.memory ?? null,
  );
});

test("a file that may not be written any more says so, and is written again as soon as it may", async () => {
  const { at: db, store } = openStore("read-only");
  const batch = aBatch(entries());
  db.writeConnection.exec("pragma query_only = on");
  const before = contents(db);
  const refused: unknown = await store.insert(batch).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "UNAVAILABLE", details: { reason: "sqlite_readonly" } });
  expect(String(refused)).toMatch(/read-only: nothing was written. Make it writable/);
  expect(contents(db)).toEqual(before);
  db.writeConnection.exec("pragma query_only = off");
  await store.insert(batch);
  expect(await stored(store)).toBe(ROWS);
});

const stored = (store: MemoryStore): Promise<number> => store.stored("default");
