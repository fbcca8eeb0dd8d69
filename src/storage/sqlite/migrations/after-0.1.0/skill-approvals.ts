/** On whose word a skill is delivered, and of which text. What is there was approved by nobody who is known. */
export const skillApprovals = "alter table documents add column approval text;";
