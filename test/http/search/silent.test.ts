import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { BackupState } from "../../../src/core/schema/keeping/backup.ts";
import { SimilarReply } from "../../../src/core/schema/memory-query.ts";
import { MemoryMap } from "../../../src/core/schema/observing/map.ts";
import { WhyNotReply } from "../../../src/core/schema/observing/why-not.ts";
import { restoreStorage } from "../../../src/storage/open.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { forgeApi } from "../../support/api/forge.ts";
import { contentsOf, MEMORIES, memoriesApi, WHY_NOT } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import { unreadingEmbedder } from "../../support/other-embedder.ts";
import { onSqlite } from "../../support/postgres/engine.ts";

// Texts of which the model makes nothing: they are found by their words, and alike to nothing.
const GREETING = "ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ ⵜⴰⵎⴰⵣⵉⵖⵜ";
const BREAD = "ⴰⵎⴰⵏ ⴷ ⵓⵖⵔⵓⵎ";
const FERRY = "The night ferry leaves from the northern pier at a quarter past eleven.";
const CANTEEN = "Lunch is served in the canteen beside the gate.";

const opened: InProcess[] = [];
async function open(...contents: readonly string[]) {
  const clock = fakeClock();
  const app = await openApp({ clock, embedder: unreadingEmbedder() });
  opened.push(app);
  const api = memoriesApi(app.client);
  const ids = new Map<string, string>();
  for (const content of contents) ids.set(content, (await api.write({ content })).id);
  await app.settle();
  return { ...app, clock, api, idOf: (content: string) => ids.get(content) ?? expect.unreachable("No such row.") };
}
afterAll(() => Promise.all(opened.map(({ app }) => app.stop())));

describe("memories", () => {
  let server: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    server = await open(GREETING, FERRY, BREAD, CANTEEN);
  });

  test("are found by their words alone, and say that they have no vector", async () => {
    const { api, idOf } = server;
    expect(contentsOf(await api.search("ⵜⴰⵎⴰⵣⵉⵖⵜ"))).toEqual([GREETING]);
    const worded = await api.search("what does ⵜⴰⵎⴰⵣⵉⵖⵜ say about the ferry?", { diagnostic: true, top_k: 20 });
    const candidate = worded.diagnostic?.all_candidates.find(({ id }) => id === idOf(GREETING));
    expect(candidate).toMatchObject({ has_embedding: false, vec_sim: null });
    expect(candidate?.why).toContain("not compared in meaning");
    const { items, warnings, diagnostic } = await api.search("which pier does the ferry leave from at night?", {
      diagnostic: true,
      top_k: 20,
    });
    expect(items.map(({ content }) => content)).not.toContain(GREETING);
    expect(warnings ?? []).toEqual([]);
    expect(JSON.stringify(diagnostic)).not.toContain(idOf(GREETING));
    expect(await api.get(idOf(GREETING))).toMatchObject({ embedding_preview: null, embedding_stats: null });
  });

  test("are missed by a question in other words because the model cannot read them", async () => {
    const { client, idOf } = server;
    const body = { tenant_id: TENANT, query: "what is served at the gate?", memory_id: idOf(BREAD) };
    const { checks, stage, returned } = await client.ok(WhyNotReply, "POST", WHY_NOT, { body });
    expect([stage, returned]).toEqual(["vector", false]);
    expect(checks.at(-1)?.detail).toStartWith("The model cannot read it, so that its words alone can find it: ");
  });

  test("are similar to none, and none is to them", async () => {
    const { client, idOf } = server;
    const similar = (content: string) => client.ok(SimilarReply, "GET", `${MEMORIES}/${idOf(content)}/similar`);
    expect(await similar(GREETING)).toEqual({ memory_id: idOf(GREETING), searchable: false, items: [] });
    expect(await similar(FERRY)).toMatchObject({ searchable: true, items: [] });
  });

  test("are duplicates of none that says the same in other signs", async () => {
    const { api } = server;
    const written = await api.write({ content: `${BREAD}!`, write_mode: "strong" });
    await api.remove(written.id);
  });
});

test("a summary has the sentence that holds the words of the question, though the model cannot read it", async () => {
  const others = ["pump", "crane", "quay", "sluice"].map((what) => `The harbour ${what} is painted again in spring.`);
  const { api } = await open(...others, GREETING);
  const asked = "which harbour keeper says ⵜⴰⵎⴰⵣⵉⵖⵜ ⴰⵣⵓⵍ?";
  const { memories, summary } = await api.recall(asked, { top_k: 10, min_score: 0, max_tokens: 16 });
  expect(memories).toHaveLength(others.length + 1);
  // One sentence has room.
  expect(summary).toContain(GREETING);
});

const tifinagh = (number: number): string =>
  String(number).replace(/\d/g, (digit) => "ⴰⴱⵛⴷⵉⴼⴳⵀⵊⴽ"[Number(digit)] ?? "");
/** Another text for each number, with no figure in it that two of them could differ in. */
const unreadable = (number: number): string => [number, 3 * number, 7 * number].map(tifinagh).join(" ");

test("a map leaves them out, counts them, and goes on behind them", async () => {
  const { client, api, settle, clock, idOf } = await open(FERRY, CANTEEN);
  clock.advance(60_000);
  for (const first of [1_000, 2_000])
    await api.bulk(Array.from({ length: 70 }, (_, i) => ({ content: unreadable(first + i) })));
  await settle();
  const map = (limit: number) => client.ok(MemoryMap, "GET", `${MEMORIES}/map`, { query: { limit } });
  const { points, left_out } = await map(50);
  expect(points.map(({ id }) => id)).toEqual([idOf(CANTEEN), idOf(FERRY)]);
  expect(left_out).toEqual({ without_vector: 140, beyond_limit: 0 });
});

const { test: inFile } = onSqlite("a backup is of a file");
const root = temporaryFolder();
afterAll(root.remove);

inFile("what is restored from a backup is sound, and waits for no vector", async () => {
  const embedder = unreadingEmbedder();
  const before = await openApp({ folder: join(root.path, "before"), embedder });
  await memoriesApi(before.client).bulk([GREETING, FERRY].map((content) => ({ content })));
  await before.settle();
  const path = "/api/v1/admin/backups";
  let { run } = await before.client.ok(BackupState, "POST", path, { body: {} });
  while (run?.state === "running") {
    await Bun.sleep(5);
    ({ run } = await before.client.ok(BackupState, "GET", path));
  }
  await before.app.stop();
  const folder = join(root.path, "restored");
  await restoreStorage({ file: run?.backup?.file ?? "", folder, stamp: "now", cacheDir: folder });
  const after = await openApp({ folder, embedder: unreadingEmbedder() });
  opened.push(after);
  const { checks } = await after.client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  const api = memoriesApi(after.client);
  expect(contentsOf(await api.search("ⵜⴰⵎⴰⵣⵉⵖⵜ"))).toEqual([GREETING]);
  const { items, warnings } = await api.search("which pier does the ferry leave from at night?");
  expect([items.map(({ content }) => content), warnings ?? []]).toEqual([[FERRY], []]);
});

test("documents are found by their words alone", async () => {
  const { client, settle } = await open();
  const api = documentsApi(client);
  await api.put("notes", "greeting", { summary: GREETING });
  await api.put("notes", "ferry", { summary: FERRY });
  await settle();
  const found = async (query: string) => (await api.search(query)).items.map(({ doc_id }) => doc_id);
  expect(await found("from which pier does the ferry leave?")).toEqual(["ferry"]);
  expect((await found("ⵜⴰⵎⴰⵣⵉⵖⵜ"))[0]).toBe("greeting");
});

test("runs that nobody can read are not taken for one procedure", async () => {
  const { client, settle, clock } = await open();
  const forge = forgeApi(client, clock);
  await forge.enable();
  // Two by two they share some words, too few to be of one procedure by these.
  const rowOf = (run: number, row: number): string => {
    const pair = 1_000 * (run >> 1) + 10 * row;
    const own = Array.from({ length: 12 }, (_, word) => 10_000 + 1_000 * run + 100 * row + word);
    return [pair, pair + 1, ...own].map(tifinagh).join(" ");
  };
  const runs = [0, 1, 2, 3, 4, 5].map((run) => ({
    run_id: `run-${run}`,
    agent_id: `agent-${run}`,
    rows: [1, 2, 3, 4, 5].map((row) => rowOf(run, row)),
  }));
  await forge.write(runs, { metadata: { outcome: "success" } });
  await forge.trigger();
  await settle();
  expect(await forge.last()).toMatchObject({ traces: 6, successes: 6, clusters: [], error: null });
});
