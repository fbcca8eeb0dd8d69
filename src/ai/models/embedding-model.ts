import { BATCH_MAX_TOKENS, planBatches } from "../worker/batching.ts";
import type { ModelInput, ModelSpec } from "../worker/protocol.ts";
import { type ModelSession, openSession } from "./session.ts";

/** A model as the worker serves it: rows of `spec.width` numbers, one per input, in order. */
export interface ServedModel {
  run(inputs: readonly ModelInput[]): Promise<Float32Array<ArrayBuffer>>;
}

/** Loads an embedding model: mean of the token vectors, scaled to unit length. */
export async function loadEmbeddingModel(spec: ModelSpec, threads: number): Promise<ServedModel> {
  const session = await openSession(spec, threads);
  return { run: (inputs) => embed(session, inputs, spec.width) };
}

async function embed(session: ModelSession, inputs: readonly ModelInput[], width: number) {
  const rows = inputs.map((input) => session.encode(input));
  const vectors = new Float32Array(rows.length * width);
  const lengths = rows.map(({ ids }) => ids.length);
  for (const batch of planBatches(lengths, BATCH_MAX_TOKENS)) {
    const { output, length } = await session.run(batch.flatMap((index) => rows[index] ?? []));
    for (const [position, index] of batch.entries()) {
      const tokens = output.subarray(position * length * width, (position * length + (lengths[index] ?? 0)) * width);
      meanUnit(tokens, vectors.subarray(index * width, (index + 1) * width));
    }
  }
  return vectors;
}

/** Sums the token vectors into `vector` and scales it to length one; the mean has the same direction. */
function meanUnit(tokens: Float32Array, vector: Float32Array): void {
  const width = vector.length;
  for (let i = 0; i < tokens.length; i++) vector[i % width] = (vector[i % width] ?? 0) + (tokens[i] ?? 0);
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!(squares > 0 && Number.isFinite(squares))) throw new Error("The model answered with a vector of no length.");
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < width; i++) vector[i] = (vector[i] ?? 0) * scale;
}
