import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Embedder } from "../../../src/core/ports/embedder.ts";
import { IntegrityReport, IntegrityRunState } from "../../../src/core/schema/integrity.ts";
import { Snapshot } from "../../../src/core/schema/keeping/snapshot.ts";
import { ensureRecurring } from "../../../src/startup/background-jobs.ts";
import type { Client } from "../../support/api/client.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { contentsOf, MEMORIES, memoriesApi, SEARCH } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { aMemory, aStatement, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { holder, refusalOf } from "../../support/credentials.ts";
import type { InProcess, InProcessOptions } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import { onSqlite } from "../../support/postgres/engine.ts";

const TAKE = "/api/v1/admin/snapshot";
const RESTORE = `${TAKE}/restore`;

const inMemory = onSqlite("a snapshot is of what is in memory");

const opened: InProcess[] = [];
async function open(options: InProcessOptions = {}): Promise<InProcess> {
  const server = await openApp(options);
  opened.push(server);
  return server;
}
afterAll(() => Promise.all(opened.map(({ app }) => app.stop())));

const take = (client: Client) => client.ok(Snapshot, "POST", TAKE);
const restore = (client: Client) => client.ok(Snapshot, "POST", RESTORE);

/** Statements about people who work together, so that there are entities, and one that contradicts another. */
const SEEDED = [
  "Ana Reis keeps the harbour office open on Mondays.",
  "Ana Reis keeps the harbour office closed on Mondays.",
  "Bruno Lima repairs the cranes of Porto Norte.",
  "The tide table of Porto Norte is printed in March.",
  ...Array.from({ length: 40 }, (_, i) => `Berth ${i} of Porto Norte takes ships of ${10 + i} metres.`),
];

async function seed({ client, settle }: InProcess): Promise<void> {
  await memoriesApi(client).bulk(SEEDED.map((content) => ({ content })));
  await client.call("POST", MEMORIES, {
    body: aMemory({ content: "The berth fee is 40 euros.", subject: "berth fee", predicate: "amount" }),
  });
  await documentsApi(client).put("runbooks", "crane", { summary: "How to stop a crane", steps: ["press", "wait"] });
  await client.call("POST", "/api/v1/keys", { body: { label: "of the seed" } });
  await settle();
}

const POSTS: readonly (readonly [path: string, body: object])[] = [
  [SEARCH, { tenant_id: TENANT, query: "who repairs cranes in Porto Norte?", diagnostic: true, top_k: 20 }],
  [SEARCH, { tenant_id: TENANT, query: "berth 7", top_k: 20 }],
  ["/api/v1/documents/search", { tenant_id: TENANT, query: "stop a crane" }],
];
const GETS = [
  `${MEMORIES}?limit=500&include_deleted=true`,
  `${MEMORIES}/stats`,
  `${MEMORIES}/count`,
  "/api/v1/entities?tenant_id=default",
  "/api/v1/graph?tenant_id=default",
  "/api/v1/documents?tenant_id=default&collection=runbooks",
  "/api/v1/audit-log?limit=200",
  "/api/v1/keys",
  "/api/v1/agents?tenant_id=default",
  "/api/v1/fleets",
  "/api/v1/settings?tenant_id=default",
  "/api/v1/stats",
];

/** What a server answers to all that reads; searches come last, for they are counted. */
async function answersOf(client: Client): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const path of GETS) answers.push(await client.ok(z.unknown(), "GET", path));
  for (const [path, body] of POSTS) answers.push(await client.ok(z.unknown(), "POST", path, { body }));
  return answers.map((answer) => {
    // How long something took is not what is stored.
    return JSON.parse(JSON.stringify(answer, (name, value) => (/(?:^|_)ms$/.test(name) ? 0 : value)));
  });
}

/** One of everything that a test may do to a server. */
async function change({ client, settle }: InProcess, round: number): Promise<void> {
  const api = memoriesApi(client);
  const [first, second, third] = (await api.list()).items;
  await api.bulk(Array.from({ length: 30 }, (_, i) => ({ content: `Crane ${i} of round ${round} stands idle.` })));
  await api.write({ content: `Carla Dias repairs the cranes of Porto Norte since ${2000 + round}.` });
  await api.remove(first?.id ?? "");
  await client.call("PATCH", `${MEMORIES}/${second?.id}?tenant_id=default`, { body: { content: aStatement() } });
  await client.call("POST", `${MEMORIES}/${third?.id}/correct`, { body: { content: aStatement() } });
  await documentsApi(client).put("runbooks", "crane", { summary: `Another text ${round}` });
  await documentsApi(client).put("others", "one", { summary: aStatement() });
  await client.call("POST", "/api/v1/keys", { body: { label: `of round ${round}` } });
  await client.call("GET", "/api/v1/integrity");
  await settle();
  await api.search("cranes that stand idle");
  // The last writes leave jobs behind.
  await api.bulk([{ content: `Nobody has read this of round ${round}.` }]);
}

inMemory.test("after a restore everything is answered as it was, ids included, as often as one goes back", async () => {
  const server = await open({ clock: fakeClock() });
  await seed(server);
  const { bytes, memories } = await take(server.client);
  expect(memories).toBe(SEEDED.length + 1);
  expect(bytes).toBeGreaterThan(100_000);
  const before = await answersOf(server.client);
  for (let round = 0; round < 3; round++) {
    await change(server, round);
    expect(await answersOf(server.client)).not.toEqual(before);
    expect(await restore(server.client)).toMatchObject({ bytes, memories });
    expect(await answersOf(server.client)).toEqual(before);
    await server.settle();
    expect(await server.client.ok(IntegrityReport, "GET", "/api/v1/integrity")).toMatchObject({ ok: true });
  }
});

inMemory.test("a restored server takes in more than it ever held, and finds it", async () => {
  const server = await open();
  await seed(server);
  await take(server.client);
  await restore(server.client);
  const api = memoriesApi(server.client);
  for (let i = 0; i < 5; i++)
    await api.bulk(Array.from({ length: 100 }, (_, j) => ({ content: `Container ${i}-${j} is blue.` })));
  await server.settle();
  expect(await api.count()).toBe(SEEDED.length + 1 + 500);
  expect(contentsOf(await api.search("container 4-77", { top_k: 1 }))).toEqual(["Container 4-77 is blue."]);
  expect(await server.client.ok(IntegrityReport, "GET", "/api/v1/integrity")).toMatchObject({ ok: true });
});

inMemory.test("an Idempotency-Key, a run of a check and the budget of calls of before are forgotten", async () => {
  const { client } = await open({ flags: ["--rate-writes=3"], clock: fakeClock() });
  await take(client);
  await client.call("GET", "/api/v1/integrity");
  const headers = { "Idempotency-Key": "one" };
  expect((await client.call("POST", MEMORIES, { body: aMemory(), headers })).status).toBe(201);
  await restore(client);
  const again = await client.call("POST", MEMORIES, { body: aMemory(), headers });
  expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([201, null]);
  expect(await client.ok(IntegrityRunState, "GET", "/api/v1/integrity/run")).toEqual({ run: null });
  for (let i = 0; i < 2; i++) expect((await client.call("POST", MEMORIES, { body: aMemory() })).status).toBe(201);
  expect((await client.call("POST", MEMORIES, { body: aMemory() })).status).toBe(429);
});

inMemory.describe("recurring jobs", () => {
  test("keep their time, and are not hastened as at a start", async () => {
    const clock = fakeClock();
    const { app, client, settle } = await open({ clock });
    await ensureRecurring(app.services);
    await settle();
    await take(client);
    const due = await app.services.storage.jobs.nextDue();
    expect(due).toBeGreaterThan(clock.now());
    clock.advance(1_000);
    await restore(client);
    await settle();
    expect(await app.services.storage.jobs.nextDue()).toBe(due);
  });

  test("are queued again where the snapshot is older than they are", async () => {
    const { app, client } = await open();
    await take(client);
    app.listen();
    while ((await app.services.storage.jobs.nextDue()) === null) await Bun.sleep(5);
    await restore(client);
    while ((await app.services.storage.jobs.nextDue()) === null) await Bun.sleep(5);
  });
});

/** An embedder that answers only when it is let to. */
function heldEmbedder() {
  const asked = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  let isHolding = false;
  const held = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isHolding) {
      asked.resolve();
      await free.promise;
    }
    return work();
  };
  const base = hashEmbedder();
  const embedder: Embedder = {
    ...base,
    embed: (...given) => held(() => base.embed(...given)),
    embedTurns: (...given) => held(() => base.embedTurns(...given)),
  };
  return {
    embedder,
    asked: asked.promise,
    hold: () => {
      isHolding = true;
    },
    release: () => {
      isHolding = false;
      free.resolve();
    },
  };
}

inMemory.describe("what is in hand while everything is put back", () => {
  test("a job stores nothing any more, and those after it go on", async () => {
    const { embedder, asked, hold, release } = heldEmbedder();
    const server = await open({ embedder });
    await seed(server);
    await take(server.client);
    const api = memoriesApi(server.client);
    await api.bulk([{ content: "This is read while all is put back." }]);
    hold();
    const draining = server.app.runner.drain().catch((error: unknown) => error);
    await asked;
    await restore(server.client);
    expect(await draining).toMatchObject({ code: "CONFLICT" });
    release();
    expect(await api.count()).toBe(SEEDED.length + 1);
    await api.bulk([{ content: "This is read after it." }]);
    await server.settle();
    expect(contentsOf(await api.search("this is read", { top_k: 5 }))).toContain("This is read after it.");
    expect(await api.count()).toBe(SEEDED.length + 2);
    expect(await server.client.ok(IntegrityReport, "GET", "/api/v1/integrity")).toMatchObject({ ok: true });
  });

  test("a request is refused, and stores nothing", async () => {
    const { embedder, asked, hold, release } = heldEmbedder();
    const { client } = await open({ embedder });
    await take(client);
    hold();
    const written = client.call("POST", MEMORIES, { body: aMemory() });
    await asked;
    await restore(client);
    release();
    expect(await written).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } });
    expect(await memoriesApi(client).count()).toBe(0);
  });

  test("a check ends with a refusal", async () => {
    const server = await open();
    await memoriesApi(server.client).bulk(Array.from({ length: 100 }, () => ({ content: aStatement() })));
    await server.settle();
    await take(server.client);
    const { indexes } = server.app.services.storage;
    const checking = indexes.inspect(null, () => {}).catch((error: unknown) => error);
    await restore(server.client);
    expect(await checking).toMatchObject({ code: "CONFLICT" });
  });
});

describe("no snapshot", () => {
  inMemory.test("is taken while jobs are left", async () => {
    const { client } = await open();
    await memoriesApi(client).bulk([{ content: aStatement() }]);
    const { status, body } = await client.refused("POST", TAKE);
    expect({ status, body }).toMatchObject({ status: 409, body: { error: { details: { reason: "jobs_left" } } } });
  });

  test("is gone back to before one was taken", async () => {
    const { client } = await open();
    expect(refusalOf(await client.refused("POST", RESTORE))).toEqual([409, "CONFLICT"]);
  });

  test("is there where a folder keeps the data", async () => {
    const folder = temporaryFolder();
    const { app, client } = await openApp({ folder: folder.path });
    for (const path of [TAKE, RESTORE])
      expect(refusalOf(await client.refused("POST", path))).toEqual([409, "CONFLICT"]);
    await app.stop();
    folder.remove();
  });

  test("is for anybody but the owner of the machine", async () => {
    const { client } = await open();
    const other = await holder(client, { admin: true });
    for (const path of [TAKE, RESTORE])
      expect(refusalOf(await other.refused("POST", path))).toEqual([403, "ADMIN_REQUIRED"]);
  });
});
