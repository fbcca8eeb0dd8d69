import type { Services } from "../ports/context.ts";
import type { ForgeCluster, ForgeReason, ForgeRun } from "../schema/forge.ts";
import type { SkillCandidate } from "../skills/candidate.ts";
import { writeCandidate } from "../skills/candidate.ts";
import type { SkillsFactory } from "../skills/factory.ts";
import type { Cluster } from "./cluster.ts";
import { agentsOf, runsOf } from "./cluster.ts";
import { distil, sentencesOf } from "./distil.ts";
import type { SkillDraft } from "./draft.ts";
import type { ExistingSkill } from "./existing.ts";
import { freeSlug, sameSkill, toExisting } from "./existing.ts";
import { clusterFingerprint } from "./fingerprint.ts";
import type { Trace } from "./traces.ts";

export interface WorkInput {
  readonly run: ForgeRun;
  readonly factory: SkillsFactory;
  readonly signal: AbortSignal | undefined;
  readonly cluster: Cluster;
  /** Skills that the Forge wrote before; what this run writes joins them, the newest first. */
  readonly existing: ExistingSkill[];
  /** Addresses of the skills that this run has worked off already. */
  readonly done: Set<string>;
  readonly mayWrite: boolean;
}

/** Runs and agents that the evidence of a skill names. */
const EVIDENCE_MAX = 50;
/** Sentences embedded at a time: a job that is told to stop does so soon. */
const SENTENCES_PER_STEP = 32;

/** Turns one cluster into a candidate, unless a gate, an earlier skill or a bound is in the way. */
export async function workOff(services: Services, input: WorkInput): Promise<ForgeCluster> {
  const { cluster, factory } = input;
  const size = runsOf(cluster.members);
  const distinct_agents = agentsOf(cluster.members).length;
  const told: Told = { size, distinct_agents, detail: null, doc_id: null, fingerprint: null };
  if (size < factory.forge.min_cluster_size) return skipped(told, "volume");
  if (distinct_agents < factory.forge.min_distinct_agents) return skipped(told, "diversity");
  const draft = await draftOf(services, input);
  if (!draft) return skipped(told, "no_common_steps");
  return offer(services, input, { draft, told });
}

type Told = Omit<ForgeCluster, "outcome" | "reason">;

const skipped = (told: Told, reason: ForgeReason, more: Partial<Told> = {}): ForgeCluster => ({
  ...told,
  ...more,
  outcome: "skipped",
  reason,
});

async function draftOf(services: Services, { cluster, factory, signal }: WorkInput): Promise<SkillDraft | null> {
  const { embedder } = services;
  const sentences = sentencesOf(cluster);
  const vectors = new Map<string, Float32Array>();
  // A model that cannot be loaded leaves the words, which align the runs worse, but do.
  const isBroken = embedder.state().phase === "failed";
  for (let i = 0; i < sentences.length && !isBroken; i += SENTENCES_PER_STEP) {
    const texts = sentences.slice(i, i + SENTENCES_PER_STEP);
    const options = { role: "passage", priority: "background", ...(signal ? { signal } : {}) } as const;
    for (const [k, vector] of (await embedder.embed(texts, options)).entries()) vectors.set(texts[k] ?? "", vector);
  }
  return distil(cluster, { vectors, center: embedder.center, description_max_bytes: factory.description_max_bytes });
}

interface Offer {
  readonly draft: SkillDraft;
  readonly told: Told;
}

async function offer(services: Services, input: WorkInput, { draft, told }: Offer): Promise<ForgeCluster> {
  const { run, cluster, existing, done } = input;
  const runs = [...new Set(cluster.members.map(({ run_id }) => run_id))];
  const own = clusterFingerprint({ ...draft, entities: centralEntities(cluster.members) });
  const same = sameSkill(draft, { fingerprint: own, runs }, existing);
  // A rejected skill keeps its fingerprint, so that neither new runs nor other words get round the reject.
  const fingerprint = same?.fingerprint || own;
  const doc_id = same?.doc_id ?? null;
  // The runs of one procedure may lie in two clusters; the larger one has had its turn.
  if (same && done.has(same.doc_id)) return skipped(told, "duplicate", { doc_id, fingerprint });
  if (same) done.add(same.doc_id);
  if (same?.written_by === run.id) return { ...told, outcome: "written", reason: null, doc_id, fingerprint };
  if (same && same.status !== "candidate" && same.status !== "rejected")
    return skipped(told, "not_a_candidate", { detail: same.status, doc_id, fingerprint });
  if (same?.status === "candidate" && isSameEvidence(same, runs))
    return skipped(told, "unchanged", { doc_id, fingerprint });
  if (!input.mayWrite) return skipped(told, "write_cap", { doc_id, fingerprint });
  const kept = same?.status === "candidate" ? same : null;
  const candidate = candidateOf(input, {
    draft: kept ? { ...draft, slug: kept.slug } : { ...draft, slug: freeSlug(draft.slug, existing) },
    fingerprint,
    runs,
  });
  return write(services, input, { candidate, told: { ...told, fingerprint } });
}

const isSameEvidence = (skill: ExistingSkill, runs: readonly string[]): boolean => {
  const shown = runs.slice(0, EVIDENCE_MAX);
  return skill.runs.length === shown.length && shown.every((run) => skill.runs.includes(run));
};

async function write(
  services: Services,
  { run, existing, done }: WorkInput,
  { candidate, told }: { readonly candidate: SkillCandidate; readonly told: Told },
): Promise<ForgeCluster> {
  const result = await writeCandidate(services, run.tenant_id, candidate);
  switch (result.outcome) {
    case "candidate":
    case "quarantined": {
      existing.unshift(toExisting(result.document));
      done.add(result.document.doc_id);
      const detail = result.outcome === "quarantined" ? "quarantined" : null;
      return { ...told, outcome: "written", reason: null, detail, doc_id: result.document.doc_id };
    }
    case "poisoned":
      return skipped(told, "poisoned");
    case "refused":
      return skipped(told, "refused", { detail: result.reason });
    case "skipped":
      return skipped(told, "not_a_candidate", { detail: result.status, doc_id: `forge/${candidate.slug}` });
    default:
      return result satisfies never;
  }
}

function candidateOf(
  { run, cluster: { members, failed } }: WorkInput,
  found: { readonly draft: SkillDraft; readonly fingerprint: string; readonly runs: readonly string[] },
): SkillCandidate {
  const { steps, cites, ...draft } = found.draft;
  const instants = members.flatMap(({ rows }) => rows.map(({ created_at }) => created_at)).sort();
  const agents = agentsOf(members);
  const window_end = instants.at(-1) ?? run.requested_at;
  return {
    ...draft,
    cites,
    fleet_id: commonFleet(members),
    cluster_fingerprint: found.fingerprint,
    run_id: run.id,
    cluster_size: runsOf(members),
    distinct_agents: agents.length,
    window_end,
    evidence: {
      window_start: instants[0] ?? window_end,
      window_end,
      run_ids: found.runs.slice(0, EVIDENCE_MAX),
      agent_ids: agents.slice(0, EVIDENCE_MAX),
      memory_ids: [...cites],
      failed_runs: failed.length,
      steps: [...steps],
    },
  };
}

/** The fleet of all rows; null, the whole tenant, where they differ or have none. */
function commonFleet(members: readonly Trace[]): string | null {
  const fleets = new Set(members.flatMap(({ rows }) => rows.map(({ fleet_id }) => fleet_id)));
  const [fleet = null] = fleets;
  return fleets.size === 1 ? fleet : null;
}

/** Entities that at least two of the runs name, those of most runs first. */
function centralEntities(members: readonly Trace[]): string[] {
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
