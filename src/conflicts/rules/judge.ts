import type { Alignment } from "../align.ts";
import type { Finding } from "../finding.ts";
import { finding } from "../finding.ts";
import type { PairSignals } from "../verdict.ts";
import { JUDGE_ALONE_MIN } from "../weights.ts";

/** Where the judge sees a clash, whatever the rules see. */
export const judgeRule = (pair: Alignment, { judge }: PairSignals): Finding | null =>
  judge !== null && judge >= JUDGE_ALONE_MIN ? finding(pair, "judge", { older: [], newer: [] }) : null;
