import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

// The model itself: what only meaning can find. Everything else is tested without it.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const api = memoriesApi(app.client);

/** Thirty memories of a working life, no two on one subject. */
const MEMORIES = `
  Anna moved to the platform team in spring and now owns the build pipeline.
  Our staging database is wiped every Sunday night.
  The customer in Osaka wants invoices in yen, printed on paper.
  Never restart the message broker while a migration is running.
  Tomás is allergic to peanuts, so check the menu before team dinners.
  The mobile app crashed on start because a certificate had expired.
  We chose PostgreSQL over MongoDB because the reports need joins.
  The office in Lyon has no parking; take the tram to the last stop.
  Passwords are rotated every ninety days by order of the security officer.
  Grace prefers short messages and answers before nine in the morning.
  The nightly export failed twice: the disk of the archive host was full.
  Interns get a laptop on their first day and a mentor for three months.
  The search page takes four seconds for customers with many orders.
  We promised Nordbank a fix for the rounding error by the end of June.
  The coffee machine on the third floor only accepts coins.
  Feature flags live in the config repository and need two reviews.
  Yuki speaks Japanese, Korean and a little Finnish.
  The old billing service still runs on a server under Karl's desk.
  Logs older than thirty days are deleted to save storage costs.
  The quarterly meeting was moved to a video call because of the strike.
  Use the blue badge for the laboratory, the green one opens nothing there.
  Marketing wants the new logo on every page before the fair in Hanover.
  The translation of the manual into Portuguese is done by an agency.
  Our error budget for this quarter was used up by the outage in February.
  Priya will be on parental leave from August to December.
  The printer driver breaks whenever the operating system is updated.
  Orders above ten thousand euros need a signature of the finance director.
  The test suite takes forty minutes; half of it is waiting for containers.
  Lena keeps the keys to the server room in the top drawer.
  Ticket ZX-4471 tracks the memory leak in the image resizer.`
  .trim()
  .split("\n")
  .map((line) => line.trim());

beforeAll(async () => {
  const { created } = await api.bulk(MEMORIES.map((content) => ({ content })));
  expect(created).toBe(30);
  await app.settle();
}, 180_000);

describe("a question that shares no significant term with its answer finds it first:", () => {
  test.each([
    ["Who should not be served nuts?", "Tomás is allergic"],
    ["Why did we pick a relational store?", "We chose PostgreSQL"],
    ["Which colleague will be away with a newborn?", "Priya will be on parental leave"],
    ["How do I get to the French branch by public transport?", "The office in Lyon"],
    ["How long are traces of program activity kept?", "Logs older than thirty days"],
    ["Whose approval does a big purchase require?", "Orders above ten thousand euros"],
  ])("%s", async (query, answer) => {
    const { items } = await api.search(query);
    expect(items[0]?.content).toStartWith(answer);
    expect(items[0]?.similarity).toBeGreaterThan(items[4]?.similarity ?? 1);
  });
});

describe("a name that means nothing to the model is found by its letters:", () => {
  test.each([
    ["ZX-4471", "Ticket ZX-4471"],
    ["Nordbank", "We promised Nordbank"],
    ["What about zx 4471?", "Ticket ZX-4471"],
  ])("%s", async (query, answer) => {
    const { items, diagnostic } = await api.search(query, { diagnostic: true });
    expect(items[0]?.content).toStartWith(answer);
    expect(diagnostic?.all_candidates[0]).toMatchObject({ fts_match: true });
    expect(diagnostic?.all_candidates[0]?.pool_arms).toContain("keyword");
  });
});

test("both legs bring candidates of their own", async () => {
  const { diagnostic } = await api.search("Karl's parking space", { diagnostic: true, top_k: 20 });
  const arms = (diagnostic?.all_candidates ?? []).map(({ pool_arms }) => [...pool_arms].sort().join("+"));
  expect(diagnostic?.retrieval_strategy).toBe("hybrid");
  expect(arms).toContain("keyword+vector");
  expect(arms).toContain("vector");
});

test("a recall answers with the sentence that answers", async () => {
  const { summary, memories } = await api.recall("Where are the keys of the server room?", { max_tokens: 30 });
  expect(memories[0]?.content).toStartWith("Lena keeps the keys");
  expect(summary).toContain("Lena keeps the keys to the server room in the top drawer.");
});

test("a vector of the model has its dimensions and is cleared of waiting", async () => {
  const { items } = await api.list({ limit: 1 });
  const { embedding_preview, embedding_stats, metadata } = await api.get(items[0]?.id ?? "");
  expect(embedding_preview).toHaveLength(20);
  expect(embedding_stats).toMatchObject({ dimensions: 384 });
  expect(embedding_stats?.non_zero).toBeGreaterThan(300);
  expect(metadata?.embedding_pending).toBeUndefined();
});
