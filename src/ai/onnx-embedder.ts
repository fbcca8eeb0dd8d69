import { extractFiles } from "../kernel/embedded-files.ts";
import { AppError } from "../kernel/errors.ts";
import type { Embedder, EmbedRole } from "../ports/embedder.ts";
import { runtimeFiles } from "./assets.ts";
import { EmbeddingManifest } from "./manifest.ts";
import { checkModelFiles, readManifest } from "./model-files.ts";
import { createModelWorker } from "./model-worker.ts";
import type { LoadRequest, ModelSpec } from "./worker-protocol.ts";

export interface OnnxOptions {
  /** Folder of the model: its manifest, tokenizer and network. */
  readonly folder: string;
  /** Where the executable unpacks native libraries. */
  readonly cacheDir: string;
  readonly threads: number;
  /** Milliseconds since any fixed moment. */
  readonly elapsed: () => number;
}

/** Generous for 512 tokens; what lies beyond would be cut by the tokenizer, after reading it all. */
const CHARACTERS_PER_TOKEN = 12;

/** Who waits for a reply waits about twice as long: half is left for the model, whose pace may drop meanwhile. */
const PATIENCE_MS: Readonly<Record<EmbedRole, number>> = { query: 1_000, passage: 2_500 };

/** Embeds with a model on disk, in a worker that starts loading at once. */
export function onnxEmbedder(options: OnnxOptions): Embedder {
  const manifest = readManifest(options.folder, EmbeddingManifest);
  const { id, dimensions, max_tokens, calibration } = manifest;
  const spec: ModelSpec = { id, task: "embed", folder: options.folder, max_tokens, width: dimensions };
  const prefixes: Record<EmbedRole, string> = { query: manifest.query_prefix, passage: manifest.passage_prefix };
  const worker = createModelWorker({
    prepare: () => prepare(spec, options),
    advice: advice(options.cacheDir),
    elapsed: options.elapsed,
  });
  return {
    id,
    dimensions,
    calibration,
    center: Float32Array.from(manifest.center),
    state: worker.state,
    ready: worker.ready,
    embed(texts, { role, priority, signal }) {
      const inputs = texts.map((text) => ({ text: prefixes[role] + text.slice(0, max_tokens * CHARACTERS_PER_TOKEN) }));
      const patience_ms = priority === "interactive" ? PATIENCE_MS[role] : undefined;
      return worker.run(spec, inputs, { priority, signal, patience_ms });
    },
    close: worker.close,
  };
}

function prepare(spec: ModelSpec, { cacheDir, threads }: OnnxOptions): LoadRequest {
  const problems = checkModelFiles(spec.folder, { digests: false });
  if (problems.length > 0) throw new AppError("UNAVAILABLE", problems.join(" "));
  const runtimeFolder = runtimeFiles.length === 0 ? null : extractFiles("onnxruntime", runtimeFiles, cacheDir);
  return { kind: "load", models: [spec], runtimeFolder, threads };
}

/** What can be wrong depends on where the files come from: a source tree, or the executable itself. */
const advice = (cacheDir: string): string =>
  runtimeFiles.length === 0
    ? "Compare the model files with their manifest: bun run models:verify."
    : `Check that ${cacheDir} is writable and that files in it may be executed.`;
