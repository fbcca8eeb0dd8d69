import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { idsOf, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(() => app.stop());
const api = memoriesApi(app.client);

beforeAll(async () => {
  const about = ["otters", "seals", "gulls", "crabs", "eels", "herons"];
  for (const animal of about) await api.write({ content: `The ${animal} live near the harbour wall.` });
  await api.write({ content: "Lunch is served at noon in the canteen.", status: "conflicted" });
});

const DIAGNOSTIC_FIELDS =
  `retrieval_strategy top_k_requested min_similarity_applied min_score_applied candidates_considered returned
  excluded_below_min_similarity excluded_below_min_score excluded_by_top_k_trim search_params stages all_candidates entity_matches
  entity_match_declined`.split(/\s+/);

const STAGES = ["embed", "names", "candidates", "scoring", "superseded-by-newest", "placing", "shown"];

describe("the diagnostic of a search", () => {
  test("has every field of the interface, and adds up", async () => {
    const { items, diagnostic } = await api.search("otters", { diagnostic: true, top_k: 2 });
    expect(Object.keys(diagnostic ?? {}).sort()).toEqual([...DIAGNOSTIC_FIELDS].sort());
    expect(diagnostic).toMatchObject({
      retrieval_strategy: "hybrid",
      top_k_requested: 2,
      min_similarity_applied: 0,
      candidates_considered: 7,
      returned: 2,
      excluded_below_min_similarity: 0,
      excluded_by_top_k_trim: 5,
      entity_match_declined: false,
    });
    expect(items).toHaveLength(2);
    expect(diagnostic?.all_candidates).toHaveLength(7);
  });

  test("lists every candidate in order, says which were left out and why each stands where it stands", async () => {
    const { items, diagnostic } = await api.search("otters", { diagnostic: true, top_k: 2 });
    const candidates = diagnostic?.all_candidates ?? [];
    expect(candidates.slice(0, 2).map(({ id }) => id)).toEqual(idsOf({ items }));
    expect(candidates.map(({ excluded }) => excluded)).toEqual([null, null, ...Array(5).fill("trimmed_by_top_k")]);
    const scores = candidates.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { why } of candidates) expect(why).not.toBe("");
    expect(candidates[0]).toMatchObject({ fts_match: true, has_embedding: true, score: items[0]?.score ?? null });
    expect(candidates[0]?.why).toContain("close in meaning");
  });

  test("tells which legs found a row, and what counted against it", async () => {
    const { diagnostic } = await api.search("lunch canteen", { diagnostic: true });
    const [first, second] = diagnostic?.all_candidates ?? [];
    expect([...(first?.pool_arms ?? [])].sort()).toEqual(["keyword", "vector"]);
    expect(first?.status_penalty).toBeLessThan(0);
    expect(second).toMatchObject({ fts_match: false, fts_score: 0, status_penalty: 0, pool_arms: ["vector"] });
  });

  test("gives what each signal adds, and nothing of those that say nothing", async () => {
    const { diagnostic } = await api.search("lunch canteen", { diagnostic: true });
    for (const { signals, run_pull, overtaken_loss, status_penalty } of diagnostic?.all_candidates ?? []) {
      for (const nats of Object.values(signals)) expect(nats).not.toBe(0);
      expect((signals.conflicted ?? 0) + (signals.overtaken ?? 0)).toBeCloseTo(status_penalty, 3);
      expect([run_pull, overtaken_loss]).toEqual([undefined, undefined]);
    }
    const [first, second] = diagnostic?.all_candidates ?? [];
    expect(first?.signals).toMatchObject({ conflicted: -2, words: expect.any(Number) });
    expect(Object.keys(second?.signals ?? {})).not.toContain("words");
  });

  test("says how long its stages took, in their order", async () => {
    const { diagnostic } = await api.search("otters", { diagnostic: true });
    const stages = diagnostic?.stages ?? [];
    expect(stages.map(({ name }) => name)).toEqual(STAGES);
    expect(stages.flatMap(({ parts = [] }) => parts.map(({ name }) => name))).toEqual(["vectors", "words", "rows"]);
    for (const { ms, parts = [] } of stages) {
      for (const one of [ms, ...parts.map((part) => part.ms)]) {
        expect(one).toBeWithin(0, 60_000);
        expect(Math.round(one * 100) / 100).toBe(one);
      }
      expect(parts.reduce((sum, part) => sum + part.ms, 0)).toBeLessThanOrEqual(ms + 0.05);
    }
    expect(diagnostic?.search_params.took_ms).toMatchObject({
      keyword: expect.any(Number),
      vector: expect.any(Number),
    });
  });

  test("counts what the floor keeps out, and names what bypasses it", async () => {
    const { items, diagnostic } = await api.search("otters", { diagnostic: true, min_similarity: 1 });
    expect(items).toHaveLength(1);
    expect(diagnostic).toMatchObject({
      min_similarity_applied: 1,
      returned: 1,
      excluded_below_min_similarity: 6,
      excluded_by_top_k_trim: 0,
    });
    const candidates = diagnostic?.all_candidates ?? [];
    expect(candidates[0]).toMatchObject({ excluded: null, fts_global_floor_bypass: true });
    expect(candidates.slice(1).every(({ excluded }) => excluded === "below_min_similarity")).toBe(true);
  });

  test("does not change what is found", async () => {
    const plain = await api.search("seals and gulls");
    const diagnosed = await api.search("seals and gulls", { diagnostic: true });
    expect(idsOf(diagnosed)).toEqual(idsOf(plain));
    expect(plain.diagnostic).toBeNull();
  });

  test("never counts as a recall", async () => {
    for (let i = 0; i < 3; i++) {
      const reply = await api.search("otters", { diagnostic: true, caller_agent_id: "ada" });
      expect(reply.recall_tracked).toBe(false);
      await api.recall("otters", { diagnostic: true, caller_agent_id: "ada" });
    }
    await app.settle();
    const { items } = await api.list();
    expect(items.map(({ recall_count }) => recall_count)).toEqual(items.map(() => 0));
  });
});

test("the diagnostic of a recall has every field of the interface", async () => {
  const { diagnostic, memories } = await api.recall("otters", { diagnostic: true, top_k: 3 });
  const fields = `recall_prompt recall_raw recall_model recall_provider all_candidates top_k_used retrieval_strategy
    min_score_applied excluded_below_min_score search_params stages entity_matches entity_match_declined`.split(/\s+/);
  expect(Object.keys(diagnostic ?? {}).sort()).toEqual([...fields].sort());
  expect(diagnostic).toMatchObject({
    top_k_used: 3,
    retrieval_strategy: "hybrid",
    recall_provider: "local",
    recall_model: "extractive-v1",
  });
  expect(diagnostic?.stages.map(({ name }) => name)).toEqual([...STAGES, "summary"]);
  expect(diagnostic?.all_candidates.slice(0, 3).map(({ id }) => id)).toEqual(memories.map(({ id }) => id));
});
