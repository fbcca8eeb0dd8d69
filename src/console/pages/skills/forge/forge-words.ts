import type { ForgeCluster, ForgeRun } from "../../../api/schemas.gen.ts";
import { plural } from "../../../kit/numbers.ts";
import type { Factory } from "../factory.tsx";

/** What set a run off. */
export const TRIGGERS: Readonly<Record<ForgeRun["trigger"], string>> = {
  schedule: "by itself",
  fanout: "set off for all tenants",
  manual: "set off by hand",
};

type Reason = NonNullable<ForgeCluster["reason"]>;

/** Why a cluster gave no new candidate; what the settings ask is what they ask today. */
const REASONS: Readonly<Record<Reason, (forge: Factory["forge"], detail: string | null) => string>> = {
  volume: (forge) => `Too few successful runs; ${plural(forge.min_cluster_size, "run")} are needed.`,
  diversity: (forge) => `Too few different agents; ${plural(forge.min_distinct_agents, "agent")} are needed.`,
  no_common_steps: () => "The runs have no steps in common.",
  duplicate: () => "A larger cluster of this run became the same skill.",
  poisoned: () => "A skill like it was rejected; it is barred until its cool-off is over.",
  refused: (_, detail) => `The rules of skills, or the scan, refused it${detail === null ? "." : `: ${detail}`}`,
  unchanged: () => "It is a candidate already, drawn from the same runs.",
  not_a_candidate: (_, status) => `Its skill is there already${status === null ? "." : `, with the status ${status}.`}`,
  write_cap: (forge) => `The run had written its ${plural(forge.max_writes_per_run, "skill")}; the next run goes on.`,
};

/** What became of a cluster, in a sentence. */
export function becameOf({ outcome, reason, detail }: ForgeCluster, { forge }: Factory): string {
  if (outcome === "written") return detail === "quarantined" ? "Written, and quarantined by the scan." : "Written.";
  return reason === null ? "Skipped." : REASONS[reason](forge, detail);
}
