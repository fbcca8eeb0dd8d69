import { isChangeVerb } from "../claims/lexicon/verbs.ts";
import { relate } from "../claims/values/relate.ts";
import type { Alignment } from "./align.ts";
import { leftChunks, type TokenRange } from "./chunks.ts";
import type { Finding } from "./finding.ts";
import type { PairSignals } from "./verdict.ts";
import { JUDGE, WEIGHTS } from "./weights.ts";

const HALF = 0.5;

/** How likely a finding is a clash, 0 to 1. */
export function confidenceOf(pair: Alignment, found: Finding, signals: PairSignals): number {
  const left = leftChunks(pair, found.used);
  const wordContrasts = Math.min(left.older.length, left.newer.length);
  const oneSided = Math.max(left.older.length, left.newer.length) - wordContrasts;
  const contrasts = wordContrasts + valueContrasts(pair, found);
  const logit =
    WEIGHTS.bias +
    WEIGHTS.rule[found.rule] +
    WEIGHTS.subject[pair.subject] +
    (pair.newer.cues.change || isChangeVerb(pair.newer.verb) ? WEIGHTS.change_wording : 0) +
    (pair.newer.cues.correction ? WEIGHTS.correction_wording : 0) +
    contrasts * WEIGHTS.further_contrast +
    oneSided * WEIGHTS.one_sided +
    (pair.coverage - HALF) * WEIGHTS.coverage +
    (found.rule === "judge" ? JUDGE.alone_strength : 0) +
    judgeLogit(signals.judge) * JUDGE.weight;
  return 1 / (1 + Math.exp(-logit));
}

/** Values at odds that the finding is not about. */
function valueContrasts(pair: Alignment, { rule, used }: Finding): number {
  if (rule === "value" || rule === "replaced" || rule === "withdrawn" || rule === "ended") return 0;
  const free = (values: Alignment["older"]["values"], ranges: readonly TokenRange[]) =>
    values.filter(({ from }) => !ranges.some((range) => from >= range.from && from < range.to));
  const newer = free(pair.newer.values, rule === "negation" ? [] : used.newer);
  return free(pair.older.values, rule === "negation" ? [] : used.older).filter((value) =>
    newer.some((other) => relate(value, other) === "clash"),
  ).length;
}

/** The judge's log-odds, cut at both ends; nothing without a judge. */
function judgeLogit(score: number | null): number {
  if (score === null) return 0;
  const logit = Math.log(score / (1 - score));
  return Math.max(-JUDGE.logit_max, Math.min(JUDGE.logit_max, logit));
}
