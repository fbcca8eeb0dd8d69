import type { Conflict } from "../../api/schemas.gen.ts";

export type Decision = "accept" | "both_stand" | "reopen";
export type ConflictState = Conflict["state"];

/** The states as tabs, in the order in which a finding goes through them. */
export const STATES: readonly (readonly [state: ConflictState, words: string])[] = [
  ["open", "Open"],
  ["accepted", "Accepted"],
  ["both_stand", "Both stand"],
];

/** What led to each state. */
export const DECISION_TO: Readonly<Record<ConflictState, Decision>> = {
  open: "reopen",
  accepted: "accept",
  both_stand: "both_stand",
};

/** What is told after each decision. */
export const DONE: Readonly<Record<Decision, string>> = {
  accept: "Accepted: the newer memory holds.",
  both_stand: "Both stand.",
  reopen: "Open again.",
};

const RULES: Readonly<Record<string, string>> = {
  rdf_conflict: "Their writers stated two values for the same thing",
  value: "The same words with another value",
  judge: "The judge read both and holds that they cannot both be true",
  language_model: "The language model holds that they cannot both be true",
  part: "A part of the older one has changed",
};

const LIKELY = "The judge read both and holds it likely that they cannot both be true";

/** By what two memories were found to clash, or maybe to. */
export const ruleWords = (rule: string, result?: Conflict["result"]): string =>
  rule === "judge" && result === "possible" ? LIKELY : (RULES[rule] ?? `Rule ${rule}`);

const CONFIDENCES: readonly (readonly [from: number, words: string])[] = [
  [0.995, "certain"],
  [0.96, "very sure"],
  [0.85, "sure"],
  [0.7, "fairly sure"],
];

/** How sure the detector is, in words. */
export const confidenceWords = (confidence: number): string =>
  CONFIDENCES.find(([from]) => confidence >= from)?.[1] ?? "not very sure";

/** What became of the older memory when the two were found. */
export const RESULTS: Readonly<Record<Conflict["result"], string>> = {
  outdated: "The detector made the older one outdated: searches give the newer one.",
  conflicted: "The detector marked the older one as conflicted: which of the two holds, it could not tell.",
  possible: "The older one may have changed; both hold until somebody decides.",
};
