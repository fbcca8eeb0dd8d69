import type { EntityRow, LinkedRow, Settling, TaughtAlias } from "../../core/ports/entities/naming.ts";
import type { NamedThing } from "../../core/ports/entity-store.ts";

/** Whom a name means, and whether it is the entity's own. */
export interface Resolved {
  readonly entity: EntityRow;
  readonly direct: boolean;
  /** The row calls it by a name of its own, or one entered for it: short forms of that name stand for it, too. */
  readonly teaches: boolean;
}

export interface Resolver {
  /** The entity that a name in a row means; a new one when it is surely a name. */
  resolve(thing: NamedThing, row: LinkedRow): Resolved | null;
  /** Remembers another name that a row gives to an entity. */
  teach(entity: EntityRow, row: LinkedRow, alias: { readonly key: string; readonly name: string }): void;
  /** Other names that rows gave; they are yet to be stored. */
  taught(): readonly TaughtAlias[];
  /** Entities whose name has come to mean another one. */
  renamed(): readonly number[];
}

/**
 * Finds whom names mean in a tenant. A name that is not an entity's own leads to it only where everyone who reads the row
 * may know that entity: by a row they all can read, or because it was entered by hand.
 */
export function createResolver({ known, wasTaught, create: createEntity }: Settling): Resolver {
  const renamed = new Set<number>();
  const taught: TaughtAlias[] = [];
  const isCovered = (entity: EntityRow, row: LinkedRow): boolean =>
    known.isEntered(entity, row) || known.isNamed(entity, row);

  /** Whom a name was entered for, unless it is entered as a thing of its own. */
  const byHand = (bare: EntityRow | null, key: string, row: LinkedRow): EntityRow | null => {
    const entity = known.enteredFor(key, row);
    return entity && entity.seq !== bare?.seq && !(bare && known.isEntered(bare, row)) ? entity : null;
  };
  const aliased = (key: string, row: LinkedRow): EntityRow | null => {
    const [only, ...others] = known.meantBy(key, row);
    if (only === undefined || others.length > 0) return null;
    const entity = known.bySeq(only);
    return entity && isCovered(entity, row) ? entity : null;
  };

  /** The entity under its own name. */
  const own = (thing: NamedThing, row: LinkedRow): Resolved | null => {
    const entity = known.byKey(thing.key);
    if (!entity) return null;
    if (!thing.sure) return isCovered(entity, row) ? { entity, direct: false, teaches: false } : null;
    return { entity, direct: true, teaches: true };
  };

  const teach: Resolver["teach"] = (entity, row, { key, name }) => {
    const isNew = !wasTaught(key, entity.seq) && known.meantBy(key, row).length === 0;
    known.addAlias(key, entity, row);
    taught.push({ alias_key: key, entity_seq: entity.seq, memory_seq: row.seq, audience: row.audience, name });
    const bare = isNew ? known.byKey(key) : null;
    if (bare && bare.seq !== entity.seq) renamed.add(bare.seq);
  };

  const alike = (thing: NamedThing, row: LinkedRow): Resolved | null => {
    const entity = thing.alike_key === null ? null : known.byKey(thing.alike_key);
    if (!entity || !isCovered(entity, row)) return null;
    teach(entity, row, thing);
    return { entity, direct: false, teaches: false };
  };

  const create = (thing: NamedThing): Resolved | null => {
    if (!thing.sure) return null;
    const entity = createEntity(thing);
    known.addEntity(entity);
    return { entity, direct: true, teaches: true };
  };

  return {
    teach,
    taught: () => taught,
    renamed: () => [...renamed],
    resolve: (thing, row) => {
      const bare = known.byKey(thing.key);
      const meant = byHand(bare, thing.key, row);
      if (meant) return { entity: meant, direct: false, teaches: true };
      const entity = thing.short_key === null ? aliased(thing.key, row) : null;
      if (entity && entity.seq !== bare?.seq && !(bare && known.isEntered(bare, row)))
        return { entity, direct: false, teaches: false };
      // A name that only others know is no less another spelling of one that is known.
      const isKnown = bare !== null && isCovered(bare, row);
      return (isKnown ? null : alike(thing, row)) ?? own(thing, row) ?? create(thing);
    },
  };
}
