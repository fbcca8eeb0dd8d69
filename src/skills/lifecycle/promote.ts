import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { canonicalJson, isJsonObject } from "../../core/kernel/json.ts";
import type { Services } from "../../core/ports/context.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { Job } from "../../core/schema/job.ts";
import { SKILLS, slugOf } from "../../core/schema/skill.ts";
import { embedDocumentJobs } from "../../documents/embed.ts";
import { wordOf } from "../approval.ts";
import { bindingOf, UNBOUND } from "./binding.ts";
import type { SkillsFactory } from "./factory.ts";
import { skillsFactory } from "./factory.ts";
import type { Verdict } from "./gates.ts";
import { allPassed, judgeCandidate } from "./gates.ts";
import { moveSkill } from "./move.ts";
import { changeOf } from "./store.ts";

type PromoteJob = Extract<Job, { kind: "promote_skills" }>;

/** Candidates that one job judges. */
const CANDIDATES_PER_JOB = 50;
const PROMOTER: Actor = { agent_id: "promoter", auth_source: "worker" };

/**
 * Job: judges a tenant's candidates, oldest first, by the six gates, and moves those that pass all of them. What each gate
 * said stays on the candidate. Those behind the first fifty are left to a job of their own.
 */
export async function promoteSkills(
  services: Services,
  { payload, signal }: PromoteJob & { readonly signal?: AbortSignal },
): Promise<void> {
  const { tenant_id, offset } = payload;
  const factory = await skillsFactory(services, tenant_id);
  if (!factory.enabled) return;
  const filter = { tenant_id, collection: SKILLS, where: { status: "candidate", source: "forge" } };
  const page = { filter, order_by: "created_at", order: "asc", offset, limit: CANDIDATES_PER_JOB } as const;
  const candidates = await services.storage.documents.list(page);
  let stayed = 0;
  for (const candidate of candidates) {
    signal?.throwIfAborted();
    if (!(await promote(services, candidate, factory))) stayed++;
  }
  if (candidates.length < CANDIDATES_PER_JOB) return;
  const next = { kind: "promote_skills", payload: { tenant_id, offset: offset + stayed } } as const;
  await services.storage.jobs.add([next], services.clock.now());
}

/** True when the candidate is one no longer. */
async function promote(services: Services, candidate: StoredDocument, factory: SkillsFactory): Promise<boolean> {
  const verdicts = await judge(services, candidate, factory);
  const passed = allPassed(verdicts);
  const noted = { passed, verdicts: verdicts.map((verdict): JsonObject => ({ ...verdict })) };
  try {
    if (passed) await moveOn(services, candidate, { factory, noted });
    else await note(services, candidate, noted);
    return passed;
  } catch (error) {
    // Somebody else was quicker: whoever changed it has queued its own job.
    if (error instanceof AppError && error.code === "CONFLICT") return false;
    throw error;
  }
}

async function judge(services: Services, candidate: StoredDocument, { forge }: SkillsFactory): Promise<Verdict[]> {
  const { storage, clock } = services;
  const { tenant_id, fleet_id, doc_id, data } = candidate;
  const { cluster_fingerprint: fingerprint } = data;
  const now = toTimestamp(clock.now());
  const denylistedUntil =
    typeof fingerprint === "string"
      ? await storage.skills.denylistedUntil({ tenant_id, fleet_id, fingerprint, at: now })
      : undefined;
  const binding = bindingOf(candidate, await storage.skills.family(tenant_id, slugOf(doc_id)));
  return judgeCandidate({ data, thresholds: forge, nowMs: clock.now(), denylistedUntil, binding });
}

interface Passing {
  readonly factory: SkillsFactory;
  readonly noted: JsonObject;
}

async function moveOn(services: Services, seen: StoredDocument, { factory, noted }: Passing): Promise<void> {
  const { scan } = seen.data;
  const isClean = isJsonObject(scan) && scan.critical === 0;
  const move = factory.sentinel.auto_promote_clean && isClean ? "auto_promote" : "promote";
  await moveSkill(services, {
    seen,
    move,
    actor: PROMOTER,
    reason: "All six gates passed.",
    ...(move === "auto_promote" ? { word: wordOf(services, PROMOTER, "auto_promoted") } : {}),
    set: { gates: { ...noted, judged_at: toTimestamp(services.clock.now()) } },
    requires: (current, family) => {
      const binding = bindingOf(current, family);
      if (binding !== "bound") throw new AppError("CONFLICT", UNBOUND[binding]);
    },
  });
}

/** Keeps the verdicts on a candidate that stays one; the same ones as before are no news. */
async function note({ storage, clock }: Services, seen: StoredDocument, noted: JsonObject): Promise<void> {
  const { judged_at: _then, ...before } = isJsonObject(seen.data.gates) ? seen.data.gates : {};
  if (canonicalJson(before) === canonicalJson(noted)) return;
  const { tenant_id, collection, doc_id } = seen;
  await storage.skills.change({ tenant_id, collection, doc_id }, PROMOTER, (current) => {
    if (current?.data.status !== "candidate" || current.updated_at !== seen.updated_at)
      throw new AppError("CONFLICT", "The candidate changed meanwhile.");
    const gates = { ...noted, judged_at: toTimestamp(clock.now()) };
    const change = changeOf({ ...current, data: { ...current.data, gates } });
    // Looking at a candidate asks for no second look, only for what its new text makes of its vectors.
    return { ...change, action: "skill.judge", jobsFor: (document) => embedDocumentJobs(document) };
  });
}
