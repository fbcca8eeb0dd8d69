import { actorOf } from "../access/actor.ts";
import { requireKnownCaller } from "../access/person.ts";
import { requireTenant } from "../access/tenant.ts";
import { requireAdmin, requireTrust } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import { mergeDeep } from "../core/kernel/json.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { OrgSettingsPatch } from "../core/schema/settings.ts";
import { OrgSettings } from "../core/schema/settings.ts";

/** The tenant's settings, defaults filled in. */
export async function getSettings(ctx: Ctx, named: string | undefined): Promise<OrgSettings> {
  return withDefaults(await ctx.storage.settings.get(requireTenant(ctx, named)));
}

/** Merges a part of the tree into the settings. Agents may not: their rules come from people. Only administrators change the skill factory, who sets rules, and how long anything is kept. Throws AGENT_TRUST_TOO_LOW for a key that only reads. */
export async function changeSettings(
  ctx: Ctx,
  named: string | undefined,
  patch: OrgSettingsPatch,
): Promise<OrgSettings> {
  const tenant_id = requireTenant(ctx, named);
  if (ctx.principal.agent_id !== null) throw new AppError("FORBIDDEN", "The key of an agent cannot change settings.");
  // Without keys an agent has all rights of the owner but this: what is asked of a person first is not its to decide.
  requireKnownCaller(ctx, "Settings are changed");
  requireTrust(ctx, 1, "change settings");
  // Whoever switches the factory off and on again gets past its reviews.
  // And whoever shortens how long something is kept erases it; whoever lets agents set rules at once sets them.
  if ([patch.skills_factory, patch.memories, patch.audit, patch.keystones].some((part) => part !== undefined))
    requireAdmin(ctx);
  const tree = await ctx.storage.settings.change(tenant_id, actorOf(ctx), (current) => mergeDeep(current, patch));
  // What a shorter time leaves none is erased now, not when it is looked for the next time.
  const { jobs } = ctx.storage;
  if (patch.memories !== undefined) await jobs.bringForward("memories_schedule", ctx.clock.now());
  if (patch.audit !== undefined) await jobs.bringForward("retention_schedule", ctx.clock.now());
  return withDefaults(tree);
}

/** Safe to parse: only checked parts are ever merged in. */
const withDefaults = (tree: JsonObject): OrgSettings => OrgSettings.parse(tree);
