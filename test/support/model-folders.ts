import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { modelFolder, readManifest } from "../../src/ai/models/files.ts";
import { ModelManifest, OwnManifest } from "../../src/ai/models/manifest.ts";
import { DEFAULT_MODEL } from "../../src/ai/open.ts";

const { known_pair, query_prefix, passage_prefix } = readManifest(modelFolder(DEFAULT_MODEL), OwnManifest);
/** The pair that the model was measured with. */
export const KNOWN_PAIR = known_pair;

export interface ModelFolder {
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Files left out. */
  readonly without?: readonly string[];
  /** The model whose network it has, in place of that of the default one. */
  readonly network?: string;
}

/** Makes a model folder of the user's own, with the files of a model that comes with Cairn. */
export function makeModelFolder(
  folder: string,
  { manifest = {}, without = [], network = DEFAULT_MODEL }: ModelFolder = {},
): void {
  const files = Object.keys(readManifest(modelFolder(DEFAULT_MODEL), ModelManifest).files);
  for (const file of files.filter((name) => !without.includes(name))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    const from = extname(file) === ".onnx" ? network : DEFAULT_MODEL;
    symlinkSync(join(modelFolder(from), file), join(folder, file));
  }
  const own = {
    id: "my-model",
    dimensions: 384,
    pooling: "mean",
    query_prefix,
    passage_prefix,
    known_pair,
    ...manifest,
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(own));
}
