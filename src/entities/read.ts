import { requireTenant } from "../access/tenant.ts";
import { CROSS_FLEET_READ, requireFleets, requireOwnIdentity } from "../access/trust.ts";
import { reachOf } from "../access/visibility.ts";
import type { Ctx } from "../ports/context.ts";
import type { EntityFilter } from "../ports/entity-store.ts";
import type { Entity, EntityDetail, EntityListQuery, Graph, GraphQuery } from "../schema/entity.ts";
import { nameKey } from "./key.ts";
import { noSuchEntity, toEntityDetail, toEntityView, toRelationView } from "./view.ts";

/** Entities that memories of the caller's name, or that were entered by hand; those named most often first. */
export async function listEntities(ctx: Ctx, query: EntityListQuery): Promise<Entity[]> {
  const search = query.search === undefined ? undefined : nameKey(query.search);
  // Letters and digits are all that a name is looked up by.
  if (search === "" && query.search !== "") return [];
  return (await ctx.storage.entities.list({ ...filterOf(ctx, query), search })).map(toEntityView);
}

/** Entities and how they are related: as entered, and by memories that name two of them. */
export async function entityGraph(ctx: Ctx, query: GraphQuery): Promise<Graph> {
  const { nodes, edges } = await ctx.storage.entities.graph(filterOf(ctx, query));
  return { nodes: nodes.map(toEntityView), edges: edges.map(toRelationView) };
}

function filterOf(ctx: Ctx, query: GraphQuery): EntityFilter {
  const { tenant_id, agent_id, fleet_id, entity_type, limit } = query;
  requireTenant(ctx, tenant_id);
  requireOwnIdentity(ctx, agent_id);
  if (fleet_id !== undefined) requireFleets(ctx, [fleet_id], CROSS_FLEET_READ);
  return { reach: reachOf(ctx, agent_id), fleet_id, entity_type, limit };
}

export interface EntityAddress {
  readonly tenant_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly entity_id: string;
}

/** One entity with other names, relations and newest memories. Throws NOT_FOUND when the caller sees none of that id. */
export async function getEntity(ctx: Ctx, { tenant_id, agent_id, entity_id }: EntityAddress): Promise<EntityDetail> {
  const key = { tenant_id: requireTenant(ctx, tenant_id), id: entity_id };
  requireOwnIdentity(ctx, agent_id);
  const page = await ctx.storage.entities.get(key, reachOf(ctx, agent_id));
  if (!page) throw noSuchEntity();
  return toEntityDetail(page);
}
