import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openModels } from "../../src/ai/open.ts";
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

describe("a model folder of one's own", () => {
  test(
    "is loaded, found sound, and measured where its manifest leaves that out",
    async () => {
      const models = openOwn(rootWith());
      expect(models.names()).toContain("my-minilm");
      const { name, embedder } = await models.another("my-minilm");
      expect([name, embedder.id]).toEqual(["my-minilm", "my-minilm+minilm-notes-v1+turns"]);
      const { calibration, center } = embedder;
      expect(calibration.related_mean).toBeGreaterThan(
        calibration.unrelated_mean + 2 * calibration.unrelated_deviation,
      );
      // Near to what was measured of the same model on many texts.
      expect(calibration.unrelated_mean).toBeCloseTo(0.05, 1);
      expect(center.length).toBe(384);
      const [one, other] = await embedder.embed(KNOWN_PAIR.texts, { role: "passage", priority: "interactive" });
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
    ["with the name of another", { manifest: { id: "minilm-l6-v2" } }, "comes with Cairn"],
    ["with a centre of another model", { manifest: { center: [1, 2, 3] } }, "center has 3 numbers"],
    [
      "whose file is another",
      { manifest: { files: { "config.json": { bytes: 328, sha256: "0".repeat(64) } } } },
      "differs from its recorded SHA-256",
    ],
  ])("%s is refused before anything is loaded", (_, folder, message) => {
    expect(() => openOwn(rootWith(folder))).toThrow(message);
  });

  test.each<[string, ModelFolder, string]>([
    [
      "whose known pair is elsewhere",
      { manifest: { known_pair: { ...KNOWN_PAIR, cosine: 0.9 } } },
      "places its known pair at a cosine of 0.48",
    ],
    ["whose network is of another kind", { network: "judge-v3" }, "instead of the 384 that its manifest declares"],
  ])(
    "%s is refused once it is loaded",
    async (_, folder, message) => {
      await expect(openOwn(rootWith(folder)).another("my-minilm")).rejects.toThrow(message);
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
    await expect(openOwn(rootWith()).another("bert")).rejects.toThrow("There are e5-small-v2, minilm-l6-v2, my-minilm");
  });
});
