import type { JsonObject } from "../../kernel/json.ts";
import type { EntityType } from "../../schema/entity.ts";
import type { ReadScope } from "../memory-filter.ts";
import type { MemoryKey } from "../stored-memory.ts";

/** A name as it is written and as it is looked up. */
export interface KeyedName {
  readonly name: string;
  readonly key: string;
}

/** Who changes an entity, and what it may change. */
interface Changing extends MemoryKey {
  readonly read_scope: ReadScope;
  /** Throws when the caller may not change what was entered for a fleet. */
  readonly requireFleet: (fleet_id: string) => void;
}

/** Another name or type of one entity. */
export interface EntityRename extends Changing {
  readonly name: KeyedName | null;
  readonly entity_type: EntityType | null;
  /** Further names; added to those there are. */
  readonly aliases: readonly KeyedName[];
}

/** One entity becomes part of another one. */
export interface EntityMerge extends Changing {
  readonly from_id: string;
  /** Throws when there would be more attributes than an entry may carry. */
  readonly requireFit: (attributes: JsonObject | null) => void;
}
