import type { RuleName } from "./finding.ts";

/**
 * What each feature of a pair adds to the log-odds of a clash. Set by hand from what the rules promise; the judge's
 * weights are those to set again when its model changes (`scripts/eval-contradictions.ts` prints what its score is worth).
 */
export const WEIGHTS = {
  bias: -1.2,
  rule: {
    value: 3,
    state: 2.8,
    opposite: 2.2,
    kind: 1.8,
    negation: 2.6,
    slot: 2.2,
    habit: 1,
    holder: 2.6,
    ended: 2.2,
    replaced: 3.2,
    withdrawn: 2.8,
    exclusive: 2.2,
    judge: 0,
  } satisfies Record<RuleName, number>,
  subject: { same: 0.6, narrower: -0.3, part: -1.6, unknown: -0.5, different: -0.5 },
  change_wording: 0.8,
  correction_wording: 1,
  /** For each further thing in which both sides differ: then they speak of two things. */
  further_contrast: -2.5,
  /** For each thing that only one side says. */
  one_sided: -0.2,
  /** For sharing all words rather than half of them. */
  coverage: 1,
} as const;

/** How the judge's score, a probability, counts. */
export const JUDGE = {
  /** Per unit of its log-odds, which are cut at `logit_max`. */
  weight: 0.5,
  logit_max: 4,
  /** Without any rule, a score from here on decides alone, when the subject is the same. */
  alone_min: 0.93,
  /** Bias of a pair that only the judge flags. */
  alone_strength: 1.2,
} as const;

/** From this probability on a pair is flagged. Chosen for few false alarms: a wrong demotion hides a memory. */
export const CONFIDENCE_MIN = 0.6;
