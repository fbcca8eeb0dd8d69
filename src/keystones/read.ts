import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../ports/context.ts";
import type { Keystone, KeystoneListQuery } from "../schema/keystone.ts";
import { KEYSTONES, KEYSTONES_MAX } from "../schema/keystone.ts";
import { toKeystoneView } from "./view.ts";

/** Rules read at most before they are chosen from; far beyond what anybody could obey. */
const READ_MAX = 10_000;

export interface Keystones {
  readonly items: Keystone[];
  /** More rules apply than are served. */
  readonly truncated: boolean;
}

/**
 * The rules that bind a reader: the tenant's, those of the named fleet, and those of the named agent in it; an agent's
 * credential names its own. Heaviest first, then newest change, then doc_id; 50 at most. No trust is asked for: a rule that cannot be read binds nobody.
 */
export async function listKeystones(ctx: Ctx, query: KeystoneListQuery): Promise<Keystones> {
  const { tenant_id } = query;
  requireTenant(ctx, tenant_id);
  const fleet_id = query.fleet_id ?? ctx.principal.fleet_id;
  const agent_id = query.agent_id ?? ctx.principal.agent_id;
  const filter = { tenant_id, collection: KEYSTONES };
  const stored = await ctx.storage.documents.list({ filter, order: "desc", offset: 0, limit: READ_MAX });
  const binding = stored.map(toKeystoneView).filter((rule) => binds(rule, { fleet_id, agent_id }));
  const sorted = binding.sort(
    (a, b) => b.data.weight - a.data.weight || compare(b.updated_at, a.updated_at) || compare(a.doc_id, b.doc_id),
  );
  return { items: sorted.slice(0, KEYSTONES_MAX), truncated: sorted.length > KEYSTONES_MAX };
}

function binds({ fleet_id, data }: Keystone, reader: Record<"fleet_id" | "agent_id", string | null>): boolean {
  if (data.scope === "tenant") return true;
  if (reader.fleet_id === null || fleet_id !== reader.fleet_id) return false;
  return data.scope === "fleet" || data.agent_id === reader.agent_id;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
