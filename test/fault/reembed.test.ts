import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { IntegrityReport } from "../../src/core/schema/integrity.ts";
import type { ReembedRequest } from "../../src/core/schema/keeping/reembed.ts";
import { ReembedState } from "../../src/core/schema/keeping/reembed.ts";
import type { Client } from "../support/api/client.ts";
import { idsOf, memoriesApi } from "../support/api/memories.ts";
import { temporaryFolder } from "../support/app.ts";
import { openApp } from "../support/in-process.ts";
import { turnedEmbedder } from "../support/other-embedder.ts";
import { checkData, cleanUp, spawnServer } from "./server.ts";

/** Moments at which a process is killed, for each kind of order: REEMBED_KILLS=50 looks at so many. */
const KILLS = Number(process.env.REEMBED_KILLS ?? 3);
const ROWS = 60;
const SEED = 7;
setDefaultTimeout(120_000 + KILLS * 20_000);
const PATH = "/api/v1/admin/reembed";
const [OLD, NEW] = ["hash", "multilingual-e5-notes-v1"] as const;
const root = temporaryFolder();
afterAll(async () => {
  await cleanUp();
  root.remove();
});

const contentOf = (i: number): string => `Row ${i} of the ledger is about the ferry ${i * 7} and its crew.`;
const stateOf = (client: Client) => client.ok(ReembedState, "GET", PATH);

async function rested(client: Client): Promise<ReembedState> {
  for (;;) {
    const state = await stateOf(client);
    if (state.other?.state !== "building" && state.other?.state !== "dropping") return state;
    await Bun.sleep(10);
  }
}

async function expectSound(client: Client): Promise<void> {
  const { checks } = await client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
}

/** A number from 0 to 1, the same sequence each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Which embedder a start must name: once the file names its model, a start leaves that to it. */
function kindFor(folder: string): "hash" | "onnx" {
  const db = new Database(join(folder, "cairn.db"), { readonly: true });
  try {
    return db.query("select 1 from generations").get() === null ? "hash" : "onnx";
  } finally {
    db.close();
  }
}

const open = (folder: string) => spawnServer({ folder, embedder: kindFor(folder) });

/** Folders before a change, after one, and after one with rows that the model of before has not read. */
async function prepare() {
  const [before, after, since] = ["before", "after", "since"].map((name) => join(root.path, name));
  if (!before || !after || !since) throw new Error("There are three.");
  const first = await spawnServer({ folder: before });
  const rows = Array.from({ length: ROWS }, (_, i) => ({ content: contentOf(i) }));
  await memoriesApi(first.client).bulk(rows.slice(0, 25));
  await memoriesApi(first.client).bulk(rows.slice(25, 50));
  await memoriesApi(first.client).bulk(rows.slice(50));
  await first.terminate();
  cpSync(before, after, { recursive: true });
  const second = await open(after);
  await second.client.ok(ReembedState, "POST", PATH, { body: { model: NEW } });
  expect(await rested(second.client)).toMatchObject({ model: NEW, other: { model: OLD, state: "previous" } });
  await second.terminate();
  cpSync(after, since, { recursive: true });
  const third = await open(since);
  await memoriesApi(third.client).bulk(Array.from({ length: 20 }, (_, i) => ({ content: contentOf(ROWS + i) })));
  await third.terminate();
  return { before, after, since };
}

test("killed at any moment, a change of model is before, after, or on the way and goes on", async () => {
  const { before, after, since } = await prepare();
  const orders: readonly (readonly [string, ReembedRequest, from: string, to: string])[] = [
    [before, { model: NEW }, OLD, NEW],
    [since, { action: "rollback" }, NEW, OLD],
    [after, { action: "drop_old" }, NEW, NEW],
  ];
  const random = randomFrom(SEED);
  const seen: Record<string, number> = {};
  for (const [source, body, from, to] of orders) {
    const whole = join(root.path, `whole-${body.action ?? "begin"}`);
    cpSync(source, whole, { recursive: true });
    const timed = await open(whole);
    const startedAt = performance.now();
    await timed.client.ok(ReembedState, "POST", PATH, { body });
    await rested(timed.client);
    const takes = performance.now() - startedAt;
    await timed.terminate();

    for (let i = 0; i < KILLS; i++) {
      const folder = join(root.path, `${body.action ?? "begin"}-${i}`);
      cpSync(source, folder, { recursive: true });
      const server = await open(folder);
      // Not awaited: the reply may be what the process is killed before.
      const asked = server.client.call("POST", PATH, { body }).catch(() => null);
      await Bun.sleep(takes * 1.2 * random());
      await server.kill();
      await asked;

      const again = await open(folder);
      const state = await stateOf(again.client);
      const now = `${body.action ?? "begin"}: ${state.model} ${state.other?.state ?? "alone"}`;
      seen[now] = (seen[now] ?? 0) + 1;
      expect([from, to]).toContain(state.model);
      const end = await rested(again.client);
      if (end.model === from && from !== to) expect([undefined, "previous"]).toContain(end.other?.state);
      await expectSound(again.client);
      const found = await memoriesApi(again.client).search(contentOf(11), { top_k: 3 });
      expect(found.items[0]?.content).toBe(contentOf(11));
      await again.terminate();
      checkData(folder);
    }
  }
  if (process.env.REEMBED_KILLS !== undefined) console.log(JSON.stringify(seen));
});

test("while everything is read by another model, searches are answered as before, up to the change and after it", async () => {
  const { app, client } = await openApp({
    folder: join(root.path, "busy"),
    flags: ["--search-threads=1"],
    embedder: hashEmbedder(),
    otherEmbedders: [turnedEmbedder("turned-v1")],
  });
  app.listen();
  const api = memoriesApi(client);
  for (let from = 0; from < 300; from += 25)
    await api.bulk(Array.from({ length: 25 }, (_, i) => ({ content: contentOf(from + i) })));
  await app.runner.drain();
  while (app.services.searchThreads.count() === 0) await Bun.sleep(20);
  const questions = Array.from({ length: 5 }, (_, i) => contentOf(i * 50));
  const wanted = await Promise.all(questions.map(async (question) => idsOf(await api.search(question))));
  const searched = { before: 0, after: 0, otherwise: 0 };
  let isOver = false;
  const search = async (i: number): Promise<void> => {
    // Others have their turn as well, as they have between two requests of a socket.
    await Bun.sleep(0);
    const by = app.services.embedder.id;
    const found = idsOf(await api.search(questions[i] ?? ""));
    if (found.join() !== wanted[i]?.join()) searched.otherwise++;
    searched[by === "turned-v1" ? "after" : "before"]++;
  };
  const searching = questions.map(async (_, i) => {
    while (!isOver) await search(i);
  });
  await client.ok(ReembedState, "POST", PATH, { body: { model: "turned-v1" } });
  expect(await rested(client)).toMatchObject({ model: "turned-v1", other: { state: "previous" } });
  while (searched.after < 50 || app.services.searchThreads.count() === 0) await Bun.sleep(20);
  isOver = true;
  await Promise.all(searching);
  expect(searched.otherwise).toBe(0);
  expect(searched.before).toBeGreaterThan(5);
  await app.stop();
});
