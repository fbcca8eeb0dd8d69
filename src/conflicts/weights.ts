/**
 * What each feature of a finding adds to the log-odds of a clash. The judge counts as it is, being trained to tell
 * probabilities; the rules count three quarters of what fits the tables they were written for, because on pairs by others
 * they are right half as often. To set again when the judge's model changes: `scripts/fit-contradictions.ts`.
 */
export const WEIGHTS = {
  bias: -0.34,
  rule_value: 2.21,
  rule_state: 2.1,
  rule_opposite: 1.84,
  rule_kind: 1.54,
  rule_negation: 1.8,
  rule_slot: 1.72,
  rule_habit: 0.86,
  rule_holder: 1.99,
  rule_ended: 1.35,
  rule_replaced: 2.4,
  rule_withdrawn: 2.21,
  rule_exclusive: 2.1,
  rule_judge: 0.38,
  subject_same: 0,
  subject_narrower: -0.34,
  subject_part: -0.15,
  subject_unknown: -0.49,
  subject_different: -2.96,
  /** Two subjects, by rules that find their way from one to the other. */
  subject_across: -0.68,
  predicate_same: 0.15,
  predicate_change: 0.08,
  predicate_generic: 0.22,
  predicate_other: 0.22,
  /** The newer text tells of a change, or says that it corrects. */
  change: 0.6,
  correction: 0.38,
  /** For sharing all words rather than half of them. */
  coverage: 0.56,
  /** For each word that both say of the subject. */
  beyond_subject: 0.11,
  /** For each further thing in which both sides differ: then they speak of two things. */
  contrasts: -0.98,
  /** For each of them that stands in the same place on both sides. */
  parallel: -1.2,
  one_sided: -0.15,
  value_contrasts: -2.06,
  other_name: -1.12,
  added: -3.95,
  other_time: -4,
  other_date: -4.05,
  only_planned: -1.99,
  /** What the judge takes for a clash although rules can show that it is none. */
  agreement: -3.5,
  /** Something that happened beside something that holds. */
  past_event: -0.38,
  /** The newer text speaks of an exception. */
  temporary: -4,
  list: -1.5,
  /** The judge flags a pair that shares its subject and nothing else. */
  nothing_shared: -0.22,
  /** The judge was not asked: rules then stand on their own. */
  unjudged: 1.37,
  /** Per unit of the judge's log-odds, beside a rule and alone. */
  judge_for: 1,
  judge_against: -0.8,
  judge_alone: 1,
} as const;

/** The judge's log-odds count up to here: beyond, it is sure without being right more often. */
export const JUDGE_LOGIT_MAX = 6;
/** Below this score the judge alone flags nothing. */
export const JUDGE_ALONE_MIN = 0.3;

/** From this probability on a pair is flagged. Chosen for few false alarms: a wrong demotion hides a memory. */
export const CONFIDENCE_MIN = 0.9;
