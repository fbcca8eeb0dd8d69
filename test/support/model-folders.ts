import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { modelFolder } from "../../src/ai/models/files.ts";

/** The pair that minilm-l6-v2 was measured with. */
export const KNOWN_PAIR = {
  texts: ["When does the night ferry leave?", "The last boat to the island departs at a quarter past eleven."],
  cosine: 0.484,
  tolerance: 0.03,
};

export interface ModelFolder {
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Files left out. */
  readonly without?: readonly string[];
  /** The model whose network it has. */
  readonly network?: string;
}

/** Makes a model folder of the user's own, with the files of a model that comes with Cairn. */
export function makeModelFolder(
  folder: string,
  { manifest = {}, without = [], network = "minilm-l6-v2" }: ModelFolder = {},
): void {
  const files = ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model_quantized.onnx"];
  for (const file of files.filter((name) => !without.includes(name))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    symlinkSync(join(modelFolder(network), file), join(folder, file));
  }
  const own = { id: "my-minilm", dimensions: 384, pooling: "mean", known_pair: KNOWN_PAIR, ...manifest };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(own));
}
