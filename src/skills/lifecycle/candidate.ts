import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { Services } from "../../core/ports/context.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import { skillsFactory } from "./factory.ts";
import { storeSkill } from "./store.ts";

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

/** Who acts where the Forge does, and no caller. */
export const FORGE: Actor = { agent_id: "forge", auth_source: "worker" };

/**
 * Stores what the Forge distilled at `forge/<slug>` by the rules of all skills, and queues its promotion. Writing the same
 * candidate again replaces it. What the rules refuse is an outcome; only a fault of storage throws.
 */
export async function writeCandidate(
  services: Services,
  tenant_id: string,
  candidate: SkillCandidate,
): Promise<CandidateOutcome> {
  try {
    const document = await storeSkill(services, {
      tenant_id,
      doc_id: `forge/${candidate.slug}`,
      fleet_id: candidate.fleet_id,
      named_fleet: candidate.fleet_id,
      data: toData(candidate),
      role: "worker",
      agent_id: FORGE.agent_id,
      actor: FORGE,
      factory: await skillsFactory(services, tenant_id),
      embedNow: false,
      word: null,
    });
    return { outcome: document.data.status === "quarantined" ? "quarantined" : "candidate", document };
  } catch (error) {
    const outcome = error instanceof AppError ? outcomeOf(error) : null;
    if (outcome) return outcome;
    throw error;
  }
}

function toData(candidate: SkillCandidate): JsonObject {
  const { fleet_id: _fleet, run_id, cluster_size, distinct_agents, window_end, tags, cites, ...shown } = candidate;
  const origin = { session_key: null, message_id: null, run_id, cluster_size, distinct_agents, window_end };
  return { ...shown, tags: [...tags], cites: [...cites], kind: "create", source: "forge", version: "v1", origin };
}

function outcomeOf({ code, message, details }: AppError): CandidateOutcome | null {
  if (code === "INVALID_ARGUMENTS") return { outcome: "refused", reason: message };
  if (code !== "CONFLICT") return null;
  return details?.poisoned_until === undefined
    ? { outcome: "skipped", status: String(details?.status) }
    : { outcome: "poisoned" };
}
