import type { Embedder, EmbedRole } from "../../core/ports/embedder.ts";
import type { ModelWorker } from "../worker/model-worker.ts";
import type { ModelSpec } from "../worker/protocol.ts";
import { CHARACTERS_PER_TOKEN, readManifest } from "./files.ts";
import { EmbeddingManifest } from "./manifest.ts";

/** Who waits for a reply waits about twice as long: half is left for the model, whose throughput may drop meanwhile. */
const PATIENCE_MS: Readonly<Record<EmbedRole, number>> = { query: 1_000, passage: 2_500 };

/** An embedding model on disk: what the worker must know of it, and what ranking must. */
export interface EmbeddingModel {
  readonly spec: ModelSpec;
  readonly manifest: EmbeddingManifest;
}

/** Reads the manifest of a model folder. Throws UNAVAILABLE when there is none. */
export function embeddingModel(folder: string): EmbeddingModel {
  const manifest = readManifest(folder, EmbeddingManifest);
  const { id, dimensions, max_tokens } = manifest;
  return { manifest, spec: { id, task: "embed", folder, max_tokens, width: dimensions } };
}

/** Embeds with a model that the worker serves. Closing it closes the worker. */
export function onnxEmbedder({ spec, manifest }: EmbeddingModel, worker: ModelWorker): Embedder {
  const { id, dimensions, max_tokens, calibration } = manifest;
  const prefixes: Record<EmbedRole, string> = { query: manifest.query_prefix, passage: manifest.passage_prefix };
  return {
    id,
    dimensions,
    calibration,
    center: Float32Array.from(manifest.center),
    state: () => worker.state(spec),
    ready: worker.ready,
    embed(texts, { role, priority, signal }) {
      const inputs = texts.map((text) => ({ text: prefixes[role] + text.slice(0, max_tokens * CHARACTERS_PER_TOKEN) }));
      const patience_ms = priority === "interactive" ? PATIENCE_MS[role] : undefined;
      return worker.run(spec, inputs, { priority, signal, patience_ms });
    },
    close: worker.close,
  };
}
