import { resolve } from "node:path";
import { loadJudgeModel } from "../../src/ai/models/judge-model.ts";
import { judgeSpec } from "../../src/ai/models/onnx-judge.ts";
import type { LabelledPair } from "../evaluate/labelled-pairs.ts";

/** Scores pairs with the judge in a folder: 0 to 1, how surely the newer text contradicts or replaces the older one. */
export async function scorePairs(folder: string, pairs: readonly LabelledPair[]): Promise<number[]> {
  const judge = await loadJudgeModel(judgeSpec("judge", resolve(folder)), 1);
  return Array.from(await judge.run(pairs.map(({ older, newer }) => ({ text: older, pair: newer }))));
}
