import { toTimestamp } from "../core/kernel/clock.ts";
import { byteLength } from "../core/kernel/text.ts";
import type { Services } from "../core/ports/context.ts";
import type { ForgeCluster, ForgeReason, ForgeRun } from "../core/schema/forge.ts";
import type { SkillCandidate } from "../skills/lifecycle/candidate.ts";
import { writeCandidate } from "../skills/lifecycle/candidate.ts";
import type { SkillsFactory } from "../skills/lifecycle/factory.ts";
import { candidateOf, centralEntities, runIdsOf } from "./candidate.ts";
import type { Cluster } from "./cluster.ts";
import { agentsOf, runsOf } from "./cluster.ts";
import { distil, sentencesOf } from "./distil.ts";
import type { SkillDraft } from "./draft.ts";
import type { ExistingSkill } from "./existing.ts";
import { drawnFrom, freeSlug, skillWithSameTerms, toExisting } from "./existing.ts";
import { clusterFingerprint } from "./fingerprint.ts";
import { rewriteDraft } from "./wording/llm-rewrite.ts";

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
  /** Addresses of the skills that this run has worked off already. */
  readonly done: Set<string>;
  readonly budget: Budget;
}

/** Sentences embedded at a time: a job that is told to stop does so soon. */
const SENTENCES_PER_STEP = 32;
/** Characters of a draft that make a token, and how often a rewriting model sees them: once in, once out. */
const CHARACTERS_PER_TOKEN = 3;
const TIMES_SEEN = 2;
/** What a rewritten summary must begin with, or the draft's own stays. */
const TRIGGER = "Use when";

/** Turns one cluster into a candidate, unless a gate, an earlier skill or a bound is in the way. */
export async function processClusters(services: Services, input: ProcessInput): Promise<ForgeCluster> {
  const { cluster, factory } = input;
  const size = runsOf(cluster.members);
  const distinct_agents = agentsOf(cluster.members).length;
  const told = { size, distinct_agents, detail: null, doc_id: null, fingerprint: null };
  if (size < factory.forge.min_cluster_size) return skipped(told, "volume");
  if (distinct_agents < factory.forge.min_distinct_agents) return skipped(told, "diversity");
  // Most runs were read before: what became of them then is known without distilling them again.
  const earlier = drawnFrom(runIdsOf(cluster.members), ownSkills(input));
  const settled = earlier && settledBy(earlier, input, told);
  if (settled) return settled;
  if (earlier && (await isPoisoned(services, input, earlier.fingerprint)))
    return skipped({ ...told, fingerprint: earlier.fingerprint, doc_id: earlier.doc_id }, "poisoned");
  const draft = await draftOf(services, input);
  if (!draft) return skipped(told, "no_common_steps");
  return offer(services, input, { draft, told, earlier });
}

/** What another fleet's runs became is another fleet's, however alike. */
const ownSkills = ({ existing, cluster }: ProcessInput): ExistingSkill[] =>
  existing.filter(({ fleet_id }) => fleet_id === cluster.fleet_id);

type Told = Omit<ForgeCluster, "outcome" | "reason">;

const skipped = (told: Told, reason: ForgeReason, more: Partial<Told> = {}): ForgeCluster => ({
  ...told,
  ...more,
  outcome: "skipped",
  reason,
});

async function draftOf(services: Services, { cluster, factory, signal }: ProcessInput): Promise<SkillDraft | null> {
  const { embedder } = services;
  const sentences = sentencesOf(cluster);
  const vectors = new Map<string, Float32Array>();
  // A model that cannot be loaded leaves the words, which align the runs worse, but do.
  const isBroken = embedder.state().phase === "failed";
  for (let i = 0; i < sentences.length && !isBroken; i += SENTENCES_PER_STEP) {
    const texts = sentences.slice(i, i + SENTENCES_PER_STEP);
    const options = { role: "passage", priority: "background", signal } as const;
    for (const [k, vector] of (await embedder.embed(texts, options)).entries()) vectors.set(texts[k] ?? "", vector);
  }
  return distil(cluster, { vectors, center: embedder.center, description_max_bytes: factory.description_max_bytes });
}

interface Offer {
  readonly draft: SkillDraft;
  /** The skill that was drawn from the same runs, and may be written again. */
  readonly earlier: ExistingSkill | null;
  readonly told: Told;
}

/** Statuses of a skill whose place a new candidate may take: it has another address, and waits for the same gates. */
const GONE = ["rejected", "stale"];

async function offer(services: Services, input: ProcessInput, { draft, told, earlier }: Offer): Promise<ForgeCluster> {
  const { run, cluster, existing, budget } = input;
  const own = clusterFingerprint({ ...draft, entities: centralEntities(cluster.members) });
  const same = earlier ?? skillWithSameTerms(draft, own, ownSkills(input));
  const settled = same && same !== earlier && settledBy(same, input, told);
  if (settled) return settled;
  // A rejected skill keeps its fingerprint, so that neither new runs nor other words get round the reject.
  const known = { ...told, fingerprint: same?.fingerprint || own, doc_id: same?.doc_id ?? null };
  if (await isPoisoned(services, input, known.fingerprint)) return skipped(known, "poisoned");
  if (budget.writes <= 0) return skipped(known, "write_cap");
  const slug = same?.status === "candidate" ? same.slug : freeSlug(draft.slug, existing);
  const rewritten = await rewrite(services, input, { ...draft, slug });
  const candidate = candidateOf({ run, cluster, draft: rewritten, fingerprint: known.fingerprint });
  return write(services, input, { candidate, told: known });
}

/** Whether what has this fingerprint was rejected lately: it is asked before a model works for nothing. */
async function isPoisoned(
  { storage, clock }: Services,
  { run, cluster }: ProcessInput,
  fingerprint: string,
): Promise<boolean> {
  const asked = { tenant_id: run.tenant_id, fleet_id: cluster.fleet_id, fingerprint, at: toTimestamp(clock.now()) };
  return (await storage.skills.denylistedUntil(asked)) !== null;
}

/** What becomes of a cluster whose skill was written before; null when it may be written, again or anew. */
function settledBy(same: ExistingSkill, { run, cluster, done }: ProcessInput, told: Told): ForgeCluster | null {
  const { doc_id, fingerprint, status } = same;
  const known = { ...told, doc_id, fingerprint };
  // The runs of one procedure may lie in two clusters; the larger one has had its turn.
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

/** The draft in the words of a language model, where there is one, it may still be asked, and its answer keeps the rules. */
async function rewrite(
  { llm }: Services,
  { factory, signal, budget }: ProcessInput,
  draft: SkillDraft,
): Promise<SkillDraft> {
  const cost = (draft.content.length / CHARACTERS_PER_TOKEN) * TIMES_SEEN;
  if (!llm || cost > budget.tokens) return draft;
  budget.tokens -= cost;
  const found = await rewriteDraft(llm, draft, signal);
  if (!found || byteLength(found.description) > factory.description_max_bytes) return draft;
  return { ...draft, ...found, summary: found.summary.startsWith(TRIGGER) ? found.summary : draft.summary };
}

async function write(
  services: Services,
  { run, existing, done, budget }: ProcessInput,
  { candidate, told }: { readonly candidate: SkillCandidate; readonly told: Told },
): Promise<ForgeCluster> {
  const result = await writeCandidate(services, run.tenant_id, candidate);
  switch (result.outcome) {
    case "candidate":
    case "quarantined": {
      budget.writes--;
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
