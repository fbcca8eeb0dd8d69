import { z } from "zod";
import { AgentId, countedText, FleetId, JsonRecord, listOf, TenantId, textOf, Uuid } from "./common.ts";

export const ENTITY_TYPES = [
  "person",
  "organization",
  "technology",
  "project",
  "concept",
  "location",
  "event",
  "identifier",
  "artifact",
  "role",
  "unknown",
] as const;
export const EntityType = z.enum(ENTITY_TYPES).meta({ id: "EntityType" });
export type EntityType = z.infer<typeof EntityType>;

export const ENTITY_NAME_MAX = 200;
const EntityName = textOf(z.string().trim(), 1, ENTITY_NAME_MAX).describe("With at least one letter or digit.");
export const ALIASES_MAX = 50;
export const RELATION_TYPE_MAX = 100;

const instant = () => z.string().meta({ format: "date-time" });

export const Entity = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    tenant_id: z.string(),
    fleet_id: z.string().nullable(),
    entity_type: EntityType,
    canonical_name: z.string(),
    attributes: JsonRecord.nullable(),
    memory_count: z.int().describe("Memories that name it, as far as the caller sees them."),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: "Entity", description: "A thing that memories name: a person, a place, a product, an identifier." });
export type Entity = z.infer<typeof Entity>;

export const Relation = z
  .object({
    id: z.string().nullable().describe("Null for a relation that follows from memories that name both."),
    from_entity_id: z.string(),
    relation_type: z.string(),
    to_entity_id: z.string(),
    weight: z.number(),
    evidence_memory_id: z.string().nullable(),
    inferred: z.boolean(),
  })
  .meta({ id: "Relation" });
export type Relation = z.infer<typeof Relation>;

export const EntityDetail = Entity.extend({
  aliases: z.array(z.string()).describe("Other names of it."),
  relations: z.array(Relation),
  memory_ids: z.array(z.string()).describe("The newest memories that name it."),
}).meta({ id: "EntityDetail" });
export type EntityDetail = z.infer<typeof EntityDetail>;

export const ENTITY_LIST_DEFAULT = 100;
export const ENTITY_LIST_MAX = 500;
const limit = z.int().min(1).max(ENTITY_LIST_MAX).default(ENTITY_LIST_DEFAULT);
const offset = z.int().min(0).default(0).describe("Entities to pass over, as X-Next-Offset of the page before says.");
const reader = {
  tenant_id: TenantId,
  agent_id: AgentId.optional().describe("Who is looking: sees what its own private memories name, too."),
};

export const EntityListQuery = z.object({
  ...reader,
  fleet_id: FleetId.optional().describe("Only what memories of this fleet name, or what was entered for it."),
  entity_type: countedText(0, 100).optional(),
  search: countedText(0, ENTITY_NAME_MAX).optional().describe("Part of a name or of an alias."),
  limit,
  offset,
});
export type EntityListQuery = z.infer<typeof EntityListQuery>;

export const EntityPath = z.object({ entity_id: Uuid });
export const EntityQuery = z.object(reader);

export const NEIGHBOURS_DEFAULT = 60;
export const NEIGHBOURS_MAX = 200;
export const NeighboursQuery = z.object({
  ...reader,
  hops: z.int().min(1).max(2).default(2).describe("How many relations away an entity may be."),
  limit: z.int().min(1).max(NEIGHBOURS_MAX).default(NEIGHBOURS_DEFAULT).describe("Entities shown, itself included."),
});
export type NeighboursQuery = z.infer<typeof NeighboursQuery>;

export const EntityUpsert = z
  .object({
    tenant_id: TenantId,
    fleet_id: FleetId.nullish(),
    entity_type: EntityType,
    canonical_name: EntityName,
    attributes: JsonRecord.nullish().describe("Merged by top-level key into those there are."),
    aliases: listOf(EntityName, ALIASES_MAX).nullish().describe("Other names; added to those there are."),
  })
  .meta({ id: "EntityUpsert" });
export type EntityUpsert = z.infer<typeof EntityUpsert>;

export const EntityChangeBody = z
  .object({
    tenant_id: TenantId,
    canonical_name: EntityName.optional(),
    entity_type: EntityType.optional(),
    aliases: listOf(EntityName, ALIASES_MAX).optional().describe("Other names; added to those there are."),
  })
  .meta({ id: "EntityChange" });
export type EntityChangeBody = z.infer<typeof EntityChangeBody>;

export const EntityMergeBody = z
  .object({ tenant_id: TenantId, from_id: Uuid.describe("The entity that becomes part of the one in the path.") })
  .meta({ id: "EntityMerge" });
export type EntityMergeBody = z.infer<typeof EntityMergeBody>;

export const RelationUpsert = z
  .object({
    tenant_id: TenantId,
    fleet_id: FleetId.nullish(),
    from_entity_id: Uuid,
    relation_type: textOf(z.string().trim(), 1, RELATION_TYPE_MAX),
    to_entity_id: Uuid,
    weight: z.number().min(0).max(1).nullish().describe("How close they are, 0 to 1; 1 unless given."),
    evidence_memory_id: Uuid.nullish(),
  })
  .meta({ id: "RelationUpsert" });
export type RelationUpsert = z.infer<typeof RelationUpsert>;

export const GraphQuery = z.object({
  ...reader,
  fleet_id: FleetId.optional(),
  entity_type: countedText(0, 100).optional(),
  limit: limit.describe("Entities shown, those named most often first."),
  offset,
});
export type GraphQuery = z.infer<typeof GraphQuery>;

export const Graph = z
  .object({ nodes: z.array(Entity), edges: z.array(Relation) })
  .meta({ id: "Graph", description: "Entities and how they are related." });
export type Graph = z.infer<typeof Graph>;

export const Neighbours = Graph.extend({
  hops: z
    .record(z.string(), z.int().min(0).max(2))
    .describe("Relations between each node and the entity asked for, by id."),
}).meta({
  id: "Neighbours",
  description: "An entity and what it is related to, nearest and most closely related first.",
});
export type Neighbours = z.infer<typeof Neighbours>;
