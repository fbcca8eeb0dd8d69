import { resolve } from "node:path";
import { loadJudgeModel } from "../../src/ai/models/judge-model.ts";
import { judgementsOf, judgeSpec } from "../../src/ai/models/onnx-judge.ts";
import type { Judgement } from "../../src/core/ports/judge.ts";
import type { LabelledPair } from "./labelled-pairs.ts";

/** Loads the judge in a folder: it tells of each pair how surely it clashes, and what becomes of the older text if so. */
export async function judgeWith(folder: string): Promise<(pairs: readonly LabelledPair[]) => Promise<Judgement[]>> {
  const spec = judgeSpec("judge", resolve(folder));
  const judge = await loadJudgeModel(spec, 1);
  return async (pairs) => {
    const scores = await judge.run(pairs.map(({ older, newer }) => ({ text: older, pair: newer })));
    return judgementsOf(pairs.map((_, i) => scores.subarray(i * spec.width, (i + 1) * spec.width)));
  };
}
