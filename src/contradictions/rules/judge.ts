import type { Alignment } from "../align.ts";
import type { Finding } from "../finding.ts";
import { finding } from "../found.ts";
import type { PairSignals } from "../verdict.ts";
import { JUDGE } from "../weights.ts";

/** Where no rule sees a clash but the judge is sure of one, about the same subject. */
export function judgeRule(pair: Alignment, { judge }: PairSignals): Finding | null {
  if (judge === null || judge < JUDGE.alone_min) return null;
  return finding(pair, "judge", { older: [pair.older], newer: [pair.newer] });
}
