import { resolve } from "node:path";
import { loadJudgeModel } from "../../src/ai/models/judge-model.ts";
import { judgeSpec } from "../../src/ai/models/onnx-judge.ts";
import type { Judgement } from "../../src/core/ports/judge.ts";
import type { LabelledPair } from "./labelled-pairs.ts";

/** Loads the judge in a folder: it tells of each pair how surely it clashes, and how surely the newer text replaces the older. */
export async function judgeWith(folder: string): Promise<(pairs: readonly LabelledPair[]) => Promise<Judgement[]>> {
  const judge = await loadJudgeModel(judgeSpec("judge", resolve(folder)), 1);
  return async (pairs) => {
    const scores = await judge.run(pairs.map(({ older, newer }) => ({ text: older, pair: newer })));
    return pairs.map((_, i) => ({ clash: scores[2 * i] ?? 0, replaced: scores[2 * i + 1] ?? 0 }));
  };
}
