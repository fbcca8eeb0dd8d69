import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { modelFolder } from "../../src/ai/models/files.ts";
import { loadJudgeModel } from "../../src/ai/models/judge-model.ts";
import { judgementsOf, judgeSpec } from "../../src/ai/models/onnx-judge.ts";
import { DEFAULT_MODEL, openModels } from "../../src/ai/open.ts";
import type { Judgement } from "../../src/core/ports/judge.ts";
import type { LabelledPair } from "./labelled-pairs.ts";

/** Tells of each pair how surely it clashes, and what becomes of the older text if so. */
export type JudgePairs = (pairs: readonly LabelledPair[]) => Promise<readonly Judgement[]>;

const AT_ONCE = 64;

/** The judge that is served. */
export function servedJudge(): JudgePairs {
  const { judge } = openModels("onnx", { cacheDir: tmpdir() });
  return async (pairs) => {
    const found: Judgement[] = [];
    for (let at = 0; at < pairs.length; at += AT_ONCE) {
      const some = await judge?.score(pairs.slice(at, at + AT_ONCE));
      if (!some) throw new Error("The judge did not answer.");
      found.push(...some);
    }
    return found;
  };
}

/** One network alone, that of a folder, which reads with the words of the embedding model. */
export async function judgeWith(folder: string): Promise<JudgePairs> {
  const spec = judgeSpec("judge", { folder: resolve(folder), words_folder: modelFolder(DEFAULT_MODEL) });
  const judge = await loadJudgeModel(spec, 1);
  return async (pairs) => {
    const scores = await judge.run(pairs.map(({ older, newer }) => ({ text: older, pair: newer })));
    return judgementsOf(pairs.map((_, i) => scores.subarray(i * spec.width, (i + 1) * spec.width)));
  };
}
