import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelFolder, readManifest } from "../../src/ai/models/files.ts";
import { EmbeddingManifest } from "../../src/ai/models/manifest.ts";
import { DEFAULT_MODEL, JUDGE_MODEL, openModels } from "../../src/ai/open.ts";
import { dot } from "../../src/core/kernel/vectors.ts";
import { temporaryFolder } from "../support/app.ts";
import type { ModelFolder } from "../support/model-folders.ts";
import { KNOWN_PAIR, makeModelFolder } from "../support/model-folders.ts";

const root = temporaryFolder();
afterAll(root.remove);
let made = 0;
function rootWith(folder: ModelFolder = {}): string {
  const own = join(root.path, `${++made}`);
  makeModelFolder(join(own, "mine"), folder);
  return own;
}
const openOwn = (ownRoot: string) => openModels("hash", { cacheDir: tmpdir(), ownRoot });
const SLOW_MS = 60_000;
const { calibration: MEASURED } = readManifest(modelFolder(DEFAULT_MODEL), EmbeddingManifest);

describe("a model folder of one's own", () => {
  test(
    "is loaded, found sound, and measured where its manifest leaves that out",
    async () => {
      const models = openOwn(rootWith());
      expect(models.names()).toContain("my-model");
      const { name, embedder } = await models.another("my-model");
      expect([name, embedder.id]).toEqual(["my-model", "my-model+turns"]);
      const { calibration, center } = embedder;
      expect(calibration.related_mean).toBeGreaterThan(
        calibration.unrelated_mean + 2 * calibration.unrelated_deviation,
      );
      // What was measured of the same model is of texts of one world, which are nearer to each other.
      expect(calibration.unrelated_mean).toBeLessThan(MEASURED.unrelated_mean);
      expect(calibration.related_mean).toBeGreaterThan(MEASURED.unrelated_mean);
      expect(center.length).toBe(384);
      const [question, passage] = KNOWN_PAIR.texts;
      const [one] = await embedder.embed([question], { role: "query", priority: "interactive" });
      const [other] = await embedder.embed([passage], { role: "passage", priority: "interactive" });
      expect(dot(one ?? new Float32Array(), other ?? new Float32Array())).toBeCloseTo(KNOWN_PAIR.cosine, 1);
      await embedder.close();
    },
    SLOW_MS,
  );

  test.each<[string, ModelFolder, string]>([
    [
      "of other dimensions",
      { manifest: { dimensions: 768 } },
      "vectors have 768 dimensions, and the index of a data folder holds 384",
    ],
    ["of another pooling", { manifest: { pooling: "cls" } }, "pooling"],
    ["with a prefix that is no text", { manifest: { query_prefix: 3 } }, "query_prefix"],
    ["without a known pair", { manifest: { known_pair: undefined } }, "known_pair"],
    ["without its network", { without: ["onnx/model_quantized.onnx"] }, "onnx/model_quantized.onnx is missing"],
    ["with the name of another", { manifest: { id: "multilingual-e5-notes-v1" } }, "comes with Cairn"],
    ["with a centre of another model", { manifest: { center: [1, 2, 3] } }, "center has 3 numbers"],
    [
      "whose file is another",
      { manifest: { files: { "config.json": { bytes: 330, sha256: "0".repeat(64) } } } },
      "differs from its recorded SHA-256",
    ],
  ])("%s is refused before anything is loaded", (_, folder, message) => {
    expect(() => openOwn(rootWith(folder))).toThrow(message);
  });

  test.each<[string, ModelFolder, string]>([
    [
      "whose known pair is elsewhere",
      { manifest: { known_pair: { ...KNOWN_PAIR, cosine: -0.5 } } },
      "places its known pair at a cosine of 0.",
    ],
    ["whose network is of another kind", { network: JUDGE_MODEL }, "instead of the 384 that its manifest declares"],
  ])(
    "%s is refused once it is loaded",
    async (_, folder, message) => {
      await expect(openOwn(rootWith(folder)).another("my-model")).rejects.toThrow(message);
    },
    SLOW_MS,
  );

  test("that is none is refused: no folder, none with a manifest, a manifest that is no JSON", () => {
    expect(() => openOwn(join(root.path, "nowhere"))).toThrow("There is no folder");
    const empty = join(root.path, "empty", "mine");
    mkdirSync(empty, { recursive: true });
    expect(() => openOwn(join(root.path, "empty"))).toThrow("manifest.json");
    writeFileSync(join(empty, "manifest.json"), "{");
    expect(() => openOwn(join(root.path, "empty"))).toThrow("is not JSON");
  });

  test("that is asked for and is not there is refused with the names of those that are", async () => {
    await expect(openOwn(rootWith()).another("bert")).rejects.toThrow("There are multilingual-e5-notes-v1, my-model");
  });
});
