import { BATCH_MAX_TOKENS, planBatches } from "../worker/batching.ts";
import type { ModelInput, ModelSpec } from "../worker/protocol.ts";
import type { ServedModel } from "./embedding-model.ts";
import { type ModelSession, openSession } from "./session.ts";

/** Loads a model that reads two texts together and answers with `width` numbers between 0 and 1. */
export async function loadJudgeModel(spec: ModelSpec, threads: number): Promise<ServedModel> {
  const session = await openSession(spec, threads);
  return { run: (inputs) => judge(session, spec.width, inputs), release: session.release };
}

/** Batches change no score: the network scales each token by itself. */
async function judge(
  session: ModelSession,
  width: number,
  inputs: readonly ModelInput[],
): Promise<Float32Array<ArrayBuffer>> {
  const rows = inputs.map((input) => session.encode(input));
  const scores = new Float32Array(rows.length * width);
  const lengths = rows.map(({ ids }) => ids.length);
  for (const batch of planBatches(lengths, BATCH_MAX_TOKENS)) {
    const { output } = await session.run(batch.flatMap((index) => rows[index] ?? []));
    if (output.length !== batch.length * width)
      throw new Error(`The model answers with ${output.length / batch.length} numbers a pair instead of ${width}.`);
    for (const [position, index] of batch.entries()) {
      for (let i = 0; i < width; i++)
        scores[index * width + i] = 1 / (1 + Math.exp(-(output[position * width + i] ?? Number.NaN)));
    }
  }
  return scores;
}
