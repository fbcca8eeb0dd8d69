import { actorOf } from "../access/actor.ts";
import { ACTIVE } from "../access/skill-visibility.ts";
import { requireTenant } from "../access/tenant.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { InboxMoved, SkillApproveBody } from "../core/schema/skill.ts";
import { SKILLS, skillDigest } from "../core/schema/skill.ts";
import { noSuchDocument } from "../documents/view.ts";
import { approvalFor, isApproved, isDeliverable, wordOf } from "./approval.ts";
import { approveSkill, requireClean } from "./lifecycle/approve.ts";
import { skillsFactory } from "./lifecycle/factory.ts";
import { requireReviewer } from "./lifecycle/inbox.ts";
import { fault } from "./lifecycle/rules.ts";
import { changeOf } from "./lifecycle/store.ts";
import { isStatus } from "./lifecycle/transitions.ts";

/**
 * Delivers a skill as a person has read it from now on, after a scan: where the factory is on, what waits in the inbox goes by
 * the inbox. Throws SKILLS_INBOX_FORBIDDEN, NOT_FOUND, CONFLICT for another text or a skill that is delivered already, and
 * INVALID_ARGUMENTS for what no skill can be or the scan does not find clean.
 */
export async function deliverSkill(
  ctx: Ctx,
  { tenant_id: named, doc_id, digest }: SkillApproveBody,
): Promise<InboxMoved> {
  requireReviewer(ctx);
  const key = { tenant_id: requireTenant(ctx, named), collection: SKILLS, doc_id };
  const skill = await ctx.storage.documents.get(key);
  if (!skill) throw noSuchDocument();
  const factory = await skillsFactory(ctx, key.tenant_id);
  const status = typeof skill.data.status === "string" ? skill.data.status : "document";
  if (factory.enabled && !isStatus(skill.data.status))
    throw new AppError("CONFLICT", "This is a plain document: write it again, now that the skill factory is on.");
  if (factory.enabled && status !== ACTIVE) return approveSkill(ctx, { ...key, doc_id: skill.doc_id }, { digest });
  requireSame(skill, digest);
  if (isApproved(skill)) throw new AppError("CONFLICT", "This skill is approved already.");
  if (!isDeliverable(skill.data))
    throw fault("content", "and data.description are what a skill is made of: they must be texts");
  await requireClean(ctx, skill.data, factory);
  const word = wordOf(ctx, actorOf(ctx), "approved");
  await ctx.storage.skills.change({ ...key, doc_id: skill.doc_id }, actorOf(ctx), (current) => {
    if (!current) throw noSuchDocument();
    requireSame(current, digest);
    return { ...changeOf(current), approval: approvalFor(word, current.data), action: "skill.approve" };
  });
  return { slug: skill.doc_id, previous_status: status, new_status: status, detail: "approved" };
}

/** What is approved is what was read. */
function requireSame({ data }: StoredDocument, digest: string): void {
  if (skillDigest(data) !== digest)
    throw new AppError("CONFLICT", "The skill is not what was read. Read it again.", { digest: skillDigest(data) });
}
