import { skillSight } from "../access/skill-sight.ts";
import { requireTenant } from "../access/tenant.ts";
import { toDocumentView } from "../documents/view.ts";
import type { Ctx } from "../ports/context.ts";
import type { Document } from "../schema/document.ts";
import type { InstallableBody } from "../schema/skill.ts";
import { SKILLS, slugOf } from "../schema/skill.ts";
import { skillsFactory } from "./factory.ts";

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
  const sight = await skillSight(ctx, SKILLS);
  const where = factory.enabled ? { status: "active" } : undefined;
  const filter = { tenant_id, collection: SKILLS, fleet_id: body.fleet_id ?? undefined, where, sight };
  const isBridged = factory.enabled && factory.openclaw_bridge.enabled;
  const { limit, offset } = body;
  // On the bridge each skill may stand twice in the reply.
  const bytes = ctx.limits.reply_bytes_limit / (isBridged ? 2 : 1);
  const { items, more } = await ctx.storage.documents.page({ filter, order: "desc", offset, limit, bytes });
  const skills = items.map(toDocumentView);
  return { items: isBridged ? bridged(skills, limit) : skills, next_offset: more ? offset + items.length : null };
}

/** The skills, and beside each with a prefix the same under its bare slug; never two of one doc_id. */
export function bridged(skills: readonly Document[], limit: number): Document[] {
  const taken = new Set(skills.map(({ doc_id }) => doc_id));
  const all = skills.flatMap((skill): Document[] => {
    const slug = slugOf(skill.doc_id);
    if (taken.has(slug)) return [skill];
    taken.add(slug);
    return [skill, { ...skill, doc_id: slug }];
  });
  return all.slice(0, limit);
}
