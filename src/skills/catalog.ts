import { skillVisibility } from "../access/skill-visibility.ts";
import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Document } from "../core/schema/document.ts";
import type { InstallableBody } from "../core/schema/skill.ts";
import { SKILLS, slugOf } from "../core/schema/skill.ts";
import { toDocumentView } from "../documents/view.ts";
import { skillsFactory } from "./lifecycle/factory.ts";

/** Skills to deliver, and how many to pass over to get the rest; null when these are all. */
export interface Installable {
  readonly items: readonly Document[];
  readonly next_offset: number | null;
}

/**
 * Skills to deliver to a harness, newest change first: the active ones of the caller's
 * fleets and of none, or all where the tenant's factory is off. With the
 * OpenClaw bridge on, a skill of an agent or the Forge is followed by itself under its bare slug, unless that is taken.
 */
export async function installableSkills(ctx: Ctx, body: InstallableBody): Promise<Installable> {
  const tenant_id = requireTenant(ctx, body.tenant_id);
  const factory = await skillsFactory(ctx, tenant_id);
  const skill_visibility = await skillVisibility(ctx, SKILLS);
  const where = factory.enabled ? { status: "active" } : undefined;
  const filter = { tenant_id, collection: SKILLS, fleet_id: body.fleet_id ?? undefined, where, skill_visibility };
  const isBridged = factory.enabled && factory.openclaw_bridge.enabled;
  const { limit, offset } = body;
  // On the bridge each skill may stand twice in the reply.
  const bytes = ctx.limits.reply_bytes_limit / (isBridged ? 2 : 1);
  const { items, more } = await ctx.storage.documents.page({ filter, order: "desc", offset, limit, bytes });
  const skills = items.map(toDocumentView);
  const delivered = isBridged ? bridged(skills, limit) : { items: skills, skills: skills.length };
  const isCut = more || delivered.skills < skills.length;
  return { items: delivered.items, next_offset: isCut ? offset + delivered.skills : null };
}

/** What is delivered, and how many skills that is. */
interface Delivered {
  readonly items: readonly Document[];
  readonly skills: number;
}

/**
 * The skills, and beside each with a prefix the same under its bare slug; never two of one doc_id. It ends before the skill
 * that would not wholly fit, but never before the first.
 */
function bridged(skills: readonly Document[], limit: number): Delivered {
  const taken = new Set(skills.map(({ doc_id }) => doc_id));
  const items: Document[] = [];
  for (const [i, skill] of skills.entries()) {
    const slug = slugOf(skill.doc_id);
    const both = taken.has(slug) ? [skill] : [skill, { ...skill, doc_id: slug }];
    if (i > 0 && items.length + both.length > limit) return { items, skills: i };
    taken.add(slug);
    items.push(...both);
  }
  return { items, skills: skills.length };
}
