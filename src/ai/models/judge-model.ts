import { BATCH_MAX_TOKENS, planBatches } from "../worker/batching.ts";
import type { ModelInput, ModelSpec } from "../worker/protocol.ts";
import type { ServedModel } from "./embedding-model.ts";
import { type ModelSession, openSession } from "./session.ts";

/** Loads a model that reads two texts together and answers with one number between 0 and 1. */
export async function loadJudgeModel(spec: ModelSpec, threads: number): Promise<ServedModel> {
  const session = await openSession(spec, threads);
  return { run: (inputs) => judge(session, inputs) };
}

/** Batches change no score: the network scales each token by itself. */
async function judge(session: ModelSession, inputs: readonly ModelInput[]): Promise<Float32Array<ArrayBuffer>> {
  const rows = inputs.map((input) => session.encode(input));
  const scores = new Float32Array(rows.length);
  const lengths = rows.map(({ ids }) => ids.length);
  for (const batch of planBatches(lengths, BATCH_MAX_TOKENS)) {
    const { output } = await session.run(batch.flatMap((index) => rows[index] ?? []));
    for (const [position, index] of batch.entries())
      scores[index] = 1 / (1 + Math.exp(-(output[position] ?? Number.NaN)));
  }
  return scores;
}
