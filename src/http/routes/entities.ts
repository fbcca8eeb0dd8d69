import { z } from "zod";
import {
  Entity,
  EntityChangeBody,
  EntityDetail,
  EntityListQuery,
  EntityMergeBody,
  EntityPath,
  EntityQuery,
  EntityUpsert,
  Graph,
  GraphQuery,
  Neighbours,
  NeighboursQuery,
  Relation,
  RelationUpsert,
} from "../../core/schema/entity.ts";
import { changeEntity, mergeEntities } from "../../entities/change.ts";
import { entityGraph, entityNeighbours, getEntity, listEntities } from "../../entities/read.ts";
import { upsertEntity, upsertRelation } from "../../entities/write.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";
import { nextPage, PAGED, paged } from "../paged.ts";

const tag = "Entities";
const READ_REFUSALS = ["TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN"] as const;
const WRITE_REFUSALS = ["TENANT_MISMATCH", "AGENT_TRUST_TOO_LOW", "FLEET_SCOPE_FORBIDDEN"] as const;

export const entityOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/entities/upsert",
    id: "upsertEntity",
    tag,
    summary: "Enter an entity, or change the one of the same name",
    description:
      "What is entered by hand is seen by all of its fleet, whoever's memories name it. Each fleet enters a name for itself; " +
      "without a fleet_id, what the caller's own fleet entered of it is changed, else what is entered for all.",
    rate: "write",
    changes: ["entities"],
    idempotent: true,
    body: EntityUpsert,
    reply: Entity,
    statuses: [200],
    refusals: WRITE_REFUSALS,
    run: (ctx, { body }) => upsertEntity(ctx, body),
  }),
  operation({
    method: "GET",
    path: "/api/v1/entities",
    id: "listEntities",
    tag,
    summary: "Things that memories name, those named most often first",
    description: PAGED,
    query: EntityListQuery,
    reply: z.array(Entity),
    statuses: [200],
    refusals: READ_REFUSALS,
    run: async (ctx, { query }) => paged(await listEntities(ctx, query), query),
  }),
  operation({
    method: "GET",
    path: "/api/v1/entities/{entity_id}",
    id: "getEntity",
    tag,
    summary: "One entity with other names, relations and newest memories",
    params: EntityPath,
    query: EntityQuery,
    reply: EntityDetail,
    statuses: [200],
    refusals: [...READ_REFUSALS, "NOT_FOUND"],
    run: (ctx, { params, query }) => getEntity(ctx, { ...query, ...params }),
  }),
  operation({
    method: "PATCH",
    path: "/api/v1/entities/{entity_id}",
    id: "changeEntity",
    tag,
    summary: "Rename an entity, or say of what type it is",
    description:
      "Changed is what the caller's own fleet entered of it, else what is entered for all. The former name stays an alias, so that " +
      "memories that use it still lead here. A name that the caller knows another entity by is refused with its id: merge the two.",
    rate: "write",
    changes: ["entities"],
    params: EntityPath,
    body: EntityChangeBody,
    reply: EntityDetail,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "NOT_FOUND", "CONFLICT"],
    run: (ctx, { params, body }) => changeEntity(ctx, { ...params, body }),
  }),
  operation({
    method: "GET",
    path: "/api/v1/entities/{entity_id}/neighbours",
    id: "entityNeighbours",
    tag,
    summary: "One entity and what it is related to, nearest and most closely related first",
    description:
      "Followed are relations as entered, and names that at least two of the newest memories of an entity have together: 500 " +
      "of the entity's own, 200 of each of the 25 next to it. Attributes that do not fit into a reply are null.",
    params: EntityPath,
    query: NeighboursQuery,
    reply: Neighbours,
    statuses: [200],
    refusals: [...READ_REFUSALS, "NOT_FOUND"],
    run: (ctx, { params, query }) => entityNeighbours(ctx, { ...query, ...params }),
  }),
  operation({
    method: "POST",
    path: "/api/v1/relations/upsert",
    id: "upsertRelation",
    tag,
    summary: "Enter how two entities are related, or change it",
    description: "For one fleet or for all, like entities.",
    rate: "write",
    changes: ["entities"],
    idempotent: true,
    body: RelationUpsert,
    reply: Relation,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "NOT_FOUND"],
    run: (ctx, { body }) => upsertRelation(ctx, body),
  }),
  operation({
    method: "GET",
    path: "/api/v1/graph",
    id: "entityGraph",
    tag,
    summary: "Entities and how they are related",
    description: `Two entities that at least two memories name together count as related; shown is how those of a page are. ${PAGED}`,
    query: GraphQuery,
    reply: Graph,
    statuses: [200],
    refusals: READ_REFUSALS,
    run: async (ctx, { query }) => {
      const { graph, next_offset } = await entityGraph(ctx, query);
      return nextPage(graph, next_offset);
    },
  }),
  operation({
    method: "POST",
    path: "/api/v1/entities/{entity_id}/merge",
    id: "mergeEntities",
    tag,
    summary: "Make another entity a part of this one",
    description:
      "Names, attributes (this entity's win), relations and the links of memories go over; later memories that use any of its names " +
      "are linked to this entity. That is so for everyone who knows the other entity; each of them must know this one, else the answer " +
      "is CONFLICT. What fleets entered of the other entity that the caller does not see stays theirs.",
    rate: "write",
    changes: ["entities", "memories", "conflicts"],
    idempotent: true,
    params: EntityPath,
    body: EntityMergeBody,
    reply: EntityDetail,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "NOT_FOUND", "CONFLICT"],
    run: (ctx, { params, body }) => mergeEntities(ctx, { ...params, body }),
  }),
];
