import { embedDocumentJobs } from "../documents/embed.ts";
import { searchableOf } from "../documents/searchable.ts";
import { toTimestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/hash.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Services } from "../ports/context.ts";
import type { StoredDocument } from "../ports/document-store.ts";
import { SKILLS } from "../schema/skill.ts";

/** A skill that the Forge drew from runs, before any rule has looked at it. */
export interface SkillCandidate {
  /** Bare name; the document lies at `forge/<slug>`. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** The sentence that search embeds: when to use it. */
  readonly summary: string;
  readonly content: string;
  readonly domain: string;
  readonly tags: readonly string[];
  readonly fleet_id: string | null;
  /** `fp:v1:…` of the cluster: what a reject bars for a while. */
  readonly cluster_fingerprint: string;
  /** The run of the Forge that wrote it. */
  readonly run_id: string;
  readonly cluster_size: number;
  readonly distinct_agents: number;
  /** Instant of the newest run of the cluster. */
  readonly window_end: string;
  /** Ids of the memories it was drawn from. */
  readonly cites: readonly string[];
  /** What else is known of the runs, shown in the inbox. */
  readonly evidence?: JsonObject;
  readonly goal?: string;
}

export type CandidateOutcome =
  /** Stored with status `candidate`, or `quarantined` when the scan found something critical. */
  | { readonly outcome: "candidate" | "quarantined"; readonly document: StoredDocument }
  /** The scan, or a rule of form, refused it; nothing is stored. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** The fingerprint was rejected not long ago; nothing is stored. */
  | { readonly outcome: "poisoned" }
  /** `forge/<slug>` is there already and no candidate any more; it stays as it is. */
  | { readonly outcome: "skipped"; readonly status: string };

/** Stores what the Forge distilled at `forge/<slug>` and queues its promotion. Writing the same candidate again replaces it. */
export async function writeCandidate(
  { storage, clock }: Services,
  tenant_id: string,
  { slug, fleet_id, run_id, cluster_size, distinct_agents, window_end, ...shown }: SkillCandidate,
): Promise<CandidateOutcome> {
  const doc_id = `forge/${slug}`;
  const data: JsonObject = {
    ...shown,
    tags: [...shown.tags],
    cites: [...shown.cites],
    slug,
    kind: "create",
    source: "forge",
    status: "candidate",
    created_at: toTimestamp(clock.now()),
    content_hash: `sha256:${sha256(shown.content)}`,
    origin: { agent_id: "forge", run_id, cluster_size, distinct_agents, window_end },
  };
  const actor = { agent_id: "forge", auth_source: "worker" };
  const { after } = await storage.documents.upsert({ tenant_id, collection: SKILLS, doc_id }, actor, () => ({
    fleet_id,
    data,
    searchable: searchableOf(SKILLS, doc_id, data),
    vector: null,
    embedded_by: null,
    action: "skill.write",
    jobsFor: embedDocumentJobs,
  }));
  return { outcome: "candidate", document: after };
}
