import { authorshipOf, isUnknownCaller, personRequired, requirePerson } from "../access/person.ts";
import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Expected } from "../core/schema/common.ts";
import type {
  Keystone,
  KeystoneLock,
  KeystoneRemoved,
  KeystoneWrite,
  KeystoneWritten,
} from "../core/schema/keystone.ts";
import type { PlaceAsked } from "../core/schema/keystones/place.ts";
import { OrgSettings } from "../core/schema/settings.ts";
import { requireAsSeen } from "../documents/view.ts";
import type { RuleName } from "./rule.ts";
import { ruleText } from "./rule.ts";
import { dropRule, noSuchRule, setLock, storeRule } from "./store.ts";

/**
 * Writes a rule and notes who did. It replaces the one of the same doc_id at its place; without `place`, the only one of this
 * doc_id wherever that stands. Throws PERSON_REQUIRED where the caller may only
 * propose it, AGENT_TRUST_TOO_LOW, ADMIN_REQUIRED for a locked one, and PRECONDITION_FAILED.
 */
export async function writeKeystone(ctx: Ctx, body: KeystoneWrite & Expected): Promise<KeystoneWritten> {
  const { tenant_id, doc_id, fleet_id, locked, place } = body;
  requireTenant(ctx, tenant_id);
  await requireMayDecide(ctx);
  const rule = {
    tenant_id,
    doc_id,
    fleet_id: fleet_id ?? null,
    keepsOthers: place === true,
    text: ruleText(body),
    authorship: authorshipOf(ctx),
    locked: locked ?? undefined,
  };
  const stored = await storeRule(ctx, rule, (current) => requireAsSeen(body, current));
  return place === true ? { ...stored.rule, replaced: stored.replaced } : stored.rule;
}

/** Deletes a rule. Throws NOT_FOUND, CONFLICT where several are meant, and what writing it throws. */
export async function removeKeystone(
  ctx: Ctx,
  { if_match, tenant_id, doc_id, ...asked }: RuleName & PlaceAsked & Expected,
): Promise<KeystoneRemoved> {
  requireTenant(ctx, tenant_id);
  await requireMayDecide(ctx);
  const rule = { tenant_id, doc_id, asked };
  const removed = await dropRule(ctx, rule, (current) => requireAsSeen({ if_match }, current));
  if (removed === null) throw noSuchRule();
  return { deleted: true, doc_id, ...(asked.place === true ? { removed } : {}) };
}

/**
 * Locks a rule against all but administrators, or opens it again. Throws NOT_FOUND, CONFLICT where several are meant,
 * PERSON_REQUIRED, ADMIN_REQUIRED.
 */
export async function lockKeystone(
  ctx: Ctx,
  { tenant_id, doc_id, locked, ...asked }: KeystoneLock & { readonly doc_id: string },
): Promise<Keystone> {
  requireTenant(ctx, tenant_id);
  requirePerson(ctx, "Rules are locked and unlocked");
  return setLock(ctx, { tenant_id, doc_id, asked }, locked);
}

/** Where no key tells an agent from a person, it only proposes, unless the tenant wants it otherwise. */
async function requireMayDecide(ctx: Ctx): Promise<void> {
  if (!isUnknownCaller(ctx)) return;
  const { keystones } = OrgSettings.parse(await ctx.storage.settings.get(requireTenant(ctx)));
  if (keystones.from_mcp !== "write")
    throw personRequired("Rules are set by people: what comes over MCP without a key of its own is proposed to one.");
}
