import { AppError } from "../kernel/errors.ts";
import type { JsonObject } from "../kernel/json.ts";
import { isJsonObject } from "../kernel/json.ts";
import type { Services } from "../ports/context.ts";
import type { DocumentFilter, StoredDocument } from "../ports/document-store.ts";
import type { Actor } from "../ports/memory-store.ts";
import type { Job } from "../schema/job.ts";
import type { MemoryStatus } from "../schema/memory.ts";
import { SKILL_UPDATES, SKILLS, slugOf } from "../schema/skill.ts";
import { bindingOf, liveOf, targetOf, UNBOUND } from "./binding.ts";
import { skillsFactory } from "./factory.ts";
import type { Move } from "./lifecycle.ts";
import { moveSkill } from "./move.ts";

type ReviewJob = Extract<Job, { kind: "review_skills" }>;

/** How often every tenant's skills are looked at, whatever happened. */
const LOOK_MS = 60 * 60_000;
const PAGE = 100;
/** Memories of one skill that are looked up. */
const EVIDENCE_MAX = 1_000;
const REVIEWER: Actor = { agent_id: "reviewer", auth_source: "worker" };

/** Job: queues the review of every tenant that has skills. Returns when to do so again. */
export async function scheduleReviews({ storage, clock }: Services): Promise<number> {
  for (const tenant_id of await storage.skills.tenants())
    await storage.jobs.add([{ kind: "review_skills", payload: { tenant_id } }], clock.now());
  return clock.now() + LOOK_MS;
}

/**
 * Job: takes out of use what time has overtaken. An active skill that an approved update replaced becomes deprecated; one
 * whose evidence no longer stands becomes stale, and so does a pending update whose target changed.
 */
export async function reviewSkills(
  services: Services,
  { payload: { tenant_id }, signal }: ReviewJob & { readonly signal?: AbortSignal },
): Promise<void> {
  if (!(await skillsFactory(services, tenant_id)).enabled) return;
  for (const { collection = SKILLS, where, review } of REVIEWS) {
    for (const skill of await allOf(services, { tenant_id, collection, where })) {
      signal?.throwIfAborted();
      await review(services, skill);
    }
  }
}

type Review = (services: Services, skill: StoredDocument) => Promise<void>;

const REVIEWS: readonly { readonly collection?: string; readonly where: JsonObject; readonly review: Review }[] = [
  { where: { status: "active", kind: "update" }, review: retireTarget },
  { where: { status: "active" }, review: retireUnfounded },
  { where: { status: "candidate", kind: "update" }, review: retireUnbound },
  { where: { status: "staged", kind: "update" }, review: retireUnbound },
  { collection: SKILL_UPDATES, where: { status: "staged" }, review: retireUnbound },
];

/** All skills of a kind; their moves while they are worked off change no page. */
async function allOf({ storage }: Services, filter: DocumentFilter): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await storage.documents.list({ filter, order_by: "created_at", order: "asc", offset, limit: PAGE });
    // What they say is of no interest here, and may be long.
    found.push(...page.map(withoutTexts));
    if (page.length < PAGE) return found;
  }
}

function withoutTexts(skill: StoredDocument): StoredDocument {
  const { content: _content, support_files: _files, scan: _scan, ...data } = skill.data;
  return { ...skill, data };
}

async function retireTarget(services: Services, update: StoredDocument): Promise<void> {
  const { tenant_id, doc_id } = update;
  const target = targetOf(update.data);
  if (target.doc_id === doc_id) return;
  const family = await services.storage.skills.family(tenant_id, slugOf(doc_id));
  const replaced = liveOf(family).find((one) => one.doc_id === target.doc_id);
  if (replaced?.data.content_hash !== target.hash) return;
  await retire(services, replaced, "replace", `Replaced by ${doc_id}.`);
}

async function retireUnfounded(services: Services, skill: StoredDocument): Promise<void> {
  const ids = evidenceOf(skill.data);
  if (ids.length === 0) return;
  const statuses = await services.storage.skills.memoryStatuses(skill.tenant_id, ids);
  if (isUnfounded([...statuses.values()]))
    await retire(services, skill, "outlive", "Every memory that it was drawn from is outdated, conflicted or deleted.");
}

const FALLEN: readonly MemoryStatus[] = ["outdated", "conflicted", "deleted"];

/** Whether nothing is left to rely on; what never was a memory says nothing. */
export const isUnfounded = (statuses: readonly MemoryStatus[]): boolean =>
  statuses.length > 0 && statuses.every((status) => FALLEN.includes(status));

/** Ids of the memories that a skill names. */
export function evidenceOf({ cites, evidence }: JsonObject): string[] {
  const named = isJsonObject(evidence) ? evidence.memory_ids : undefined;
  const all = [cites, named].flatMap((list) => (Array.isArray(list) ? list : []));
  const ids = all.filter((id): id is string => typeof id === "string").map((id) => id.toLowerCase());
  return [...new Set(ids)].slice(0, EVIDENCE_MAX);
}

async function retireUnbound(services: Services, update: StoredDocument): Promise<void> {
  const family = await services.storage.skills.family(update.tenant_id, slugOf(update.doc_id));
  const binding = bindingOf(update, family);
  if (binding !== "bound") await retire(services, update, "unbind", `Its target is gone: ${UNBOUND[binding]}.`);
}

/** A skill that somebody changed meanwhile is left for the next look. */
async function retire(services: Services, seen: StoredDocument, move: Move, reason: string): Promise<void> {
  try {
    await moveSkill(services, { seen, move, actor: REVIEWER, reason });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "CONFLICT" && error.code !== "NOT_FOUND") throw error;
  }
}
