import type { EntityType } from "../../schema/entity.ts";
import type { MemoryNames, NamedThing } from "../entity-store.ts";
import type { StoredLink } from "../stored-memory.ts";

/** An entity: what rows and entries of one name have in common. Whoever came first gave it its spelling and type. */
export interface EntityRow {
  readonly seq: number;
  readonly id: string;
  readonly tenant_id: string;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly name_key: string;
  readonly created_at: string;
}

/** A row whose names are settled, as far as that takes it. */
export interface LinkedRow {
  readonly seq: number;
  /** The set of its readers. */
  readonly audience: number;
  readonly created_at: string;
}

/** A link on its way into the index. */
export interface FiledLink {
  readonly row: LinkedRow;
  readonly entity_seq: number;
  readonly role: string;
  /** The row writes the entity's own name; without, it is another name for it. */
  readonly direct: boolean;
  /** How the row's text spells the entity, and what kind it takes it for; null where its own name stands nowhere in it. */
  readonly named: { readonly name: string; readonly entity_type: EntityType } | null;
}

/** Another name that a row gives to an entity. */
export interface TaughtAlias {
  readonly alias_key: string;
  readonly entity_seq: number;
  readonly memory_seq: number;
  readonly audience: number;
  readonly name: string;
}

/** What a tenant knows of some names, and what rows in hand add to it: asked for at once, as each name needs several answers. */
export interface KnownNames {
  /** The entity whose name has this key. */
  byKey(key: string): EntityRow | null;
  bySeq(seq: number): EntityRow | null;
  /** Whom another name means to everyone who reads a row: what only others were taught makes it no less clear. */
  meantBy(key: string, row: LinkedRow): readonly number[];
  /** The one entity for which another name was entered, as the readers of a row are told it. */
  enteredFor(key: string, row: LinkedRow): EntityRow | null;
  /** Whether everyone who reads a row may know an entity because it was entered by hand. */
  isEntered(entity: EntityRow, row: LinkedRow): boolean;
  /** The same because of a row with its name that they all can read. */
  isNamed(entity: EntityRow, row: LinkedRow): boolean;
  addEntity(entity: EntityRow): void;
  addAlias(key: string, entity: EntityRow, row: LinkedRow): void;
  /** Remembers that a row is filed under an entity, with its own name or not; the first time counts. */
  addLink(entity: EntityRow, row: LinkedRow, direct: boolean): void;
}

/** A row in hand, with what its text names. */
export interface NamedRow {
  readonly row: LinkedRow;
  readonly names: MemoryNames;
  /** What its callers linked it to. */
  readonly links: readonly StoredLink[];
}

/** What names are settled with. */
export interface Settling {
  readonly known: KnownNames;
  /** Whether the rows in hand had given this name to an entity before. */
  wasTaught(alias_key: string, entity_seq: number): boolean;
  /** A new entity of a name; it is yet to be stored. */
  create(thing: NamedThing): EntityRow;
}

/** Whom the names of some rows mean. */
export interface SettledNames {
  /** Entities under which rows are to be filed. */
  readonly filed: readonly FiledLink[];
  readonly taught: readonly TaughtAlias[];
  /** Entities whose name has come to mean another one. */
  readonly renamed: readonly number[];
  /** What each row is linked to from now on, in the order of the rows. */
  readonly links: readonly (readonly StoredLink[])[];
}
