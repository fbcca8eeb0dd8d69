import type { JsonObject } from "../kernel/json.ts";
import type { EntityType } from "../schema/entity.ts";
import type { EntityMerge, EntityRename } from "./entities/changes.ts";
import type { ReadScope } from "./memory-filter.ts";
import type { Actor } from "./memory-store.ts";
import type { Page, PageBounds } from "./page.ts";
import type { MemoryKey, StoredMemory } from "./stored-memory.ts";

/** An entity as it lies in storage. */
export interface StoredEntity {
  readonly id: string;
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly attributes: JsonObject | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An entity as a link to it shows it. */
export interface DescribedEntity extends Pick<StoredEntity, "id" | "entity_type" | "canonical_name"> {
  /** Null where they did not fit. */
  readonly attributes: JsonObject | null;
}

/** An entity with the number of memories that name it, of those the reader sees. */
export interface CountedEntity extends StoredEntity {
  readonly memory_count: number;
}

/** A stored relation has an id; one that follows from memories that name both has none. */
export interface StoredRelation {
  readonly id: string | null;
  readonly from_entity_id: string;
  readonly relation_type: string;
  readonly to_entity_id: string;
  readonly weight: number;
  readonly evidence_memory_id: string | null;
}

export interface EntityPage extends CountedEntity {
  readonly aliases: readonly string[];
  readonly relations: readonly StoredRelation[];
  readonly memory_ids: readonly string[];
}

/** Which entities, and how many of them. */
export interface EntityListing extends PageBounds {
  readonly read_scope: ReadScope;
  /** Only what rows of this fleet name, or what was entered for it. */
  readonly fleet_id?: string | undefined;
  readonly entity_type?: string | undefined;
  /** Part of a key of a name or alias. */
  readonly search?: string | undefined;
  /** How many to pass over. */
  readonly offset: number;
}

export interface EntityGraph {
  readonly nodes: readonly CountedEntity[];
  /** There are entities after these. */
  readonly more: boolean;
  readonly edges: readonly StoredRelation[];
}

/** How far to go from one entity, and how much to show. */
export interface Around {
  /** 1 or 2. */
  readonly hops: number;
  /** Entities shown, the one in the middle included. */
  readonly limit: number;
  /** Attributes are read while they fit into so many bytes, nearest entities first; null where they did not fit. */
  readonly bytes: number;
}

/** An entity with those it is related to, nearest and most closely related first. */
export interface EntityNeighbourhood {
  readonly nodes: readonly CountedEntity[];
  readonly edges: readonly StoredRelation[];
  /** Relations between each node and the one in the middle, by the node's id. */
  readonly hops: ReadonlyMap<string, number>;
}

/** A name in a memory, ready to be looked up. */
export interface NamedThing {
  readonly name: string;
  readonly key: string;
  readonly entity_type: EntityType;
  readonly role: string;
  /** Without, it is linked only when the name is known already. */
  readonly sure: boolean;
  /** Key of its first name, when it is a full name of a person. */
  readonly short_key: string | null;
  /** Key of a known name that is spelled nearly so, and means the same. */
  readonly alike_key: string | null;
}

/** What one memory names. */
export interface MemoryNames {
  readonly id: string;
  /** The content the names were read of; a row whose content changed meanwhile is skipped. */
  readonly content_hash: string;
  readonly things: readonly NamedThing[];
  /** Other names that the text itself gives to things. */
  readonly same: readonly { readonly alias: string; readonly alias_key: string; readonly key: string }[];
}

/** Who reads a row. */
export type RowOwners = Pick<StoredMemory, "tenant_id" | "visibility" | "fleet_id" | "agent_id">;

/** A known name near an unknown one by its letters. */
export interface Neighbour {
  /** Key of the unknown name. */
  readonly key: string;
  readonly near_key: string;
  readonly near_name: string;
  readonly near_type: EntityType;
}

/** For whom something is entered. */
export interface Entering {
  readonly tenant_id: string;
  /** Null when no fleet is named: what was entered for the writer's own fleet is meant, else what is for all. */
  readonly fleet_id: string | null;
  /** The writer's own fleet. */
  readonly home: string | null;
}

export interface EntityChange extends Entering {
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly key: string;
  readonly attributes: JsonObject | null;
  /** Throws when there would be more of them than a row may carry. */
  readonly requireFit?: (attributes: JsonObject | null) => void;
  readonly aliases: readonly { readonly name: string; readonly key: string }[];
}

export interface RelationChange extends Entering {
  readonly from_entity_id: string;
  readonly relation_type: string;
  readonly to_entity_id: string;
  readonly weight: number;
  readonly evidence_memory_id: string | null;
}

/** An entity that a query names. */
export interface MatchedEntity {
  readonly id: string;
  readonly entity_type: EntityType;
  /** Key of its name. */
  readonly key: string;
  /** Keys of the query that name it. */
  readonly asked: readonly string[];
  /** Rows that name it, of those the reader sees. */
  readonly rows: number;
}

export interface RelatedEntity {
  readonly id: string;
  /** Which of the matched ones it is related to. */
  readonly of: string;
  /** 0 to 1. */
  readonly weight: number;
}

export interface EntityMatches {
  readonly matched: readonly MatchedEntity[];
  readonly related: readonly RelatedEntity[];
  /** Rows of the tenant: what rarity is measured by. */
  readonly total: number;
}

/** Throws when what all share may not be taken into a fleet. */
export type Guard = () => void;

export interface EntityStore {
  /** Erases the next entities that nothing names any more, of all tenants. Returns where to go on; null when done. */
  deleteOrphanedNames(after: number): Promise<number | null>;
  /**
   * Links rows to what they name, all in one transaction: what was inferred before goes, what callers said stays. Doing it
   * twice changes nothing. Rows that name an entity differently since a name came or went are queued to be read again.
   */
  link(tenant_id: string, rows: readonly MemoryNames[]): Promise<void>;
  /**
   * Known names with nearly the letters of names that are not known; a few for each. Known is what everyone was told who
   * reads a row with these owners.
   */
  neighbours(
    owners: RowOwners,
    names: readonly { readonly key: string; readonly parts: readonly string[] }[],
  ): Promise<Neighbour[]>;
  /**
   * Entities by id, as the reader knows them; what it does not see is left out. Attributes are read while they fit into so
   * many bytes, in the order of the ids, counted as often as an id is there.
   */
  describe(
    read_scope: ReadScope,
    wanted: { readonly ids: readonly string[]; readonly bytes: number },
  ): Promise<DescribedEntity[]>;
  /** Null when there is none, or none that the reader sees. */
  get(key: MemoryKey, read_scope: ReadScope): Promise<EntityPage | null>;
  /** Those named most often first. */
  list(filter: EntityListing): Promise<Page<CountedEntity>>;
  graph(filter: EntityListing): Promise<EntityGraph>;
  /** What one entity is related to, by work that does not grow with the rows that name it; null when the reader does not see it. */
  around(key: MemoryKey, read_scope: ReadScope, bounds: Around): Promise<EntityNeighbourhood | null>;
  /**
   * Creates or changes what is entered of this name for one fleet, or for all: every fleet has an entry of its own, beside
   * that of all. What a caller enters is no secret of any memory: all of its fleet see it. `guard` is called under the
   * write lock before what all share is taken into a fleet, and may refuse by throwing.
   */
  upsert(change: EntityChange, actor: Actor, guard: Guard): Promise<StoredEntity>;
  /** Renames or retypes an entity, its former name kept as another name of it. False when the caller does not see it. */
  rename(change: EntityRename, actor: Actor): Promise<boolean>;
  /** Makes one entity a part of another one. False when the caller does not see both. */
  merge(merge: EntityMerge, actor: Actor): Promise<boolean>;
  /** Creates or changes the relation of this kind between two entities, for one fleet or for all, `guard` as above. */
  relate(change: RelationChange, actor: Actor, guard: Guard): Promise<StoredRelation>;
  /** Entities with one of these names that the reader sees, `limit` at most, and what they are related to. */
  match(read_scope: ReadScope, keys: readonly string[], limit: number): Promise<EntityMatches>;
}
