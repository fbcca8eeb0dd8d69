import type { ServedModel } from "./embedding-model.ts";
import { type ModelSession, openSession } from "./model-session.ts";
import type { ModelInput, ModelSpec } from "./worker-protocol.ts";

/** Loads a model that reads two texts together and answers with one number between 0 and 1. */
export async function loadJudgeModel(spec: ModelSpec, threads: number): Promise<ServedModel> {
  const session = await openSession(spec, threads);
  return { run: (inputs) => judge(session, inputs) };
}

/** One pair at a time: in a batch, the scales of the quantised network would let one pair's score depend on the others. */
async function judge(session: ModelSession, inputs: readonly ModelInput[]): Promise<Float32Array<ArrayBuffer>> {
  const scores = new Float32Array(inputs.length);
  for (const [at, input] of inputs.entries()) {
    const { output } = await session.run([session.encode(input)]);
    scores[at] = 1 / (1 + Math.exp(-(output[0] ?? Number.NaN)));
  }
  return scores;
}
