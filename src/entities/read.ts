import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import { CROSS_FLEET_READ, requireFleets, requireOwnIdentity } from "../access/trust.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { EntityListing } from "../core/ports/entity-store.ts";
import type { Page } from "../core/ports/page.ts";
import type {
  Entity,
  EntityDetail,
  EntityListQuery,
  Graph,
  GraphQuery,
  Neighbours,
  NeighboursQuery,
} from "../core/schema/entity.ts";
import { nameKey } from "../text/names/name-key.ts";
import { noSuchEntity, toEntityDetail, toEntityView, toRelationView } from "./view.ts";

/** Entities that memories of the caller's name, or that were entered by hand; those named most often first. */
export async function listEntities(ctx: Ctx, query: EntityListQuery): Promise<Page<Entity>> {
  const search = query.search === undefined ? undefined : nameKey(query.search);
  // Letters and digits are all that a name is looked up by.
  if (search === "" && query.search !== "") return { items: [], more: false };
  const { items, more } = await ctx.storage.entities.list({ ...(await listingOf(ctx, query)), search });
  return { items: items.map(toEntityView), more };
}

/** A graph, and how many entities to pass over to get the rest; null when these are all. */
export interface GraphPage {
  readonly graph: Graph;
  readonly next_offset: number | null;
}

/** Entities and how they are related: as entered, and by memories that name two of them. */
export async function entityGraph(ctx: Ctx, query: GraphQuery): Promise<GraphPage> {
  const { nodes, edges, more } = await ctx.storage.entities.graph(await listingOf(ctx, query));
  return {
    graph: { nodes: nodes.map(toEntityView), edges: edges.map(toRelationView) },
    next_offset: more ? query.offset + nodes.length : null,
  };
}

async function listingOf(ctx: Ctx, query: GraphQuery): Promise<EntityListing> {
  const { tenant_id, agent_id, fleet_id, entity_type, limit, offset } = query;
  requireTenant(ctx, tenant_id);
  await requireOwnIdentity(ctx, agent_id);
  if (fleet_id !== undefined) requireFleets(ctx, [fleet_id], CROSS_FLEET_READ);
  const bytes = ctx.limits.reply_bytes_limit;
  return { read_scope: readScopeOf(ctx, agent_id), fleet_id, entity_type, limit, offset, bytes };
}

export interface EntityAddress {
  readonly tenant_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly entity_id: string;
}

/** One entity with other names, relations and newest memories. Throws NOT_FOUND when the caller sees none of that id. */
export async function getEntity(ctx: Ctx, { tenant_id, agent_id, entity_id }: EntityAddress): Promise<EntityDetail> {
  const key = { tenant_id: requireTenant(ctx, tenant_id), id: entity_id };
  await requireOwnIdentity(ctx, agent_id);
  const page = await ctx.storage.entities.get(key, readScopeOf(ctx, agent_id));
  if (!page) throw noSuchEntity();
  return toEntityDetail(page);
}

/** One entity and what it is related to. Throws NOT_FOUND when the caller sees none of that id. */
export async function entityNeighbours(
  ctx: Ctx,
  { tenant_id, agent_id, entity_id, hops, limit }: NeighboursQuery & EntityAddress,
): Promise<Neighbours> {
  const key = { tenant_id: requireTenant(ctx, tenant_id), id: entity_id };
  await requireOwnIdentity(ctx, agent_id);
  const bounds = { hops, limit, bytes: ctx.limits.reply_bytes_limit };
  const found = await ctx.storage.entities.around(key, readScopeOf(ctx, agent_id), bounds);
  if (!found) throw noSuchEntity();
  return {
    nodes: found.nodes.map(toEntityView),
    edges: found.edges.map(toRelationView),
    hops: Object.fromEntries(found.hops),
  };
}
