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
import { approvable, approveSkill, requireClean } from "./lifecycle/approve.ts";
import { skillsFactory } from "./lifecycle/factory.ts";
import { requireReviewer } from "./lifecycle/inbox.ts";
import { fault } from "./lifecycle/rules.ts";
import { changeOf } from "./lifecycle/store.ts";
import { isStatus } from "./lifecycle/transitions.ts";

/**
 * Delivers a skill as a person has read it from now on, after a scan: where the factory is on, what waits in the inbox goes by
 * the inbox. Throws SKILLS_INBOX_FORBIDDEN, NOT_FOUND, CONFLICT for another text or a skill that is delivered already, and
 * INVALID_ARGUMENTS for what no skill can be or the scan does not find clean. A dry run throws the same, and changes nothing.
 */
export async function deliverSkill(
  ctx: Ctx,
  { tenant_id: named, doc_id, digest, dry_run }: SkillApproveBody,
): Promise<InboxMoved> {
  requireReviewer(ctx);
  const key = { tenant_id: requireTenant(ctx, named), collection: SKILLS, doc_id };
  const skill = await ctx.storage.documents.get(key);
  if (!skill) throw noSuchDocument();
  const factory = await skillsFactory(ctx, key.tenant_id);
  const status = typeof skill.data.status === "string" ? skill.data.status : "document";
  if (factory.enabled && !isStatus(skill.data.status)) throw new AppError("CONFLICT", PLAIN);
  const told = { slug: skill.doc_id, previous_status: status, detail: dry_run ? "nothing was changed" : "approved" };
  if (factory.enabled && status !== ACTIVE) {
    const address = { ...key, doc_id: skill.doc_id };
    if (!dry_run) return approveSkill(ctx, address, { digest });
    await approvable(ctx, address, { digest });
    return { ...told, new_status: status };
  }
  requireSame(skill, digest);
  if (isApproved(skill)) throw new AppError("CONFLICT", DELIVERED);
  if (!isDeliverable(skill.data))
    throw fault("content", "and data.description are what a skill is made of: they must be texts");
  await requireClean(ctx, skill.data, factory);
  if (dry_run) return { ...told, new_status: status };
  const word = wordOf(ctx, actorOf(ctx), "approved");
  await ctx.storage.skills.change({ ...key, doc_id: skill.doc_id }, actorOf(ctx), (current) => {
    if (!current) throw noSuchDocument();
    requireSame(current, digest);
    return { ...changeOf(current), approval: approvalFor(word, current.data), action: "skill.approve" };
  });
  return { ...told, new_status: status };
}

const PLAIN =
  "This is a plain document, from before the skill factory was on: write it again with `cairn docs put skills NAME JSON`, with name, slug, domain, kind and source as well, such as create and manual; then it can be approved.";
const DELIVERED = "This skill is approved already, as it is: `cairn skills sync` writes its file.";

/** What is approved is what was read. */
function requireSame({ data }: StoredDocument, digest: string): void {
  if (skillDigest(data) !== digest)
    throw new AppError("CONFLICT", "The skill is not what was read. Read it again.", { digest: skillDigest(data) });
}
