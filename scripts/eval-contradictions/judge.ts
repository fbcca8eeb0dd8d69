import { resolve } from "node:path";
import { openSession } from "../../src/ai/model-session.ts";
import type { LabelledPair } from "./set.ts";

const TOKENS_MAX = 128;
/** One pair a run, as the server does: in a batch, the scales of the quantised network let one pair depend on the others. */
const BATCH = 1;

/** Scores pairs with the judge in a folder: 0 to 1, how surely the newer text contradicts or replaces the older one. */
export async function scorePairs(folder: string, pairs: readonly LabelledPair[]): Promise<number[]> {
  const spec = { id: "judge", task: "judge" as const, folder: resolve(folder), max_tokens: TOKENS_MAX, width: 1 };
  const session = await openSession(spec, 1);
  const scores: number[] = [];
  for (let i = 0; i < pairs.length; i += BATCH) {
    const rows = pairs.slice(i, i + BATCH).map(({ older, newer }) => session.encode({ text: older, pair: newer }));
    const { output } = await session.run(rows);
    scores.push(...Array.from(output, (logit) => 1 / (1 + Math.exp(-logit))));
  }
  return scores;
}
