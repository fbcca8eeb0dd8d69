import type { Embedder, EmbedRole, TurnVectors } from "../../core/ports/embedder.ts";
import type { ModelWorker } from "../worker/model-worker.ts";
import type { ModelSpec } from "../worker/protocol.ts";
import { CHARACTERS_PER_TOKEN, readManifest } from "./files.ts";
import { EmbeddingManifest } from "./manifest.ts";

/**
 * A question waits for half of what its caller does, for the model's throughput may drop meanwhile. A row need not wait at all:
 * one that would stand long in the queue is stored at once, and read behind. With 64 clients in a mix of calls on two cores and
 * 2,500 ms, writes took 1,265 ms at the median, and questions stood behind them.
 */
const PATIENCE_MS: Readonly<Record<EmbedRole, number>> = { query: 1_000, passage: 150 };

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
  const readable = (text: string) => text.slice(0, max_tokens * CHARACTERS_PER_TOKEN);
  return {
    id,
    dimensions,
    calibration,
    center: Float32Array.from(manifest.center),
    state: () => worker.state(spec),
    ready: worker.ready,
    embed(texts, { role, priority, signal }) {
      const inputs = texts.map((text) => ({ lead: prefixes[role], text: readable(text) }));
      const patience_ms = priority === "interactive" ? PATIENCE_MS[role] : undefined;
      const isQuestion = priority === "interactive" && role === "query";
      return worker.run(spec, inputs, { priority: isQuestion ? "question" : priority, signal, patience_ms });
    },
    async embedTurns(conversations, { priority, signal }) {
      const inputs = conversations.map(({ before, turns }) => ({
        lead: prefixes.passage,
        text: readable(before),
        turns: turns.map(readable),
      }));
      const patience_ms = priority === "interactive" ? PATIENCE_MS.passage : undefined;
      const answers = await worker.run(spec, inputs, { priority, signal, patience_ms });
      return answers.map((rows) => pairsOf(rows, dimensions));
    },
    close: worker.close,
  };
}

/** The two vectors of each turn, which lie one after the other. */
function pairsOf(rows: Float32Array, width: number): TurnVectors[] {
  const row = (index: number) => rows.slice(index * width, (index + 1) * width);
  return Array.from({ length: rows.length / (2 * width) }, (_, turn) => ({
    own: row(2 * turn),
    context: row(2 * turn + 1),
  }));
}
