import { AppError } from "../../core/kernel/errors.ts";
import { yieldToEventLoop } from "../../core/kernel/event-loop.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { Services } from "../../core/ports/context.ts";
import type { DocumentFilter, StoredDocument } from "../../core/ports/document-store.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { Job } from "../../core/schema/job.ts";
import type { MemoryStatus } from "../../core/schema/memory.ts";
import { FALLEN_STATUSES } from "../../core/schema/memory.ts";
import { SKILL_UPDATES, SKILLS, slugOf } from "../../core/schema/skill.ts";
import { bindingOf, liveOf, targetOf, UNBOUND } from "./binding.ts";
import { skillsFactory } from "./factory.ts";
import { moveSkill } from "./move.ts";
import type { Move } from "./transitions.ts";

type ReviewJob = Extract<Job, { kind: "review_skills" }>;

/** How often every tenant's skills are looked at, whatever happened. */
const LOOK_MS = 60 * 60_000;
const PAGE = 100;
/** Memories of one skill that are looked up, and of all skills by one read. */
const EVIDENCE_MAX = 1_000;
const REVIEWER: Actor = { agent_id: "reviewer", auth_source: "worker" };

/** Job: queues the review of every tenant that has skills. Returns when to do so again. */
export async function scheduleReviews({ storage, clock }: Services): Promise<number> {
  for (const tenant_id of await storage.skills.tenants())
    await storage.jobs.add([{ kind: "review_skills", payload: { tenant_id } }], clock.now());
  return clock.now() + LOOK_MS;
}

/**
 * Job: takes out of use what time has superseded. An active skill that an approved update replaced becomes deprecated; one
 * whose evidence no longer stands becomes stale, and so does a pending update whose target changed.
 */
export async function reviewSkills(
  services: Services,
  { payload: { tenant_id }, signal }: ReviewJob & { readonly signal?: AbortSignal },
): Promise<void> {
  if (!(await skillsFactory(services, tenant_id)).enabled) return;
  for (const { collection = SKILLS, where, review } of REVIEWS) {
    const skills = await allOf(services, { tenant_id, collection, where });
    for (let i = 0; i < skills.length; i += PAGE) {
      signal?.throwIfAborted();
      await review(services, skills.slice(i, i + PAGE));
      await yieldToEventLoop();
    }
  }
}

/** Looks at one page of skills of a tenant. */
type Review = (services: Services, skills: readonly StoredDocument[]) => Promise<void>;

const each =
  (review: (services: Services, skill: StoredDocument) => Promise<void>): Review =>
  async (services, skills) => {
    for (const skill of skills) await review(services, skill);
  };

const REVIEWS: readonly { readonly collection?: string; readonly where: JsonObject; readonly review: Review }[] = [
  { where: { status: "active", kind: "update" }, review: each(retireTarget) },
  { where: { status: "active" }, review: retireUnfounded },
  { where: { status: "candidate", kind: "update" }, review: each(retireUnbound) },
  { where: { status: "staged", kind: "update" }, review: each(retireUnbound) },
  { collection: SKILL_UPDATES, where: { status: "staged" }, review: each(retireUnbound) },
];

/** What skills say is of no interest here, and may be long. */
const TEXTS = ["content", "support_files", "scan"];

/** All skills of a kind, without their texts; their moves while they are worked off change no page. */
async function allOf({ storage }: Services, filter: DocumentFilter): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const asked = { filter, order_by: "created_at", order: "asc", offset, limit: PAGE, without: TEXTS } as const;
    const page = await storage.documents.list(asked);
    found.push(...page);
    if (page.length < PAGE) return found;
    await yieldToEventLoop();
  }
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

async function retireUnfounded(services: Services, skills: readonly StoredDocument[]): Promise<void> {
  const named = skills.map((skill) => ({ skill, ids: evidenceOf(skill.data) }));
  const [first] = skills;
  if (!first) return;
  const statuses = await statusesOf(services, first.tenant_id, [...new Set(named.flatMap(({ ids }) => ids))]);
  for (const { skill, ids } of named) {
    if (isUnfounded(ids.flatMap((id) => statuses.get(id) ?? [])))
      await retire(
        services,
        skill,
        "outlive",
        "Every memory that it was drawn from is outdated, conflicted or deleted.",
      );
  }
}

async function statusesOf(
  { storage }: Services,
  tenant_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemoryStatus>> {
  const found = new Map<string, MemoryStatus>();
  for (let i = 0; i < ids.length; i += EVIDENCE_MAX) {
    const some = await storage.skills.memoryStatuses(tenant_id, ids.slice(i, i + EVIDENCE_MAX));
    for (const [id, status] of some) found.set(id, status);
  }
  return found;
}

/** Whether nothing is left to rely on; what never was a memory says nothing. */
export const isUnfounded = (statuses: readonly MemoryStatus[]): boolean =>
  statuses.length > 0 && statuses.every((status) => FALLEN_STATUSES.includes(status));

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
