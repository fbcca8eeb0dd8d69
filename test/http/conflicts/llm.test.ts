import { afterAll, expect, test } from "bun:test";
import { openAiLlm } from "../../../src/ai/llm/openai.ts";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Judgement } from "../../../src/core/ports/judge.ts";
import { contradictionsApi } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
import { aPair, judgeBy } from "../../support/possible.ts";
import { saysJson, scriptedLlm, status } from "../../support/scripted-llm.ts";

const server = scriptedLlm();
afterAll(() => server.stop());

const UPDATE = {
  subject_older: "the choir",
  subject_newer: "the choir",
  same_subject: true,
  kind: "update",
  contradicts: true,
  confidence: 0.9,
};
/** Two statements of which nothing is found without a judge. */
const { older, newer, scores } = await aPair("Ebersbach");

/** The two, written and looked at by a judge that scores every pair alike, or without one. */
async function look(score: Judgement | null) {
  // An app that stops closes the model it was given.
  const llm = openAiLlm({ base_url: server.url, model: "some-model", limits: { backoff_ms: 1 } });
  const judging = score && { judge: judgeBy(() => score) };
  const { app, client, settle } = await openApp({ embedder: hashEmbedder(), llm, ...judging });
  const { write, contradictions } = contradictionsApi(client);
  const first = await write(older);
  const second = await write(newer);
  await settle();
  const found = await contradictions(second.id);
  const { status: became } = await memoriesApi(client).get(first.id);
  await app.stop();
  return { found, became };
}

test("a pair that may clash is decided by a language model where there is one", async () => {
  server.script(saysJson(UPDATE));
  const { found, became } = await look(scores.possible);
  expect(became).toBe("outdated");
  expect(found).toMatchObject({
    contradictions: [
      { rule: "language_model", confidence: 0.9, spans: { own: { text: "gathers under the roof of the town hall" } } },
    ],
    possible_conflicts: [],
  });
});

test.each([
  ["calls it a conflict", saysJson({ ...UPDATE, kind: "conflict" }), "conflicted", 1, 0],
  ["sees no clash", saysJson({ ...UPDATE, kind: "none", contradicts: false }), "active", 0, 0],
  ["is not sure of a clash", saysJson({ ...UPDATE, confidence: 0.5 }), "active", 0, 1],
  [
    "is not sure that there is none",
    saysJson({ ...UPDATE, kind: "none", contradicts: false, confidence: 0.5 }),
    "active",
    0,
    1,
  ],
  ["is at odds with itself", saysJson({ ...UPDATE, kind: "none" }), "active", 0, 1],
] as const)("where the model %s, so be it", async (_, answer, became, sure, possible) => {
  server.script(answer);
  const looked = await look(scores.possible);
  expect(looked.became).toBe(became);
  expect([looked.found.contradictions.length, looked.found.possible_conflicts.length]).toEqual([sure, possible]);
  expect(server.heard).toHaveLength(1);
});

test.each([
  ["sees no clash in", scores.nothing, "active", 0],
  ["is sure of", scores.sure, "conflicted", 0],
  ["finds a change of a part in", { ...scores.sure, whole: 0.05 }, "active", 1],
] as const)("it is not asked about a pair that the judge %s", async (_, score, became, possible) => {
  server.script(saysJson(UPDATE));
  const looked = await look({ ...score, replaced: 0.49 });
  expect([looked.became, looked.found.possible_conflicts.length]).toEqual([became, possible]);
  expect(server.heard).toEqual([]);
});

test.each([
  ["says that it does", UPDATE, "outdated"],
  ["sees no clash", { ...UPDATE, kind: "none", contradicts: false }, "active"],
  ["is not sure", { ...UPDATE, confidence: 0.5 }, "active"],
] as const)(
  "without a judge it alone says whether a pair clashes: where it %s, so be it",
  async (_, answer, became) => {
    server.script(saysJson(answer));
    const looked = await look(null);
    expect(looked.became).toBe(became);
    expect(looked.found.possible_conflicts).toEqual([]);
    expect(server.heard).toHaveLength(1);
  },
);

test("what may clash is told as such when it fails", async () => {
  server.script(status(500));
  const { found, became } = await look(scores.possible);
  expect(became).toBe("active");
  expect(found.possible_conflicts).toMatchObject([{ rule: "judge" }]);
  expect(found.checked_at).not.toBeNull();
});
