/**
 * What each feature of a finding adds to the log-odds of a clash. The weights of the judge are those to set again when its
 * model changes: `scripts/eval-contradictions.ts` prints what its score alone is worth.
 */
export const WEIGHTS = {
  bias: -0.45,
  rule_value: 2.95,
  rule_state: 2.8,
  rule_opposite: 2.45,
  rule_kind: 2.05,
  rule_negation: 2.4,
  rule_slot: 2.3,
  rule_habit: 1.15,
  rule_holder: 2.65,
  rule_ended: 1.8,
  rule_replaced: 3.2,
  rule_withdrawn: 2.95,
  rule_exclusive: 2.8,
  rule_judge: 0.5,
  subject_same: 0,
  subject_narrower: -0.45,
  subject_part: -0.2,
  subject_unknown: -0.65,
  subject_different: -3.95,
  /** Two subjects, by rules that find their way from one to the other. */
  subject_across: -0.9,
  predicate_same: 0.2,
  predicate_change: 0.1,
  predicate_generic: 0.3,
  predicate_other: 0.3,
  /** The newer text tells of a change, or says that it corrects. */
  change: 0.8,
  correction: 0.5,
  /** For sharing all words rather than half of them. */
  coverage: 0.75,
  /** For each word that both say of the subject. */
  beyond_subject: 0.15,
  /** For each further thing in which both sides differ: then they speak of two things. */
  contrasts: -1.3,
  /** For each of them that stands in the same place on both sides. */
  parallel: -1.6,
  one_sided: -0.2,
  value_contrasts: -2.75,
  other_name: -1.5,
  added: -3.95,
  other_time: -4,
  other_date: -4.05,
  only_planned: -2.65,
  /** What the judge takes for a clash although rules can show that it is none. */
  agreement: -3.5,
  /** Something that happened beside something that holds. */
  past_event: -0.5,
  /** The newer text speaks of an exception. */
  temporary: -4,
  list: -2,
  /** The judge flags a pair that shares its subject and nothing else. */
  nothing_shared: -0.3,
  /** Per unit of the judge's log-odds, beside a rule and alone. */
  judge_for: 0.3,
  judge_against: -0.25,
  judge_alone: 0.45,
} as const;

/** The judge's log-odds count up to here: beyond, it is sure without being right more often. */
export const JUDGE_LOGIT_MAX = 4;
/** Below this score the judge alone flags nothing. */
export const JUDGE_ALONE_MIN = 0.3;

/** From this probability on a pair is flagged. Chosen for few false alarms: a wrong demotion hides a memory. */
export const CONFIDENCE_MIN = 0.75;
