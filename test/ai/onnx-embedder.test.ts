import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelFolder } from "../../src/ai/models/files.ts";
import { openEmbedder } from "../../src/ai/open.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";
import { cosine, describeEmbedder, PASSAGE, QUERY } from "./contract.ts";

const MODEL = "multilingual-e5-notes-v1";
const open = (modelsRoot?: string): Embedder =>
  openEmbedder("onnx", { cacheDir: tmpdir(), modelsRoot, cacheEntries: 10 });

describeEmbedder("the onnx embedder", open);

describe("the onnx embedder's model and queue", () => {
  let embedder: Embedder;
  beforeAll(() => {
    embedder = open();
  });
  afterAll(() => embedder.close());

  test("a request made while the model loads is answered", async () => {
    expect(embedder.state().phase).toBe("loading");
    expect(await embedder.embed(["early"], QUERY)).toHaveLength(1);
  });

  test("a question and a passage of the same words get different vectors", async () => {
    const [question] = await embedder.embed(["Berlin in winter"], QUERY);
    const [passage] = await embedder.embed(["Berlin in winter"], PASSAGE);
    expect(cosine(question, passage)).toBeLessThan(0.99);
  });

  test("cosines are as the calibration says", async () => {
    const { unrelated_mean, related_mean } = embedder.calibration;
    const [question] = await embedder.embed(["Who approved the rollback of the deploy?"], QUERY);
    const [related, unrelated] = await embedder.embed(
      ["Maria approved the rollback of Friday's deploy.", "The cat prefers dry food in the morning."],
      PASSAGE,
    );
    // Measured on texts of one world: an answer is about as near, another subject further than those.
    expect(Math.abs(cosine(question, related) - related_mean)).toBeLessThan(0.15);
    expect(cosine(question, unrelated)).toBeLessThan(unrelated_mean + 0.08);
  });

  test("an interactive request overtakes background work", async () => {
    const settled: string[] = [];
    const rows = Array.from(
      { length: 60 },
      (_, index) => `Row ${index} of a long import that nobody waits for right now.`,
    );
    const background = embedder.embed(rows, PASSAGE).then(() => settled.push("background"));
    const interactive = embedder.embed(["Is anybody there?"], QUERY).then(() => settled.push("interactive"));
    await Promise.all([background, interactive]);
    expect(settled).toEqual(["interactive", "background"]);
  });

  test("an abort while waiting rejects at once and lets the rest go on", async () => {
    const controller = new AbortController();
    const reason = new Error("The job was cancelled.");
    const rows = Array.from({ length: 40 }, (_, index) => `Cancelled row ${index}.`);
    const cancelled = embedder.embed(rows, { ...PASSAGE, signal: controller.signal });
    const kept = embedder.embed(["kept"], PASSAGE);
    controller.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    expect(await kept).toHaveLength(1);
  });

  test("more texts than the queue holds are refused", async () => {
    const flood = embedder.embed(new Array<string>(10_000).fill("again"), PASSAGE);
    await expect(flood).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await embedder.embed(["still here"], QUERY)).toHaveLength(1);
  });

  test("close rejects what waits", async () => {
    const closing = open();
    const waiting = closing.embed(["one", "two"], PASSAGE);
    waiting.catch(() => undefined);
    await closing.close();
    await expect(waiting).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(closing.ready()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(closing.state()).toMatchObject({ phase: "failed" });
  });

  test("close in the middle of a run leaves the process standing", async () => {
    const closing = open();
    await closing.ready();
    const waiting = closing.embed(new Array<string>(100).fill("words ".repeat(200)), PASSAGE);
    waiting.catch(() => undefined);
    await closing.close();
    await expect(waiting).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});

describe("a broken model folder", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "cairn-models-"));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  /** A copy of the real folder in which the network is replaced. */
  function brokenRoot(name: string, network: string | null, bytes: number): string {
    const folder = join(root, name, MODEL);
    mkdirSync(join(folder, "onnx"), { recursive: true });
    const real = modelFolder(MODEL);
    for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"]) {
      symlinkSync(join(real, file), join(folder, file));
    }
    cpSync(join(real, "manifest.json"), join(folder, "manifest.json"));
    const manifest = require(join(real, "manifest.json"));
    const files = { ...manifest.files, "onnx/model_quantized.onnx": { bytes, sha256: "0".repeat(64) } };
    writeFileSync(join(folder, "manifest.json"), JSON.stringify({ ...manifest, files }));
    if (network !== null) writeFileSync(join(folder, "onnx/model_quantized.onnx"), network);
    return join(root, name);
  }

  test.each([
    ["missing", null, 7, "is missing"],
    ["cut short", "garb", 7, "has 4 bytes instead of 7"],
    ["not a network", "garbage", 7, "could not be loaded"],
  ])("whose network is %s fails with the reason", async (name, network, bytes, reason) => {
    const embedder = open(brokenRoot(name, network, bytes));
    const waiting = embedder.embed(["hello"], QUERY);
    await expect(waiting).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(embedder.ready()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await waiting.catch(() => undefined);
    const state = embedder.state();
    expect(state.phase === "failed" ? state.reason : "").toContain(reason);
    expect(state.phase === "failed" ? state.reason : "").toContain("models:verify");
    await embedder.close();
  });

  test("without a manifest cannot be opened", () => {
    expect(() => open(join(root, "nowhere"))).toThrow("manifest");
  });
});
