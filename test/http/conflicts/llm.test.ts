import { afterAll, expect, test } from "bun:test";
import { openAiLlm } from "../../../src/ai/llm/openai.ts";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Judge } from "../../../src/core/ports/judge.ts";
import { contradictionsApi } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
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
const older = "Whoever sings in the choir meets in the cellar.";
const newer = "Singers of the choir have been gathering under the roof lately.";

/** A judge that gives every pair the same score. */
const aJudge = (score: number): Judge => ({
  id: "a-judge",
  state: () => ({ phase: "ready" }),
  score: async (pairs) => pairs.map(() => ({ clash: score, replaced: 0.5 })),
});

/** Two statements of which nothing is found without a judge, written and looked at. */
async function look(score: number) {
  // An app that stops closes the model it was given.
  const llm = openAiLlm({ base_url: server.url, model: "some-model", limits: { backoff_ms: 1 } });
  const { app, client, settle } = await openApp({ embedder: hashEmbedder(), judge: aJudge(score), llm });
  const { write, contradictions } = contradictionsApi(client);
  const first = await write(older);
  const second = await write(newer);
  await settle();
  const found = await contradictions(second.id);
  const { status: became } = await memoriesApi(client).get(first.id);
  await app.stop();
  return { found, became };
}

test("a pair that the judge is unsure of is decided by a language model where there is one", async () => {
  server.script(saysJson(UPDATE));
  const { found, became } = await look(0.5);
  expect(became).toBe("outdated");
  expect(found.contradictions).toMatchObject([
    {
      rule: "language_model",
      confidence: 0.9,
      spans: { own: { text: "gathering under the roof lately" } },
    },
  ]);
});

test.each([
  ["calls it a conflict", { ...UPDATE, kind: "conflict" }, "conflicted" as const],
  ["sees no clash", { ...UPDATE, kind: "none", contradicts: false }, "active" as const],
  ["is not sure", { ...UPDATE, confidence: 0.5 }, "active" as const],
])("where the model %s, so be it", async (_, answer, became) => {
  server.script(saysJson(answer));
  expect((await look(0.5)).became).toBe(became);
  expect(server.heard).toHaveLength(1);
});

test("it is not asked about pairs that the judge sees no clash in", async () => {
  server.script(saysJson(UPDATE));
  expect((await look(0.1)).became).toBe("active");
  expect(server.heard).toEqual([]);
});

test("nothing lacks when it fails", async () => {
  server.script(status(500));
  const { found, became } = await look(0.5);
  expect(became).toBe("active");
  expect(found.checked_at).not.toBeNull();
});
