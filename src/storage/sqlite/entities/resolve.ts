import type { NamedThing } from "../../../core/ports/entity-store.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import { fleetOf } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import { createCover } from "./cover.ts";
import type { LinkedRow } from "./links.ts";
import { aliasMark } from "./links.ts";
import { enteredFor, entityByKey, insertEntity } from "./rows.ts";

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
  /** Entities whose name has come to mean another one. */
  renamed(): readonly number[];
}

interface Setting {
  readonly tenant_id: string;
  readonly now: string;
  /** Marks of the other names that the rows in hand had taught before. */
  readonly taught: readonly string[];
}

/** Whom another name means to everyone who reads a row: what only others were taught makes it no less clear. */
const ALIASED = `select distinct a.entity_seq from entity_aliases a
  where a.tenant_id = ?1 and a.alias_key = ?2 and (a.audience in (select value from json_each(?3))
    or exists (select 1 from entity_entries h where h.seq = -a.memory_seq and (h.fleet_id is null or h.fleet_id = ?4)))
  limit 2`;

/**
 * Finds whom names mean in a tenant. A name that is not an entity's own leads to it only where everyone who reads the row
 * may know that entity: by a row they all can read, or because it was entered by hand.
 */
export function createResolver(db: Connections, { tenant_id, now, taught }: Setting): Resolver {
  const known = new Set(taught);
  const renamed = new Set<number>();
  const cover = createCover(db, tenant_id);
  const bySeq = db.writeConnection.query<EntityRow, [number]>("select * from entities where seq = ?");
  const isEntered = ({ seq }: EntityRow, row: LinkedRow): boolean => cover.isEntered(seq, row);
  const isCovered = ({ seq }: EntityRow, row: LinkedRow): boolean => cover.isCovered(seq, row);

  const meantBy = (key: string, { audience }: LinkedRow): { entity_seq: number }[] =>
    db.writeConnection
      .query<{ entity_seq: number }, (string | null)[]>(ALIASED)
      .all(tenant_id, key, cover.widerOf(audience), fleetOf(db, audience));
  /** Whom a name was entered for, unless it is entered as a thing of its own. */
  const byHand = (bare: EntityRow | null, key: string, row: LinkedRow): EntityRow | null => {
    const entity = enteredFor(db, { tenant_id, key, fleet_id: fleetOf(db, row.audience) });
    return entity && entity.seq !== bare?.seq && !(bare && isEntered(bare, row)) ? entity : null;
  };
  const aliased = (key: string, row: LinkedRow): EntityRow | null => {
    const [only, ...others] = meantBy(key, row);
    if (!only || others.length > 0) return null;
    const entity = bySeq.get(only.entity_seq);
    return entity && isCovered(entity, row) ? entity : null;
  };

  /** The entity under its own name. */
  const own = (thing: NamedThing, row: LinkedRow): Resolved | null => {
    const entity = entityByKey(db, tenant_id, thing.key);
    if (!entity) return null;
    if (!thing.sure) return isCovered(entity, row) ? { entity, direct: false, teaches: false } : null;
    return { entity, direct: true, teaches: true };
  };

  const teach: Resolver["teach"] = (entity, row, { key, name }) => {
    const isNew = !known.has(aliasMark(key, entity.seq)) && meantBy(key, row).length === 0;
    db.writeConnection
      .query(
        `insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
        values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
      )
      .run(tenant_id, key, entity.seq, row.seq, row.audience, name);
    const bare = isNew ? entityByKey(db, tenant_id, key) : null;
    if (bare && bare.seq !== entity.seq) renamed.add(bare.seq);
  };

  const alike = (thing: NamedThing, row: LinkedRow): Resolved | null => {
    const entity = thing.alike_key === null ? null : entityByKey(db, tenant_id, thing.alike_key);
    if (!entity || !isCovered(entity, row)) return null;
    teach(entity, row, thing);
    return { entity, direct: false, teaches: false };
  };

  const create = (thing: NamedThing): Resolved | null => {
    if (!thing.sure) return null;
    const entity = {
      tenant_id,
      entity_type: thing.entity_type,
      canonical_name: thing.name,
      name_key: thing.key,
      created_at: now,
    };
    return { entity: insertEntity(db, entity), direct: true, teaches: true };
  };

  return {
    teach,
    renamed: () => [...renamed],
    resolve: (thing, row) => {
      const bare = entityByKey(db, tenant_id, thing.key);
      const meant = byHand(bare, thing.key, row);
      if (meant) return { entity: meant, direct: false, teaches: true };
      const entity = thing.short_key === null ? aliased(thing.key, row) : null;
      if (entity && entity.seq !== bare?.seq && !(bare && isEntered(bare, row)))
        return { entity, direct: false, teaches: false };
      // A name that only others know is no less another spelling of one that is known.
      const isKnown = bare !== null && isCovered(bare, row);
      return (isKnown ? null : alike(thing, row)) ?? own(thing, row) ?? create(thing);
    },
  };
}
