import { ACTIVE, skillVisibility } from "../access/skill-visibility.ts";
import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type {
  InstallableBody,
  InstallableSkill,
  ListedSkill,
  SkillList,
  SkillListQuery,
} from "../core/schema/skill.ts";
import { SKILLS, skillDigest, slugOf } from "../core/schema/skill.ts";
import { toDocumentView } from "../documents/view.ts";
import { isApproved, isDelivered } from "./approval.ts";
import type { SkillsFactory } from "./lifecycle/factory.ts";
import { skillsFactory } from "./lifecycle/factory.ts";
import { isStatus } from "./lifecycle/transitions.ts";

/** Skills to deliver, and how many to pass over to get the rest; null when these are all. */
export interface Installable {
  readonly items: readonly InstallableSkill[];
  readonly next_offset: number | null;
}

/**
 * Skills to deliver to a harness, newest change first: what a person wrote or approved as it is, and where the tenant's factory
 * is on, the active ones of that which are of the caller's fleets and of none. With the
 * OpenClaw bridge on, a skill of an agent or the Forge is followed by itself under its bare slug, unless that is taken.
 */
export async function installableSkills(ctx: Ctx, body: InstallableBody): Promise<Installable> {
  const tenant_id = requireTenant(ctx, body.tenant_id);
  const factory = await skillsFactory(ctx, tenant_id);
  const skill_visibility = await skillVisibility(ctx, SKILLS);
  const where = factory.enabled ? { status: ACTIVE } : undefined;
  const fleet_id = body.fleet_id ?? undefined;
  const filter = { tenant_id, collection: SKILLS, fleet_id, where, approved: true, skill_visibility };
  const isBridged = factory.enabled && factory.openclaw_bridge.enabled;
  const { limit, offset } = body;
  // On the bridge each skill may stand twice in the reply.
  const bytes = ctx.limits.reply_bytes_limit / (isBridged ? 2 : 1);
  const { items, more } = await ctx.storage.documents.page({ filter, order: "desc", offset, limit, bytes });
  const delivered = isBridged ? bridged(items, limit) : { items, skills: items.length };
  const isCut = more || delivered.skills < items.length;
  return {
    items: delivered.items.flatMap(toInstallable),
    next_offset: isCut ? offset + delivered.skills : null,
  };
}

/** A skill with the word on which it is delivered; nothing where that was given for another text. */
const toInstallable = (skill: StoredDocument): InstallableSkill[] =>
  skill.approval !== null && isApproved(skill) ? [{ ...toDocumentView(skill), approval: skill.approval }] : [];

/** All skills that the caller sees, newest change first: whether each is delivered, and on whose word. */
export async function listSkills(
  ctx: Ctx,
  { tenant_id: named, fleet_id, limit, offset }: SkillListQuery,
): Promise<SkillList> {
  const tenant_id = requireTenant(ctx, named);
  const factory = await skillsFactory(ctx, tenant_id);
  const skill_visibility = await skillVisibility(ctx, SKILLS);
  const where = skill_visibility ? { status: ACTIVE } : undefined;
  const filter = { tenant_id, collection: SKILLS, fleet_id, where, skill_visibility };
  const bytes = ctx.limits.reply_bytes_limit;
  const { items, more } = await ctx.storage.documents.page({ filter, order: "desc", offset, limit, bytes });
  const listed = items.map(
    (skill): ListedSkill => ({
      ...toDocumentView(skill),
      digest: skillDigest(skill.data),
      is_delivered: isDelivered(skill, factory),
      approval: isApproved(skill) ? skill.approval : null,
      waits_for: waitsFor(skill, factory),
    }),
  );
  return { items: listed, next_offset: more ? offset + listed.length : null };
}

/** Statuses of skills that wait for nobody's word. */
const SETTLED: ReadonlySet<unknown> = new Set(["candidate", "rejected", "quarantined", "stale", "deprecated"]);

function waitsFor(skill: StoredDocument, factory: SkillsFactory): ListedSkill["waits_for"] {
  const { status } = skill.data;
  if (isDelivered(skill, factory) || SETTLED.has(status)) return null;
  return factory.enabled && !isStatus(status) ? "rewriting" : "approval";
}

/** What is delivered, and how many skills that is. */
interface Delivered {
  readonly items: readonly StoredDocument[];
  readonly skills: number;
}

/**
 * The skills, and beside each with a prefix the same under its bare slug; never two of one doc_id. It ends before the skill
 * that would not wholly fit, but never before the first.
 */
function bridged(skills: readonly StoredDocument[], limit: number): Delivered {
  const taken = new Set(skills.map(({ doc_id }) => doc_id));
  const items: StoredDocument[] = [];
  for (const [i, skill] of skills.entries()) {
    const slug = slugOf(skill.doc_id);
    const both = taken.has(slug) ? [skill] : [skill, { ...skill, doc_id: slug }];
    if (i > 0 && items.length + both.length > limit) return { items, skills: i };
    taken.add(slug);
    items.push(...both);
  }
  return { items, skills: skills.length };
}
