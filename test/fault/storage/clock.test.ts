import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Embedder } from "../../../src/core/ports/embedder.ts";
import { BulkResult, Memory } from "../../../src/core/schema/memory.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { SearchReply } from "../../../src/core/schema/retrieval.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { fakeClock } from "../../support/clock.ts";
import type { InProcess, InProcessOptions } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import { aFolder, cleanUp } from "../server.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);

afterAll(cleanUp);

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const opened: InProcess[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ app }) => app.stop()));
});

async function open(options: InProcessOptions): Promise<InProcess> {
  const app = await openApp(options);
  opened.push(app);
  return app;
}

const bulk = (about: string) => ({
  body: { tenant_id: "default", items: [1, 2, 3].map((i) => ({ content: `Row ${i} about ${about}.` })) },
});
const jobsOf = async ({ client }: InProcess) => (await client.ok(Status, "GET", "/api/v1/status")).jobs;
const pendingOf = async ({ client }: InProcess) => {
  const { items } = await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } });
  return items.filter(({ metadata }) => metadata?.embedding_pending === true).length;
};

/** The hash embedder, out of order until told otherwise. */
function mendable() {
  const real = hashEmbedder();
  let isBroken = true;
  const embed: Embedder["embed"] = async (texts, options) => {
    if (isBroken) throw new Error("out of order");
    return real.embed(texts, options);
  };
  const mend = () => {
    isBroken = false;
  };
  return { embedder: { ...real, embed }, mend };
}

for (const [name, backMs] of Object.entries({ "an hour": HOUR_MS, "a year": YEAR_MS })) {
  test(`work that waited when the clock was put back by ${name} is done at once, not ${name} later`, async () => {
    const clock = fakeClock();
    const app = await open({ clock });
    await app.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk("the harbour"));
    clock.advance(-backMs);
    await app.settle();
    expect(await jobsOf(app)).toMatchObject({ due: 0, failing: 0 });
    expect(await pendingOf(app)).toBe(0);
  });

  test(`work that backed off before the clock was put back by ${name} is tried again soon`, async () => {
    const clock = fakeClock();
    const { embedder, mend } = mendable();
    const app = await open({ clock, embedder });
    await app.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk("the harbour"));
    await app.settle();
    expect((await jobsOf(app))?.failing).toBe(1);
    mend();
    clock.advance(-backMs);
    await app.settle();
    expect(await jobsOf(app)).toMatchObject({ due: 0, failing: 0 });
    expect(await pendingOf(app)).toBe(0);
  });

  test(`work left by a process whose clock was ${name} ahead is done at the next start`, async () => {
    const folder = aFolder();
    const clock = fakeClock();
    clock.advance(backMs);
    const { embedder } = mendable();
    const before = await open({ clock, embedder, folder: folder });
    await before.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk("the harbour"));
    await before.settle();
    await before.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk("the bridge")); // Never tried.
    await before.app.stop();

    const after = await open({ clock: fakeClock(), folder: folder });
    expect(await pendingOf(after)).toBe(6);
    await after.settle();
    expect(await jobsOf(after)).toMatchObject({ due: 0, failing: 0 });
    expect(await pendingOf(after)).toBe(0);
  });
}

test("rows written before and after the clock was put back are all listed and found, each once", async () => {
  const clock = fakeClock();
  const app = await open({ clock });
  const ids: string[] = [];
  for (const step of [0, 1_000, -HOUR_MS, 5, -YEAR_MS, 0, 2 * YEAR_MS]) {
    clock.advance(step);
    const body = { tenant_id: "default", agent_id: "ann", content: `The lighthouse log, entry ${ids.length}.` };
    ids.push((await app.client.ok(Memory, "POST", "/api/v1/memories", { body })).id);
  }
  expect(new Set(ids).size).toBe(ids.length);
  clock.advance(-3 * YEAR_MS); // All rows now lie in the future.
  const walked: string[] = [];
  for (let cursor: string | null = "", pages = 0; cursor !== null && pages <= ids.length; pages++) {
    const query: Record<string, string | number> = { limit: 2, ...(cursor === "" ? {} : { cursor }) };
    const page: MemoryPage = await app.client.ok(MemoryPage, "GET", "/api/v1/memories", { query });
    walked.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect([...walked].sort()).toEqual([...ids].sort());
  const body = { tenant_id: "default", query: "lighthouse log", top_k: 20 };
  const { items } = await app.client.ok(SearchReply, "POST", "/api/v1/search", { body });
  expect(items.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const { score, score_parts } of items) {
    expect(score).toBeGreaterThan(0);
    expect(score_parts?.freshness).toBe(1); // No row is fresher than new.
  }
});

test("a clock put back neither lifts a rate limit nor makes it last", async () => {
  const clock = fakeClock();
  const app = await open({ clock, flags: ["--rate-searches=2"] });
  const search = async () => {
    const body = { tenant_id: "default", query: "anything" };
    return (await app.client.call("POST", "/api/v1/search", { body })).status;
  };
  expect([await search(), await search(), await search()]).toEqual([200, 200, 429]);
  clock.advance(-YEAR_MS);
  expect(await search()).toBe(429);
  clock.advance(1_000);
  expect([await search(), await search(), await search()]).toEqual([200, 200, 429]);
});

test("a clock that jumps ahead does not make a failing job spin", async () => {
  const clock = fakeClock();
  const { embedder } = mendable();
  let tries = 0;
  const counted: Embedder = {
    ...embedder,
    embed: (...args) => {
      tries++;
      return embedder.embed(...args);
    },
  };
  const app = await open({ clock, embedder: counted });
  await app.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk("the harbour"));
  await app.settle();
  const triesOfOneAttempt = tries;
  clock.advance(YEAR_MS);
  for (let i = 0; i < 5; i++) await app.settle();
  expect(tries).toBe(2 * triesOfOneAttempt);
});
