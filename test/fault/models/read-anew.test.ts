import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Services } from "../../../src/core/ports/context.ts";
import type { Embedder, EmbedderState } from "../../../src/core/ports/embedder.ts";
import type { LeasedJob } from "../../../src/core/ports/job-store.ts";
import type { Judge } from "../../../src/core/ports/judge.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { runJob } from "../../../src/jobs/handlers.ts";
import { rereadRows } from "../../../src/jobs/reread-rows.ts";
import { aChange } from "../../storage/contract/documents.ts";
import { contradictionsApi } from "../../support/api/contradictions.ts";
import { temporaryFolder } from "../../support/app.ts";
import { ACTOR, aBatch, anEntry, aRow, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const OLD = "Nadia prefers green tea.";
const NEW = "Nobody pours sencha here any longer.";
/** They share no word that tells anything: only meaning brings them together. */
const TOPICS: Readonly<Record<string, string>> = { [OLD]: "hot drinks of the crew", [NEW]: "hot drinks of the crew" };
const LEASE_MS = 60_000;
/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);
const folders: { remove(): void }[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

/** An embedder that reads texts by what they are about, unless it is away for some; it notes what it was asked. */
function anEmbedder(id: string, isAway: (text: string) => boolean = () => false) {
  const inner = hashEmbedder();
  const read: string[] = [];
  let state: EmbedderState = { phase: "ready", ready_ms: 0 };
  const embedder: Embedder = {
    ...inner,
    id,
    state: () => state,
    embed: async (texts, options) => {
      if (state.phase === "failed" || texts.some(isAway)) throw new Error("The model is away.");
      read.push(...texts);
      return inner.embed(
        texts.map((text) => TOPICS[text] ?? text),
        options,
      );
    },
  };
  const fail = () => {
    state = { phase: "failed", reason: "Its file is gone." };
  };
  return { embedder, read, fail };
}

/** A judge that notes which pairs it is asked about. */
function aJudge(): { readonly judge: Judge; readonly pairs: string[] } {
  const pairs: string[] = [];
  const judge: Judge = {
    id: "a-judge",
    state: () => ({ phase: "ready" }),
    score: async (texts) => {
      pairs.push(...texts.map(({ older, newer }) => `${older} ${newer}`));
      return null;
    },
  };
  return { judge, pairs };
}

/** A store with rows of another model, and the jobs that read them anew. */
async function openStale(isAway?: (text: string) => boolean) {
  const clock = fakeClock();
  const made = anEmbedder("model-b", isAway);
  const { app, settle } = await openApp({ clock, embedder: made.embedder });
  const { services } = app;
  const { jobs, memories, documents } = services.storage;
  const insert = async (tenant_id: string, contents: readonly string[]): Promise<StoredMemory[]> => {
    const rows = contents.map((content) => aRow({ tenant_id, content, embedded_by: "model-a" }));
    await memories.insert(aBatch(rows.map((row) => anEntry(row))));
    return rows;
  };
  const put = (tenant_id: string, doc_id: string, summary: string) => {
    const change = aChange({ a: 1 }, { searchable: { summary, text: summary }, embedded_by: "model-a" });
    return documents.upsert({ tenant_id, collection: "books", doc_id }, ACTOR, () => change);
  };
  const begin = () => jobs.addReembedding("model-b", clock.now());
  const claim = () => jobs.claim(clock.now(), LEASE_MS, ["reembedding"]);
  return { ...made, app, services, clock, settle, insert, put, begin, claim };
}
const texts = (count: number, about: string) => Array.from({ length: count }, (_, i) => `Note ${i} about ${about}.`);
const run = (services: Services, { job, attempt }: Pick<LeasedJob, "job" | "attempt">) =>
  job.kind === "reread_rows"
    ? rereadRows(services, { ...job, attempt, signal: new AbortController().signal })
    : expect.unreachable("It is no job of reading anew.");

test("documents are read anew first, then the newest memories, a few of each tenant in turn", async () => {
  const { app, services, clock, read, insert, put, begin, claim } = await openStale();
  const { jobs, memories } = services.storage;
  const first = await insert("first", texts(150, "the pier"));
  await insert("second", texts(250, "the crane"));
  await insert("third", texts(1, "the gate"));
  await put("first", "heron", "A heron.");
  expect(await begin()).toBe(3);
  const steps: string[] = [];
  for (let leased = await claim(); leased; leased = await claim()) {
    const before = read.length;
    const { next } = await run(services, leased);
    await jobs.replace(leased.id, next, clock.now());
    const { payload } = leased.job;
    if ("below" in payload) steps.push(`${payload.tenant_id} ${payload.below.table} ${read.length - before}`);
    if (steps.length === 4) {
      const left = await memories.pendingIds(
        "first",
        first.map(({ id }) => id),
        "model-b",
      );
      expect(left.sort()).toEqual(
        first
          .slice(0, 50)
          .map(({ id }) => id)
          .sort(),
      );
    }
  }
  expect(steps).toEqual([
    ...["first documents 1", "second documents 0", "third documents 0"],
    ...["first memories 100", "second memories 100", "third memories 1", "first memories 50", "second memories 100"],
    ...["third memory_checks 0", "first memory_checks 0", "second memories 50", "second memory_checks 0"],
  ]);
  expect(await memories.countAllPending()).toBe(0);
  expect(await jobs.isIdle(clock.now())).toBe(true);
  await app.stop();
});

test("a step that a kill cut short is done again, and reads no row that was stored", async () => {
  const { app, services, clock, read, insert, begin, claim, settle } = await openStale();
  const { jobs, memories } = services.storage;
  const contents = texts(250, "the pier");
  await insert(TENANT, contents);
  await begin();
  for (const table of ["documents", "memories"]) {
    const leased = (await claim()) ?? expect.unreachable();
    expect(leased.job.payload).toMatchObject({ below: { table } });
    const { next } = await run(services, leased);
    if (table === "documents") await jobs.replace(leased.id, next, clock.now());
  }
  // Nobody gave it back.
  clock.advance(LEASE_MS);
  expect(await begin()).toBe(0);
  await settle();
  expect(await memories.countAllPending()).toBe(0);
  expect(read.toSorted()).toEqual(contents.toSorted());
  expect((await jobs.tally(clock.now(), null)).due).toBe(0);
  await app.stop();
});

test("rows that the model refuses are left to jobs of their own, and read by no start again", async () => {
  let isAway = true;
  const { app, clock, services, insert, put, begin, settle } = await openStale(
    (text) => isAway && text.includes("fog"),
  );
  const { jobs, memories } = services.storage;
  await insert(TENANT, [
    "First in the fog.",
    ...texts(99, "the pier"),
    "Second in the fog.",
    ...texts(20, "the crane"),
  ]);
  await put(TENANT, "fog", "A heron in the fog.");
  await put(TENANT, "sun", "A heron in the sun.");
  for (const started of [1, 0]) {
    expect(await begin()).toBe(started);
    await settle();
    expect(await memories.countAllPending()).toBe(2);
    const kinds = (await jobs.countByKind(clock.now(), null)).map(({ kind, failing }) => `${kind} ${failing}`);
    expect(kinds).toEqual(["embed_documents 1", "embed_memories 2"]);
  }
  isAway = false;
  clock.advance(3_600_000);
  await settle();
  expect(await memories.countAllPending()).toBe(0);
  expect(await begin()).toBe(0);
  expect(await jobs.countByKind(clock.now(), null)).toEqual([]);
  await app.stop();
});

/** Runs the jobs that read anew to their end, and returns at which tables they were. */
async function tablesOf({ services, clock, claim }: Awaited<ReturnType<typeof openStale>>): Promise<string[]> {
  const tables: string[] = [];
  for (let leased = await claim(); leased; leased = await claim()) {
    if (leased.job.kind === "reread_rows") tables.push(leased.job.payload.below.table);
    const { next } = await run(services, leased);
    await services.storage.jobs.replace(leased.id, next, clock.now());
  }
  return tables;
}

test("nothing is compared again where no memory was read anew", async () => {
  const store = await openStale((text) => text.includes("fog"));
  const { app, clock, insert, put, begin, claim } = store;
  await insert(TENANT, ["First in the fog."]);
  await put(TENANT, "sun", "A heron in the sun.");
  await begin();
  expect(await tablesOf(store)).toEqual(["documents", "memories"]);
  // A step that was cut short has read what it does not find any more.
  const [row] = await insert(TENANT, ["Only once."]);
  await begin();
  const { id, job } = (await claim()) ?? expect.unreachable();
  const { next } = await run(app.services, { job, attempt: 1 });
  await app.services.storage.jobs.replace(id, next, clock.now());
  await run(app.services, (await claim()) ?? expect.unreachable());
  expect(await app.services.storage.memories.pendingIds(TENANT, [row?.id ?? ""], "model-b")).toEqual([]);
  clock.advance(LEASE_MS);
  expect(await tablesOf(store)).toEqual(["memories", "memory_checks"]);
  await app.stop();
});

test.each([
  ["another model", { embedder_id: "model-0" }],
  ["a model that it does not tell", {}],
])("a job of %s begins again with the model that answers", async (_, of) => {
  const { app, services, clock, insert, claim, settle } = await openStale();
  const { jobs, memories } = services.storage;
  const rows = await insert(TENANT, texts(3, "the pier"));
  const [lowest] = await memories
    .stale({ tenant_id: TENANT, embedder_id: "model-b", below: null, limit: 3 })
    .then((found) => found.toReversed());
  const since = "2026-01-01T00:00:00.000Z";
  const below = { table: "memories", number: lowest?.seq ?? 0 } as const;
  await jobs.add([{ kind: "reread_rows", payload: { tenant_id: TENANT, since, below, ...of } }], clock.now());
  const { id, job, attempt } = (await claim()) ?? expect.unreachable();
  const { next } = await run(services, { job, attempt });
  expect(next).toEqual([
    {
      kind: "reread_rows",
      payload: {
        ...{ tenant_id: TENANT, embedder_id: "model-b", since, has_read: true },
        below: { table: "memories", number: null },
      },
    },
  ]);
  await jobs.replace(id, next, clock.now());
  await settle();
  const ids = rows.map((row) => row.id);
  expect(await memories.pendingIds(TENANT, ids, "model-b")).toEqual([]);
  await app.stop();
});

test("a process that is about to end waits for what it wrote, and reads nothing anew", async () => {
  const { embedder } = anEmbedder("model-b");
  const asked = new Set<string>();
  const slow: Embedder = {
    ...embedder,
    embed: (texts, options) => {
      const [pier] = texts.flatMap((text) => text.match(/the pier of .*/) ?? []);
      if (pier === undefined) return embedder.embed(texts, options);
      asked.add(pier);
      return new Promise(() => {});
    },
  };
  const { app, client } = await openApp({ clock: fakeClock(), embedder: slow });
  const { jobs, memories } = app.services.storage;
  for (const tenant_id of ["first", "second", "third"]) {
    const rows = texts(250, `the pier of ${tenant_id}`).map((content) =>
      aRow({ tenant_id, content, embedded_by: "model-a" }),
    );
    await memories.insert(aBatch(rows.map((row) => anEntry(row))));
  }
  await jobs.addReembedding("model-b", app.services.clock.now());
  app.runner.start();
  while (asked.size < 2) await Bun.sleep(1);
  const { id } = await contradictionsApi(client).write(NEW);
  await app.runner.finish();
  expect((await contradictionsApi(client).contradictions(id)).checked_at).not.toBeNull();
  // Two were in hand, and have not failed.
  expect(await jobs.countByKind(app.services.clock.now(), null)).toMatchObject([
    { kind: "reread_rows", due: 1, scheduled: 2, failing: 0 },
  ]);
  await app.stop();
});

test("the room that former vectors left is given back once all is read anew", async () => {
  const folder = temporaryFolder();
  folders.push(folder);
  const data = () => new Database(join(folder.path, "cairn.db"));
  const clock = fakeClock();
  const opened = { folder: folder.path, clock, embedder: anEmbedder("model-b").embedder };
  const first = await openApp(opened);
  await first.app.services.storage.memories.insert(aBatch([anEntry(aRow({ embedded_by: "model-a" }))]));
  await first.app.stop();
  const db = data();
  // As vectors leave it.
  db.exec("create table former (vector blob); insert into former values (zeroblob(20000000)); drop table former");
  db.close();
  const { app, settle } = await openApp(opened);
  const { jobs } = app.services.storage;
  await settle();
  const HOUR_MS = 3_600_000;
  await jobs.ensure([{ kind: "retention_schedule", payload: {} }], clock.now() + HOUR_MS);
  const free = () => {
    const looking = data();
    const { freelist_count = 0 } = looking.query<Record<string, number>, []>("pragma freelist_count").get() ?? {};
    looking.close();
    return freelist_count;
  };
  const before = free();
  expect(before).toBeGreaterThan(4_000);
  expect(await jobs.addReembedding("model-b", clock.now())).toBe(1);
  await settle();
  expect(free()).toBeGreaterThan(4_000);
  clock.advance(60_000);
  await settle();
  expect(free()).toBeLessThan(1_500);
  await app.stop();
});

test("a model that reads nothing at all is waited for", async () => {
  const { app, services, clock, insert, begin, fail, settle } = await openStale();
  const { jobs } = services.storage;
  await insert(TENANT, texts(3, "the pier"));
  await begin();
  fail();
  await settle();
  const kinds = (await jobs.countByKind(clock.now(), null)).map(({ kind, failing }) => `${kind} ${failing}`);
  expect(kinds).toEqual(["reread_rows 1"]);
  await app.stop();
});

/** A folder in which another model has read a row, opened by this one. */
async function openAfterChange(isAway?: (text: string) => boolean) {
  const folder = temporaryFolder();
  folders.push(folder);
  const clock = fakeClock();
  const before = { folder: folder.path, clock, embedder: anEmbedder("model-a").embedder, judge: aJudge().judge };
  const first = await openApp(before);
  await contradictionsApi(first.client).write(OLD);
  await first.settle();
  await first.app.stop();
  clock.advance(1_000);
  const { judge, pairs } = aJudge();
  const { app, client, settle } = await openApp({ ...before, embedder: anEmbedder("model-b", isAway).embedder, judge });
  const { jobs } = app.services.storage;
  // The first look makes all jobs due, those in hand too.
  await settle();
  expect(await jobs.addReembedding("model-b", clock.now())).toBe(1);
  const allIsDone = async () => {
    await settle();
    expect((await jobs.tally(clock.now(), TENANT)).due).toBe(0);
  };
  return { app, clock, jobs, pairs, settle, allIsDone, ...contradictionsApi(client) };
}

test("a row written while an old one waits to be read anew is compared with it by meaning once that is read", async () => {
  const { app, clock, jobs, pairs, settle, allIsDone, write, contradictions } = await openAfterChange();
  const waiting = (await jobs.claim(clock.now(), LEASE_MS, ["reembedding"])) ?? expect.unreachable();
  const { id } = await write(NEW);
  await settle();
  expect((await contradictions(id)).checked_at).not.toBeNull();
  expect(pairs).toEqual([]);
  await jobs.retry(waiting.id, clock.now(), "It is its turn.");
  await allIsDone();
  expect(pairs).toEqual([`${OLD} ${NEW}`]);
  // All is read: nothing is compared a third time.
  expect(await jobs.addReembedding("model-b", clock.now())).toBe(0);
  await allIsDone();
  expect(pairs).toHaveLength(1);
  await app.stop();
});

test("a row whose comparison ends after all was read anew is compared once more", async () => {
  const { app, clock, jobs, pairs, settle, allIsDone, write } = await openAfterChange();
  const waiting = (await jobs.claim(clock.now(), LEASE_MS, ["reembedding"])) ?? expect.unreachable();
  await write(NEW);
  const comparing = (await jobs.claim(clock.now(), LEASE_MS, ["others"])) ?? expect.unreachable();
  expect(comparing.job.kind).toBe("understand_memories");
  const { storage } = app.services;
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const contradictions: typeof storage.contradictions = {
    ...storage.contradictions,
    record: async (...checks) => {
      reached.resolve();
      await held.promise;
      await storage.contradictions.record(...checks);
    },
  };
  const services = { ...app.services, storage: { ...storage, contradictions } };
  const compared = runJob(services, comparing, new AbortController().signal);
  await reached.promise;
  await jobs.retry(waiting.id, clock.now(), "It is its turn.");
  await settle();
  expect(await storage.memories.countAllPending()).toBe(0);
  expect(pairs).toEqual([]);
  held.resolve();
  await compared;
  await jobs.finish(comparing.id);
  await allIsDone();
  expect(pairs).toEqual([`${OLD} ${NEW}`]);
  await app.stop();
});

test("an old row that the model refused is compared by meaning once it has read it", async () => {
  let isAway = true;
  const { app, clock, pairs, allIsDone, settle, write } = await openAfterChange((text) => isAway && text === OLD);
  await write(NEW);
  await settle();
  expect(pairs).toEqual([]);
  isAway = false;
  clock.advance(3_600_000);
  await allIsDone();
  expect(pairs).toEqual([`${OLD} ${NEW}`]);
  await app.stop();
});
