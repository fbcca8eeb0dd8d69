import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelFolder } from "../../src/ai/models/files.ts";
import { openModels } from "../../src/ai/open.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";
import type { Models } from "../../src/core/ports/keeping/reembedding.ts";
import { cosine, describeEmbedder, PASSAGE, QUERY } from "./contract.ts";

const open = (modelsRoot?: string): Models => openModels("onnx", { cacheDir: tmpdir(), modelsRoot });
const paraphraserOf = ({ secondaryDocumentEmbedder }: Models): Embedder =>
  secondaryDocumentEmbedder ?? expect.unreachable("There is no secondary embedder.");

const reasonOf = (asked: PromiseSettledResult<unknown> | undefined): string =>
  asked?.status === "rejected" ? String(asked.reason) : "It answered.";

describeEmbedder("the secondary embedder of documents", () => paraphraserOf(open()));

describe("the secondary embedder", () => {
  let models: Models;
  beforeAll(() => {
    models = open();
  });
  afterAll(() => models.embedder.close());

  test("reads beside the embedder, in vectors of its own", async () => {
    const text = "The lift stood still between two floors.";
    const [[second], [first]] = await Promise.all([
      paraphraserOf(models).embed([text], PASSAGE),
      models.embedder.embed([text], PASSAGE),
    ]);
    expect(Math.abs(cosine(first, second))).toBeLessThan(0.5);
  });

  test("puts a paraphrase nearer than a sentence that shares more of its words", async () => {
    const paraphraser = paraphraserOf(models);
    const [asked] = await paraphraser.embed(["people got stuck between two floors"], QUERY);
    const [meant, worded] = await paraphraser.embed(
      ["Three visitors were trapped in the lift", "The people of two cities got a new bridge between them"],
      PASSAGE,
    );
    expect(cosine(asked, meant)).toBeGreaterThan(cosine(asked, worded) + 0.1);
  });
});

describe("a secondary embedder that cannot be loaded", () => {
  const root = mkdtempSync(join(tmpdir(), "cairn-paraphraser-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const copyOf = (name: string): string => {
    const folder = join(root, name);
    cpSync(modelFolder("e5-small-v2"), join(folder, "e5-small-v2"), { recursive: true });
    return folder;
  };

  test("because it is missing is none, and the embedder works", async () => {
    const models = open(copyOf("missing"));
    expect(models.secondaryDocumentEmbedder).toBeNull();
    expect(await models.embedder.embed(["still here"], PASSAGE)).toHaveLength(1);
    await models.embedder.close();
  });

  test("because its network is cut short says so, is asked no more, and leaves the embedder alone", async () => {
    const folder = copyOf("short");
    const spoilt = join(folder, "minilm-l6-v2");
    cpSync(modelFolder("minilm-l6-v2"), spoilt, { recursive: true });
    truncateSync(join(spoilt, "onnx/model_quantized.onnx"), 1_000);
    const models = open(folder);
    const paraphraser = paraphraserOf(models);
    await paraphraser.ready();
    const both = [paraphraser.embed(["one"], PASSAGE), paraphraser.embed(["two"], QUERY)];
    for (const asked of await Promise.allSettled(both)) expect(reasonOf(asked)).toContain("bytes instead of");
    const state = paraphraser.state();
    expect(state.phase === "failed" ? state.reason : state.phase).toContain("bytes instead of");
    const [again] = await Promise.allSettled([paraphraser.embed(["three"], PASSAGE)]);
    expect(reasonOf(again)).toContain("bytes instead of");
    expect(models.embedder.state().phase).toBe("ready");
    expect(await models.embedder.embed(["still here"], PASSAGE)).toHaveLength(1);
    await models.embedder.close();
  });
});

test("without a model that embeds there is no secondary embedder", () => {
  expect(openModels("hash", { cacheDir: tmpdir() }).secondaryDocumentEmbedder).toBeNull();
});
