import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { DocumentFilter } from "../core/ports/document-store.ts";
import type { Keystone, KeystoneListQuery } from "../core/schema/keystone.ts";
import { KEYSTONES, KEYSTONES_MAX } from "../core/schema/keystone.ts";
import { toKeystoneView } from "./view.ts";

export interface Keystones {
  readonly items: Keystone[];
  /** More rules apply than are served. */
  readonly truncated: boolean;
}

/**
 * The rules that bind a reader: the tenant's, those of the named fleet, those of the named agent in it, and those that bind
 * this agent wherever it works. None hides another of its name. An agent's
 * credential names its own. Heaviest first, then newest change, then doc_id; 50 at most, and of more no rule of an agent before
 * those of people. No trust is asked for: a rule that cannot be read binds nobody.
 */
export async function listKeystones(ctx: Ctx, query: KeystoneListQuery): Promise<Keystones> {
  const { tenant_id } = query;
  requireTenant(ctx, tenant_id);
  const fleet_id = query.fleet_id ?? ctx.principal.fleet_id;
  const agent_id = query.agent_id ?? ctx.principal.agent_id;
  const all = { tenant_id, collection: KEYSTONES };
  const bound: DocumentFilter[] = [{ ...all, where: { scope: "tenant" } }];
  if (fleet_id !== null) bound.push({ ...all, fleet_id, where: { scope: "fleet" } });
  if (agent_id !== null) bound.push({ ...all, fleet_id: null, where: { scope: "agent", agent_id } });
  if (fleet_id !== null && agent_id !== null) bound.push({ ...all, fleet_id, where: { scope: "agent", agent_id } });
  const binding = (await Promise.all(bound.map((filter) => heaviest(ctx, filter)))).flat();
  const sorted = binding.sort(byWeight);
  const isMore = sorted.length > KEYSTONES_MAX;
  return { items: isMore ? await served(ctx, sorted, bound) : sorted, truncated: isMore };
}

/** What of a rule keeps it from being crowded out by those that agents set. */
const KEPT = [{ locked: true }, { set_by: "person" }] as const;

/** Of more rules than are served: the locked ones first, then those that people set, then the heaviest; in the order that they came in. */
async function served(ctx: Ctx, sorted: readonly Keystone[], bound: readonly DocumentFilter[]): Promise<Keystone[]> {
  const kept = await Promise.all(
    KEPT.map(async (of) => {
      const filters = bound.map((filter) => ({ ...filter, where: { ...filter.where, ...of } }));
      return (await Promise.all(filters.map((filter) => heaviest(ctx, filter)))).flat().sort(byWeight);
    }),
  );
  const chosen = new Map([...kept.flat(), ...sorted].map((rule) => [rule.id, rule]));
  return [...chosen.values()].slice(0, KEYSTONES_MAX).sort(byWeight);
}

/** The heaviest rules of a kind, of equal ones those that changed last; one more than are served where there are more. */
async function heaviest({ storage }: Ctx, filter: DocumentFilter): Promise<Keystone[]> {
  const page = { filter, order: "desc", offset: 0, limit: KEYSTONES_MAX + 1 } as const;
  const rules = (await storage.documents.list({ ...page, order_by: "weight" })).map(toKeystoneView);
  const least = rules[KEYSTONES_MAX]?.data.weight;
  if (least === undefined) return rules;
  const equal = { ...filter, where: { ...filter.where, weight: least } };
  const last = await storage.documents.list({ ...page, filter: equal });
  return [...rules.filter(({ data }) => data.weight > least), ...last.map(toKeystoneView)];
}

const byWeight = (a: Keystone, b: Keystone): number =>
  b.data.weight - a.data.weight || compare(b.updated_at, a.updated_at) || compare(a.doc_id, b.doc_id);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
