import { AppError } from "../core/kernel/errors.ts";
import type { CountedEntity, EntityPage, StoredRelation } from "../core/ports/entity-store.ts";
import type { Entity, EntityDetail, Relation } from "../core/schema/entity.ts";

/** An entity as replies show it. */
export const toEntityView = (entity: CountedEntity): Entity => ({
  id: entity.id,
  tenant_id: entity.tenant_id,
  fleet_id: entity.fleet_id,
  entity_type: entity.entity_type,
  canonical_name: entity.canonical_name,
  attributes: entity.attributes,
  memory_count: entity.memory_count,
  created_at: entity.created_at,
  updated_at: entity.updated_at,
});

/** A relation as replies show it. */
export const toRelationView = (relation: StoredRelation): Relation => ({ ...relation, inferred: relation.id === null });

/** An entity with its other names, relations and newest memories. */
export const toEntityDetail = (page: EntityPage): EntityDetail => ({
  ...toEntityView(page),
  aliases: [...page.aliases],
  relations: page.relations.map(toRelationView),
  memory_ids: [...page.memory_ids],
});

/** The same words whether an entity does not exist or must not be seen. */
export const noSuchEntity = (): AppError => new AppError("NOT_FOUND", "No such entity.");
