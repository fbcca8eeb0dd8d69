/** On whose word a skill is delivered, and of which text. What is there was approved by nobody who is known. */
export const skillApprovals: readonly string[] = ["alter table documents add column approval json"];
