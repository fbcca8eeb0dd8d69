import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelFolder } from "../../src/ai/models/files.ts";
import { JUDGE_MODEL, openModels } from "../../src/ai/open.ts";
import { QUEUE_MAX_INPUTS } from "../../src/ai/worker/dispatcher.ts";
import type { Judge, StatementPair } from "../../src/core/ports/judge.ts";
import type { Models } from "../../src/core/ports/keeping/reembedding.ts";
import { PASSAGE } from "./contract.ts";

const open = (modelsRoot?: string): Models => openModels("onnx", { cacheDir: tmpdir(), modelsRoot });

const judgeOf = ({ judge }: Models): Judge => judge ?? expect.unreachable("There is no judge.");

const CLASH: StatementPair = {
  older: "The staging database runs Postgres 14.",
  newer: "The staging database was upgraded to Postgres 16.",
};
const STRANGERS: StatementPair = {
  older: "The staging database runs Postgres 14.",
  newer: "Nadia prefers green tea in the afternoon.",
};

/** What a note may go on with. */
const COMPANY = `The team meets on Tuesdays to look at alerts. Nadia keeps the runbook and writes the weekly summary. Costs were
discussed in March without a decision. The dashboard shows queue depth, latency and errors by hour. Backups are copied to another
building each night. Two people are on call at a time, and hand over at nine in the morning. `;

describe("the judge", () => {
  let models: Models;
  beforeAll(() => {
    models = open();
  });
  afterAll(() => models.embedder.close());
  const score = async (...pairs: StatementPair[]) =>
    (await judgeOf(models).score(pairs)) ?? expect.unreachable("The judge could not be asked.");

  test("is loaded when it is first asked, beside the embedder", async () => {
    await models.embedder.ready();
    expect(judgeOf(models).state()).toEqual({ phase: "waiting" });
    const [scores, vectors] = await Promise.all([score(CLASH), models.embedder.embed(["both at once"], PASSAGE)]);
    expect([scores.length, vectors.length]).toEqual([1, 1]);
    expect(judgeOf(models).state()).toEqual({ phase: "ready" });
  });

  test("scores what replaces a statement high, and what has nothing to do with it low", async () => {
    const [clash, strangers] = await score(CLASH, STRANGERS);
    expect(clash?.clash).toBeGreaterThan(0.9);
    expect(clash?.replaced).toBeGreaterThan(0.5);
    expect(strangers?.clash).toBeLessThan(0.1);
  });

  test("gives a pair the same score whatever it is asked with", async () => {
    const [alone] = await score(CLASH);
    expect((await score(STRANGERS, CLASH, STRANGERS))[1]).toEqual(alone ?? expect.unreachable());
  });

  test("reads both of two long texts, the shorter one whole", async () => {
    const long = `${CLASH.older} ${COMPANY.repeat(8)}`;
    const scores = await score(
      { older: long, newer: CLASH.newer },
      { older: CLASH.older, newer: `${CLASH.newer} ${long.slice(CLASH.older.length)}` },
      { older: long, newer: STRANGERS.newer },
    );
    const [first = 0, swapped = 0, strangers = 1] = scores.map(({ clash }) => clash);
    expect(Math.min(first, swapped)).toBeGreaterThan(strangers);
  });

  test.each([
    ["empty", ""],
    ["of 20,000 characters", "lorem ipsum ".repeat(1_667)],
    ["with a NUL and lone surrogates", "a\u0000b \ud800 c \udc00"],
    ["with the model's own special tokens", "[CLS] [PAD] [SEP] [MASK] [UNK]"],
  ])("answers with a number from 0 to 1 for a text that is %s", async (_, text) => {
    const judged = await score({ older: text, newer: CLASH.newer }, { older: CLASH.older, newer: text });
    for (const found of judged.flatMap(({ clash, replaced }) => [clash, replaced])) {
      expect(found).toBeGreaterThanOrEqual(0);
      expect(found).toBeLessThanOrEqual(1);
    }
  });

  test("no pairs get no scores", async () => {
    expect(await score()).toEqual([]);
  });

  test("asked with an aborted signal rejects with its reason", async () => {
    const reason = new Error("The job was stopped.");
    await expect(judgeOf(models).score([CLASH], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("a judge that cannot be loaded", () => {
  const root = mkdtempSync(join(tmpdir(), "cairn-judge-"));
  afterAll(() => rmSync(root, { recursive: true }));

  test.each([
    ["is missing", () => {}, "manifest"],
    [
      "has a network that is cut short",
      (folder: string) => {
        cpSync(modelFolder(JUDGE_MODEL), folder, { recursive: true });
        truncateSync(join(folder, "onnx/model_quantized.onnx"), 1_000);
      },
      "bytes instead of",
    ],
  ])("because it %s answers null with the reason, and leaves the embedder alone", async (name, spoil, reason) => {
    const folder = join(root, name);
    cpSync(modelFolder("multilingual-e5-notes-v1"), join(folder, "multilingual-e5-notes-v1"), { recursive: true });
    spoil(join(folder, JUDGE_MODEL));
    const models = open(folder);
    const judge = judgeOf(models);
    expect(await judge.score([CLASH])).toBeNull();
    const state = judge.state();
    expect(state.phase === "failed" ? state.reason : state.phase).toContain(reason);
    expect(await judge.score([CLASH])).toBeNull();
    expect(await models.embedder.embed(["still here"], PASSAGE)).toHaveLength(1);
    await models.embedder.close();
  });
});

test("a judge that fails in passing throws, so that whoever asks may try again, but not for ever", async () => {
  const models = open();
  const judge = judgeOf(models);
  const tooMany = Array.from({ length: QUEUE_MAX_INPUTS.background + 1 }, () => CLASH);
  const fail = () => expect(judge.score(tooMany)).rejects.toThrow("wait for the model");
  await fail();
  expect(judge.state().phase).toBe("failed");
  expect(await judge.score([CLASH])).toHaveLength(1);
  expect(judge.state().phase).toBe("ready");
  for (let i = 0; i < 3; i++) await fail();
  expect(await judge.score(tooMany)).toBeNull();
  await models.embedder.close();
  expect(await judge.score([CLASH])).toBeNull();
});

test("without a model that embeds there is none that judges", () => {
  expect(openModels("hash", { cacheDir: tmpdir() }).judge).toBeNull();
});
