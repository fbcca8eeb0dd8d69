import { authorshipOf, isUnknownCaller, personRequired, requirePerson } from "../access/person.ts";
import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Expected } from "../core/schema/common.ts";
import type { Keystone, KeystoneLock, KeystoneRemoved, KeystoneWrite } from "../core/schema/keystone.ts";
import { OrgSettings } from "../core/schema/settings.ts";
import { requireAsSeen } from "../documents/view.ts";
import type { RuleName } from "./rule.ts";
import { ruleText } from "./rule.ts";
import { dropRule, noSuchRule, setLock, storeRule } from "./store.ts";

/**
 * Writes a rule, replacing the one of the same doc_id, and notes who did. Throws PERSON_REQUIRED where the caller may only
 * propose it, AGENT_TRUST_TOO_LOW, ADMIN_REQUIRED for a locked one, and PRECONDITION_FAILED.
 */
export async function writeKeystone(ctx: Ctx, body: KeystoneWrite & Expected): Promise<Keystone> {
  const { tenant_id, doc_id, fleet_id, locked } = body;
  requireTenant(ctx, tenant_id);
  await requireMayDecide(ctx);
  const rule = {
    tenant_id,
    doc_id,
    fleet_id: fleet_id ?? null,
    text: ruleText(body),
    authorship: authorshipOf(ctx),
    locked: locked ?? undefined,
  };
  return storeRule(ctx, rule, (current) => requireAsSeen(body, current));
}

/** Deletes a rule. Throws NOT_FOUND, and what writing it throws. */
export async function removeKeystone(ctx: Ctx, { if_match, ...rule }: RuleName & Expected): Promise<KeystoneRemoved> {
  requireTenant(ctx, rule.tenant_id);
  await requireMayDecide(ctx);
  if (!(await dropRule(ctx, rule, (current) => requireAsSeen({ if_match }, current)))) throw noSuchRule();
  return { deleted: true, doc_id: rule.doc_id };
}

/** Locks a rule against all but administrators, or opens it again. Throws NOT_FOUND, PERSON_REQUIRED, ADMIN_REQUIRED. */
export async function lockKeystone(
  ctx: Ctx,
  { tenant_id, doc_id, locked }: KeystoneLock & { readonly doc_id: string },
): Promise<Keystone> {
  requireTenant(ctx, tenant_id);
  requirePerson(ctx, "Rules are locked and unlocked");
  return setLock(ctx, { tenant_id, doc_id }, locked);
}

/** Where no key tells an agent from a person, it only proposes, unless the tenant wants it otherwise. */
async function requireMayDecide(ctx: Ctx): Promise<void> {
  if (!isUnknownCaller(ctx)) return;
  const { keystones } = OrgSettings.parse(await ctx.storage.settings.get(requireTenant(ctx)));
  if (keystones.from_mcp !== "write")
    throw personRequired("Rules are set by people: what comes over MCP without a key of its own is proposed to one.");
}
