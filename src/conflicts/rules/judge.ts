import type { Alignment } from "../align.ts";
import type { RuleMatch } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";
import type { PairSignals } from "../verdict.ts";
import { JUDGE_ALONE_MIN } from "../weights.ts";

/** Where the judge sees a clash, whatever the rules see. */
export const judgeRule = (pair: Alignment, { judge }: PairSignals): RuleMatch | null =>
  judge !== null && judge >= JUDGE_ALONE_MIN ? matchOf(pair, "judge", { older: [], newer: [] }) : null;
