import { afterAll, expect, test } from "bun:test";
import { toTimestamp } from "../../../src/core/kernel/clock.ts";
import { BulkResult } from "../../../src/core/schema/memory.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { contentsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { holder } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

// In this process jobs run only when a test settles: what is written in bulk stays without vectors as long as it wants.
const clock = fakeClock();
const app = await openApp({ clock });
afterAll(() => app.app.stop());
const { client } = app;
const api = memoriesApi(client);
const PENDING = "embedding_pending";

const warned = (reply: { warnings: { code: string; details?: unknown }[] | null }) =>
  (reply.warnings ?? []).filter(({ code }) => code === PENDING).map(({ details }) => details);
const jobs = async () => (await client.ok(Status, "GET", "/api/v1/status")).jobs;

test("search and recall tell how many rows within their reach still wait for their vectors, until none does", async () => {
  await api.bulk([{ content: "Nadia keeps bees." }, { content: "Nadia keeps goats." }], { agent_id: "nadia" });
  await api.bulk([{ content: "Otto keeps a diary of his own." }], { agent_id: "otto", visibility: "scope_agent" });
  expect(warned(await api.search("an animal farm"))).toEqual([{ pending: 2 }]);
  expect(warned(await api.recall("an animal farm"))).toEqual([{ pending: 2 }]);
  expect(warned(await api.search("a farm", { caller_agent_id: "otto" }))).toEqual([{ pending: 3 }]);
  expect(warned(await api.search("a farm", { filter_agent_id: "nadia", memory_type: "rule" }))).toEqual([]);
  expect(warned(await api.search("a farm", { filter_agent_id: "nadia" }))).toEqual([{ pending: 2 }]);
  await app.settle();
  expect(warned(await api.search("an animal farm"))).toEqual([]);
  expect(warned(await api.recall("an animal farm"))).toEqual([]);
});

test("a row that waits for its vector is found by each of its words at once", async () => {
  const content =
    "Ludmila's GPU-box (rack 7b) hums; naïve Güte to Αθήνα & Łódź, version 2.0.1-beta_3 costs 40€ on /dev/sdb1.";
  await api.bulk([{ content }]);
  for (const word of content.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)) {
    for (const asked of [word, word.toUpperCase()]) {
      const isFound = contentsOf(await api.search(asked, { top_k: 20 })).includes(content);
      expect([asked, isFound]).toEqual([asked, true]);
    }
  }
  await app.settle();
});

test("rows that wait are first for the word that they alone hold, before all that have their vectors", async () => {
  const topics = ["the boiler room", "a spare key", "the winter rota", "an old invoice", "the new badge reader"];
  const row = (i: number, word: string) => `Remember ${word} about ${topics[i % topics.length]}, item ${i}.`;
  const items = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => ({ content: row(i, `${name}${i}qx`) }));
  await api.bulk(items(60, "settled"));
  await app.settle();
  const waiting = items(50, "waiting");
  await api.bulk(waiting);
  const places: number[] = [];
  for (const [i, { content }] of waiting.entries()) {
    const found = contentsOf(await api.search(`what about waiting${i}qx?`, { top_k: 20 }));
    places.push(found.indexOf(content));
  }
  expect(places).toEqual(waiting.map(() => 0));
  await app.settle();
});

test("the status counts the jobs that are left, those in hand included, and the rows that wait", async () => {
  const none = { pending: 0, due: 0, running: 0, scheduled: 0, failing: 0 };
  const nobody = { embedding_pending: 0, understanding_pending: 0 };
  expect(await jobs()).toMatchObject({ ...none, ...nobody });
  await api.bulk([{ content: "One more row that waits." }]);
  const one = { pending: 2, embedding_pending: 1, understanding_pending: 1 };
  expect(await jobs()).toMatchObject({ ...none, ...one, due: 2 });
  const { storage } = app.app.services;
  const leased = await storage.jobs.claim(clock.now(), 60_000);
  expect(await jobs()).toMatchObject({ ...none, ...one, due: 1, running: 1 });
  await storage.jobs.retry(leased?.id ?? 0, clock.now() + 1, "not this time");
  expect(await jobs()).toMatchObject({ ...none, ...one, due: 1, scheduled: 1, failing: 1 });
  clock.advance(1);
  await app.settle();
  expect(await jobs()).toMatchObject({ ...none, ...nobody });
});

test("what is left of others' work is told to administrators of its tenant only", async () => {
  const statusFor = async (fields: object) => {
    const by = await holder(client, { tenant_id: "elsewhere", ...fields });
    return (await by.ok(Status, "GET", "/api/v1/status")).jobs;
  };
  await api.bulk([{ content: "Nobody elsewhere hears of this." }]);
  expect(await statusFor({ admin: true })).toMatchObject({ pending: 0, embedding_pending: 0 });
  expect(await statusFor({})).toBeNull();
  await app.settle();
});

test("a bulk write that waits answers when its rows are found by meaning", async () => {
  const body = { tenant_id: TENANT, items: [{ content: "A row that its writer waits for." }, { content: "x" }] };
  const written = client.ok(BulkResult, "POST", `${MEMORIES}/bulk`, { body, query: { wait: "searchable" } });
  const first = await Promise.race([written, Bun.sleep(200)]);
  expect(first).toBeUndefined();
  await app.settle();
  const { results } = await written;
  expect(results.map(({ status, embedding_pending }) => [status, embedding_pending])).toEqual([
    ["created", false],
    ["error", false],
  ]);
});

test("and when that takes too long, it answers with the rows that are not, marked so", async () => {
  const body = { tenant_id: TENANT, items: [{ content: "A row whose vector takes its time." }] };
  const written = client.ok(BulkResult, "POST", `${MEMORIES}/bulk`, { body, query: { wait: "searchable" } });
  await Bun.sleep(100);
  clock.advance(20_000);
  expect((await written).results).toMatchObject([{ status: "created", embedding_pending: true }]);
  expect(contentsOf(await api.search("vector takes time"))).toContain("A row whose vector takes its time.");
  await app.settle();
});

test("a wait for anything else is refused", async () => {
  const body = { tenant_id: TENANT, items: [{ content: `Now is ${toTimestamp(clock.now())}.` }] };
  const { status } = await client.call("POST", `${MEMORIES}/bulk`, { body, query: { wait: "forever" } });
  expect(status).toBe(422);
});
