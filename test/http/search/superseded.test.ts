import { afterAll, describe, expect, test } from "bun:test";
import { resolvePrincipal } from "../../../src/access/resolve.ts";
import type { DemotedStatus } from "../../../src/core/ports/finding.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import type { Memory, ScoreParts } from "../../../src/core/schema/memory.ts";
import { planSearch } from "../../../src/search/plan.ts";
import type { RankedHit } from "../../../src/search/rank.ts";
import { SIGNALS } from "../../../src/search/signals.ts";
import { placeHits } from "../../../src/search/successors.ts";
import { idsOf, memoriesApi } from "../../support/api/memories.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const { app, client } = await openApp({ clock });
afterAll(() => app.stop());
const api = memoriesApi(client);
const { storage } = app.services;

const rowOf = async (id: string): Promise<StoredMemory> => {
  const read_scope = { tenant_id: "default", agent_id: "ada", fleets: "all" } as const;
  return (await storage.memories.get({ tenant_id: "default", id }, read_scope)) ?? expect.unreachable("No such row.");
};

/** Says that the newer of two rows took the place of the older one. The detector itself never runs here. */
async function supersede(older: Memory, newer: Memory, status: DemotedStatus): Promise<void> {
  const rows = { older: await rowOf(older.id), newer: await rowOf(newer.id) };
  const spans = { older_span: { start: 0, end: 1 }, newer_span: { start: 0, end: 1 } };
  const finding = { ...rows, ...spans, status, rule: "told", confidence: 1, why: null };
  const check = { memory: rows.newer, claim: null, findings: [finding] };
  await storage.contradictions.record([check], { agent_id: null, auth_source: "detector" });
}

let topics = 0;
/** A word that no other test's rows have. */
const aTopic = (): string => `quux${String.fromCharCode(97 + topics++)}`;
const write = async (content: string, fields: object = {}): Promise<Memory> => {
  clock.advance(1_000);
  return api.write({ content, agent_id: "ada", ...fields });
};
/** Rows about one topic, the best match of its name first. */
async function about(topic: string, ...fields: readonly object[]): Promise<Memory[]> {
  const rows: Memory[] = [];
  for (const [i, one] of fields.entries()) {
    rows.push(await write(`${topic} ${`and more of it, `.repeat(i)} noted as number ${i}.`, one));
  }
  return rows;
}
const search = async (topic: string, fields: object = {}): Promise<Memory[]> =>
  (await api.search(topic, { top_k: 3, ...fields })).items;
const aHit = (memory: StoredMemory): RankedHit => ({
  hit: {
    memory,
    vec_sim: null,
    context_sim: null,
    own_words: 1,
    near_words: 0,
    opens_run: false,
    legs: [],
  },
  has_words: true,
  total: 0,
  score: 0.5,
  parts: ZERO_PARTS,
  shares: NO_SIGNALS,
  pull: 0,
  loss: 0,
  why: "",
});
// Safe: every signal is there.
const NO_SIGNALS = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as RankedHit["shares"];
const ZERO_PARTS: ScoreParts = {
  vec_sim: 0,
  fts_score: 0,
  freshness: 0,
  entity_boost: 0,
  recall_boost: 0,
  temporal_boost: 0,
  status_penalty: 0,
};
const row = (rows: readonly Memory[], i: number): Memory => rows[i] ?? expect.unreachable("There is no such row.");

describe("an outdated row", () => {
  test("is not in a default search, and its successor is", async () => {
    const topic = aTopic();
    const rows = await about(topic, {}, {});
    await supersede(row(rows, 0), row(rows, 1), "outdated");
    const items = await search(topic);
    expect(items.map(({ id }) => id)).not.toContain(row(rows, 0).id);
    expect(items.find(({ id }) => id === row(rows, 1).id)).toMatchObject({ injected: false });
  });

  test("asked for by its status comes below its successor, which is put in without a rank", async () => {
    const topic = aTopic();
    const rows = await about(topic, {}, {});
    await supersede(row(rows, 0), row(rows, 1), "outdated");
    const items = await search(topic, { status_filter: "outdated" });
    expect(idsOf({ items: items.slice(0, 2) })).toEqual([row(rows, 1).id, row(rows, 0).id]);
    expect(items[0]).toMatchObject({ injected: true, score: null, similarity: null, score_parts: null });
    expect(items[0]?.superseded_by).toMatchObject([{ old_memory_id: row(rows, 0).id, old_status: "outdated" }]);
    expect(items[1]?.score).toBeGreaterThan(0);
  });

  test("brings the live end of a chain, not what was overtaken in between", async () => {
    const topic = aTopic();
    const rows = await about(topic, {}, {}, {});
    await supersede(row(rows, 0), row(rows, 1), "outdated");
    await supersede(row(rows, 1), row(rows, 2), "outdated");
    const items = await search(topic, { status_filter: "outdated", top_k: 2 });
    expect(idsOf({ items })).toEqual([row(rows, 2).id, row(rows, 0).id, row(rows, 1).id]);
  });

  test("brings at most as many rows as were asked for", async () => {
    const topic = aTopic();
    const rows = await about(topic, {}, {}, {}, {});
    for (const newer of rows.slice(1)) await supersede(row(rows, 0), newer, "outdated");
    const items = await search(topic, { status_filter: "outdated", top_k: 1 });
    expect(items).toHaveLength(2);
    expect(items.map(({ injected }) => injected)).toEqual([true, false]);
  });

  test("brings no successor that the reader must not see, that has expired, or that is not live", async () => {
    const topic = aTopic();
    const [old, secret, expired, archived] = await about(
      topic,
      { visibility: "scope_agent" },
      { visibility: "scope_agent" },
      { expires_at: new Date(clock.now() + 60_000).toISOString() },
      {},
    );
    if (!old || !secret || !expired || !archived) return expect.unreachable();
    for (const newer of [secret, expired, archived]) await supersede(old, newer, "outdated");
    clock.advance(120_000);
    const query = { tenant_id: "default" };
    await client.call("PATCH", `/api/v1/memories/${archived.id}`, { query, body: { status: "archived" } });
    const asAda = await search(topic, { status_filter: "outdated", caller_agent_id: "ada", top_k: 1 });
    expect(idsOf({ items: asAda })).toEqual([secret.id, old.id]);
    expect(await search(topic, { status_filter: "outdated", top_k: 1 })).not.toContainEqual(
      expect.objectContaining({ id: secret.id }),
    );
  });
});

test("a successor that ranks lower moves up, right above the outdated row", async () => {
  const topic = aTopic();
  const rows = await about(topic, {}, {}, {});
  const [best, middle, last] = [row(rows, 0), row(rows, 1), row(rows, 2)];
  await supersede(best, last, "outdated");
  const body = { tenant_id: "default", query: topic, top_k: 3 };
  const ctx = { ...app.services, principal: await resolvePrincipal(app.services, new Headers()) };
  const hits = await Promise.all([best, middle, last].map(async ({ id }) => aHit(await rowOf(id))));
  const { returned: placed } = await placeHits(ctx, await planSearch(ctx, { body, ignored: [] }), {
    hits,
    changed: new Map(),
  });
  expect(placed.map(({ memory, ranked }) => [memory.id, ranked?.hit.memory.id])).toEqual(
    [last, best, middle].map(({ id }) => [id, id]),
  );
});

describe("a conflicted row", () => {
  test("is left out where a newer row answers, and makes room for the next", async () => {
    const topic = aTopic();
    const rows = await about(topic, {}, {}, {}, {});
    const before = idsOf({ items: await search(topic) });
    const [first, second] = [before[0], before[1]].map((id) => rows.find((one) => one.id === id));
    if (!first || !second) return expect.unreachable();
    await supersede(first, second, "conflicted");
    const reply = await api.search(topic, { top_k: 3, diagnostic: true });
    const fourth = rows.find(({ id }) => !before.includes(id));
    expect(idsOf(reply).sort()).toEqual([...before.slice(1), fourth?.id ?? ""].sort());
    const excluded = reply.diagnostic?.all_candidates.find(({ id }) => id === first.id)?.excluded;
    expect(excluded === "answered_by_successor" || excluded === "trimmed_by_top_k").toBe(true);
    expect(reply.items.every(({ injected }) => !injected)).toBe(true);
  });

  test("stays where nothing newer answers, below its successor, which is put in", async () => {
    const topic = aTopic();
    const [old] = await about(topic, {});
    const other = await write("Something said of it in words that share nothing at all.");
    if (!old) return expect.unreachable();
    await supersede(old, other, "conflicted");
    const items = await search(topic, { top_k: 1 });
    expect(items.map(({ id, injected }) => [id, injected])).toEqual([
      [other.id, true],
      [old.id, false],
    ]);
  });

  test("brings its successor whatever that scores, where it reaches the floor itself", async () => {
    const topic = aTopic();
    const [old] = await about(topic, {});
    const other = await write("Something else said of it in words that share nothing at all.");
    if (!old) return expect.unreachable();
    const [best] = await search(topic);
    expect(best?.id).toBe(old.id);
    await supersede(old, other, "conflicted");
    const score = (await search(topic)).find(({ id }) => id === old.id)?.score ?? Number.NaN;
    expect(idsOf({ items: await search(topic, { min_score: score }) })).toEqual([other.id, old.id]);
    expect(await search(topic, { min_score: score + 0.0001 })).toEqual([]);
  });

  test("is what it was again where its successor is withdrawn", async () => {
    const topic = aTopic();
    const [old, newer] = await about(topic, {}, {});
    if (!old || !newer) return expect.unreachable();
    await supersede(old, newer, "conflicted");
    const query = { tenant_id: "default" };
    await client.call("PATCH", `/api/v1/memories/${newer.id}`, { query, body: { status: "archived" } });
    const found = (await search(topic)).filter(({ id }) => id === old.id || id === newer.id);
    expect(found.map(({ id, injected, status }) => [id, injected, status])).toEqual([[old.id, false, "active"]]);
  });
});

describe("a row put in", () => {
  test("is summed up with the others by a recall, and not counted as recalled", async () => {
    const topic = aTopic();
    const rows = await about(topic, {}, {});
    const [old, newer] = [row(rows, 0), row(rows, 1)];
    await supersede(old, newer, "outdated");
    const recalled = await api.recall(topic, { status_filter: "outdated", top_k: 1, caller_agent_id: "ada" });
    expect(idsOf({ items: recalled.memories })).toEqual([newer.id, old.id]);
    expect(recalled.memory_count).toBe(2);
    expect(recalled.summary).toContain(newer.id);
    await new Promise<void>((resolve) => app.services.afterReply(async () => resolve()));
    expect([(await api.get(newer.id)).recall_count, (await api.get(old.id)).recall_count]).toEqual([0, 1]);
  });

  test("is counted by the diagnostic among the returned, and every other hit has its reason", async () => {
    const topic = aTopic();
    const rows = await about(topic, {}, {});
    await supersede(row(rows, 0), row(rows, 1), "outdated");
    const reply = await api.search(topic, { status_filter: "outdated", top_k: 1, diagnostic: true });
    const { diagnostic, items } = reply;
    expect(diagnostic?.returned).toBe(items.length);
    const excluded = diagnostic?.all_candidates.filter((one) => one.excluded !== null).length ?? -1;
    expect(diagnostic?.candidates_considered).toBe(excluded + items.filter(({ injected }) => !injected).length);
  });
});
