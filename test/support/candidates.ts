import type { Clock } from "../../src/core/kernel/clock.ts";
import { toTimestamp } from "../../src/core/kernel/clock.ts";
import type { SkillCandidate } from "../../src/skills/lifecycle/candidate.ts";

/** What the Forge hands over for a procedure that passes every gate. */
export const aCandidate = (slug: string, clock: Clock, fields: Partial<SkillCandidate> = {}): SkillCandidate => ({
  slug,
  name: `Procedure ${slug}`,
  description: `How ${slug} is done.`,
  summary: `When ${slug} is to be done.`,
  content: `# ${slug}\n\n1. Look at it.\n2. Do it.\n`,
  domain: "work",
  tags: ["work"],
  fleet_id: null,
  cluster_fingerprint: `fp:v1:${slug}`,
  run_id: "run-1",
  cluster_size: 3,
  distinct_agents: 3,
  window_end: toTimestamp(clock.now()),
  cites: [],
  ...fields,
});
