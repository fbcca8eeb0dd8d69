import { toTimestamp } from "../core/kernel/clock.ts";
import type { Services } from "../core/ports/context.ts";
import type { ForgeCluster, ForgeReason, ForgeRun } from "../core/schema/forge.ts";
import { writeCandidate } from "../skills/lifecycle/candidate.ts";
import type { SkillsFactory } from "../skills/lifecycle/factory.ts";
import { candidateOf, centralEntities, runIdsOf } from "./candidate.ts";
import type { Cluster } from "./cluster.ts";
import { agentsOf, runsOf } from "./cluster.ts";
import { draftOf } from "./draft.ts";
import type { ExistingSkill } from "./existing.ts";
import { drawnFrom, freeSlug, skillWithSameTerms, toExisting } from "./existing.ts";
import { clusterFingerprint } from "./fingerprint.ts";
import { rewriteWithin } from "./wording/llm-rewrite.ts";

/** What a run of the Forge may still spend. */
export interface Budget {
  writes: number;
  /** Tokens of a language model, as far as they can be known beforehand. */
  tokens: number;
}

export interface ProcessInput {
  readonly run: ForgeRun;
  readonly factory: SkillsFactory;
  readonly signal: AbortSignal;
  readonly cluster: Cluster;
  /** Skills that the Forge wrote before; what this run writes joins them, the newest first. */
  readonly existing: ExistingSkill[];
  /** Addresses of the skills that this run has processed already. */
  readonly done: Set<string>;
  readonly budget: Budget;
}

type Facts = Omit<ForgeCluster, "outcome" | "reason">;

/**
 * Turns one cluster into a candidate: gates, what is known of its runs, draft, what is known of such a draft, rewriting,
 * writing. The first of them that stands in the way ends it; the reply names which.
 */
export async function processCluster(services: Services, input: ProcessInput): Promise<ForgeCluster> {
  const { run, cluster, factory, existing, budget, signal } = input;
  const { members } = cluster;
  const facts = factsOf(cluster);
  if (facts.size < factory.forge.min_cluster_size) return skipped(facts, "volume");
  if (facts.distinct_agents < factory.forge.min_distinct_agents) return skipped(facts, "diversity");

  // What another fleet's runs became is another fleet's, however alike.
  const ofFleet = existing.filter(({ fleet_id }) => fleet_id === cluster.fleet_id);
  // Most runs were read before: what became of them then is known without distilling them again.
  const earlier = drawnFrom(runIdsOf(members), ofFleet);
  const decided =
    earlier && (decidedBy(earlier, input, facts) ?? (await deniedAs(services, input, factsWith(facts, earlier))));
  if (decided) return decided;

  const draft = await draftOf(services, cluster, { description_max_bytes: factory.description_max_bytes, signal });
  if (!draft) return skipped(facts, "no_common_steps");

  const own = clusterFingerprint({ ...draft, entities: centralEntities(members) });
  const same = earlier ?? skillWithSameTerms(draft, own, ofFleet);
  // A rejected skill keeps its fingerprint, so that neither new runs nor other words get round the reject.
  const known = { ...facts, fingerprint: same?.fingerprint || own, doc_id: same?.doc_id ?? null };
  const refused =
    (same !== null && same !== earlier ? decidedBy(same, input, facts) : null) ??
    (await deniedAs(services, input, known));
  if (refused) return refused;
  if (budget.writes <= 0) return skipped(known, "write_cap");

  const slug = same?.status === "candidate" ? same.slug : freeSlug(draft.slug, existing);
  const { description_max_bytes } = factory;
  const rewritten = await rewriteWithin(services, { ...draft, slug }, { budget, description_max_bytes, signal });
  const candidate = candidateOf({ run, cluster, draft: rewritten, fingerprint: known.fingerprint });
  return reportOf(await writeCandidate(services, run.tenant_id, candidate), slug, input, known);
}

const factsOf = ({ members }: Cluster): Facts => ({
  size: runsOf(members),
  distinct_agents: agentsOf(members).length,
  detail: null,
  doc_id: null,
  fingerprint: null,
});

const factsWith = (facts: Facts, { fingerprint, doc_id }: ExistingSkill) => ({ ...facts, fingerprint, doc_id });

const skipped = (facts: Facts, reason: ForgeReason, more: Partial<Facts> = {}): ForgeCluster => ({
  ...facts,
  ...more,
  outcome: "skipped",
  reason,
});

/** Statuses of a skill whose place a new candidate may take: it has another address, and waits for the same gates. */
const GONE = ["rejected", "stale"];

/** What becomes of a cluster whose skill was written before; null when it may be written, once more or for the first time. */
function decidedBy(same: ExistingSkill, { run, cluster, done }: ProcessInput, facts: Facts): ForgeCluster | null {
  const { doc_id, status } = same;
  const known = factsWith(facts, same);
  // The runs of one procedure may lie in two clusters; the larger one came first.
  if (done.has(doc_id)) return skipped(known, "duplicate");
  done.add(doc_id);
  if (same.written_by === run.id) return { ...known, outcome: "written", reason: null };
  if (status === "candidate") return isSameEvidence(same, cluster) ? skipped(known, "unchanged") : null;
  return GONE.includes(status) ? null : skipped(known, "not_a_candidate", { detail: status });
}

function isSameEvidence({ runs }: ExistingSkill, { members }: Cluster): boolean {
  const shown = runIdsOf(members);
  return runs.length === shown.length && shown.every((run) => runs.includes(run));
}

/** Skipped where what has this fingerprint was rejected lately: it is asked before a model works for nothing. */
async function deniedAs(
  { storage, clock }: Services,
  { run, cluster }: ProcessInput,
  known: Facts & { readonly fingerprint: string },
): Promise<ForgeCluster | null> {
  const { fingerprint } = known;
  const asked = { tenant_id: run.tenant_id, fleet_id: cluster.fleet_id, fingerprint, at: toTimestamp(clock.now()) };
  return (await storage.skills.denylistedUntil(asked)) === null ? null : skipped(known, "poisoned");
}

/** What the report of a run says of a candidate that was offered; one that was stored joins the existing skills. */
function reportOf(
  result: Awaited<ReturnType<typeof writeCandidate>>,
  slug: string,
  { existing, done, budget }: ProcessInput,
  facts: Facts,
): ForgeCluster {
  switch (result.outcome) {
    case "candidate":
    case "quarantined": {
      budget.writes--;
      existing.unshift(toExisting(result.document));
      done.add(result.document.doc_id);
      const detail = result.outcome === "quarantined" ? "quarantined" : null;
      return { ...facts, outcome: "written", reason: null, detail, doc_id: result.document.doc_id };
    }
    case "poisoned":
      return skipped(facts, "poisoned");
    case "refused":
      return skipped(facts, "refused", { detail: result.reason });
    case "skipped":
      return skipped(facts, "not_a_candidate", { detail: result.status, doc_id: `forge/${slug}` });
    default:
      return result satisfies never;
  }
}
