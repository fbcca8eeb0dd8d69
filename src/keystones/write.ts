import { actorOf } from "../access/actor.ts";
import { requireTenant } from "../access/tenant.ts";
import { requireTrust } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import type { TrustLevel } from "../core/schema/access.ts";
import type { Keystone, KeystoneData, KeystoneRemoved, KeystoneWrite } from "../core/schema/keystone.ts";
import { KEYSTONES, WEIGHT_NAMES } from "../core/schema/keystone.ts";
import { keystoneData, toKeystoneView } from "./view.ts";

/**
 * Writes a rule, replacing the one of the same doc_id. The trust it needs is the higher one of what the rule is and what
 * it was. Throws AGENT_TRUST_TOO_LOW.
 */
export async function writeKeystone(ctx: Ctx, body: KeystoneWrite): Promise<Keystone> {
  const { tenant_id, doc_id } = body;
  requireTenant(ctx, tenant_id);
  const data = toData(body);
  requireTrust(ctx, trustFor(ctx, data), "write this keystone");
  const { after } = await ctx.storage.documents.upsert(keyOf(tenant_id, doc_id), actorOf(ctx), (current) => {
    requireStoredTrust(ctx, current, "replace this keystone");
    return {
      fleet_id: body.fleet_id ?? null,
      data,
      searchable: null,
      vector: null,
      embedded_by: null,
      action: current ? "keystone.update" : "keystone.create",
      jobsFor: () => [],
    };
  });
  return toKeystoneView(after);
}

/** Deletes a rule. The trust it needs is that of the stored rule. Throws NOT_FOUND, AGENT_TRUST_TOO_LOW. */
export async function removeKeystone(
  ctx: Ctx,
  { tenant_id, doc_id }: { tenant_id: string; doc_id: string },
): Promise<KeystoneRemoved> {
  requireTenant(ctx, tenant_id);
  const removed = await ctx.storage.documents.remove(keyOf(tenant_id, doc_id), actorOf(ctx), (current) => {
    requireStoredTrust(ctx, current, "delete this keystone");
    return "keystone.delete";
  });
  if (!removed) throw new AppError("NOT_FOUND", "No such keystone.");
  return { deleted: true, doc_id };
}

const keyOf = (tenant_id: string, doc_id: string) => ({ tenant_id, collection: KEYSTONES, doc_id });

function toData({ title, content, scope, weight, agent_id, author_user_id }: KeystoneWrite) {
  return {
    title,
    content,
    weight: typeof weight === "number" ? weight : WEIGHT_NAMES[weight],
    scope,
    ...(agent_id == null ? {} : { agent_id }),
    ...(author_user_id == null ? {} : { author_user_id }),
  };
}

/** An agent sets rules for itself with trust 1; rules that bind others take trust 2. */
const trustFor = (ctx: Ctx, { scope, agent_id }: KeystoneData): TrustLevel =>
  scope === "agent" && agent_id === ctx.principal.agent_id ? 1 : 2;

function requireStoredTrust(ctx: Ctx, current: StoredDocument | null, verb: string): void {
  if (current) requireTrust(ctx, trustFor(ctx, keystoneData(current)), verb);
}
