import type { ForgeRun } from "../core/schema/forge.ts";
import type { SkillCandidate } from "../skills/lifecycle/candidate.ts";
import type { Cluster } from "./cluster.ts";
import { agentsOf, runsOf } from "./cluster.ts";
import type { SkillDraft } from "./skill-draft.ts";
import type { Trace } from "./traces.ts";

/** Runs and agents that the evidence of a skill names. */
const EVIDENCE_MAX = 50;

export interface CandidateSource {
  readonly run: ForgeRun;
  readonly cluster: Cluster;
  readonly draft: SkillDraft;
  readonly fingerprint: string;
}

/** Ids of the runs of a cluster that the evidence names. */
export const runIdsOf = (members: readonly Trace[]): string[] =>
  [...new Set(members.map(({ run_id }) => run_id))].slice(0, EVIDENCE_MAX);

/** A draft with what it was drawn from, as the skill factory takes it. */
export function candidateOf({ run, cluster, draft, fingerprint }: CandidateSource): SkillCandidate {
  const { members, failed, fleet_id } = cluster;
  const { steps, cites, ...shown } = draft;
  const instants = members.flatMap(({ rows }) => rows.map(({ created_at }) => created_at)).sort();
  const agents = agentsOf(members);
  const window_end = instants.at(-1) ?? run.requested_at;
  return {
    ...shown,
    cites,
    fleet_id,
    cluster_fingerprint: fingerprint,
    run_id: run.id,
    cluster_size: runsOf(members),
    distinct_agents: agents.length,
    window_end,
    evidence: {
      window_start: instants[0] ?? window_end,
      window_end,
      run_ids: runIdsOf(members),
      agent_ids: agents.slice(0, EVIDENCE_MAX),
      memory_ids: [...cites],
      failed_runs: failed.length,
      steps: [...steps],
    },
  };
}

/** Entities that at least two of the runs name, those of most runs first. */
export function centralEntities(members: readonly Trace[]): string[] {
  const named = members.flatMap(({ run_id, rows }) =>
    rows.flatMap(({ entity_ids }) => entity_ids.map((id) => ({ id, run_id }))),
  );
  const counted = [...Map.groupBy(named, ({ id }) => id)].map(([id, all]) => ({
    id,
    runs: new Set(all.map(({ run_id }) => run_id)).size,
  }));
  const shared = counted.filter(({ runs }) => runs > 1);
  return shared.toSorted((a, b) => b.runs - a.runs || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}
