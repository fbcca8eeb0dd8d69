import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { EntityRename, KeyedName } from "../../../core/ports/entities/changes.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { Engine } from "../engine/connection.ts";
import { seenEntity } from "./counted.ts";
import type { EntryRow } from "./entries.ts";
import { auditedEntry, changeEntry, insertEntry, teachByHand } from "./entries.ts";
import { queueRereads } from "./links.ts";
import { knownInPrivate, reachOf, toldTo } from "./reach.ts";
import type { EntityRow } from "./rows.ts";
import { entityByKey } from "./rows.ts";
import { readerOf } from "./seen-by.ts";
import { requireFree } from "./taken.ts";

/**
 * Names an entity anew, or says of what type it is, inside the caller's transaction: in what the caller's fleet entered of it, else
 * in what is entered for all. Its former name stays another name of it, so that texts that use it still lead there. False when the
 * caller does not see it.
 */
export function renameEntity(db: Engine, clock: Clock, change: EntityRename, actor: Actor): boolean {
  const reader = readerOf(db, change.read_scope);
  const entity = seenEntity(db.writeConnection, reader, change);
  if (!entity) return false;
  const now = toTimestamp(clock.now());
  const { fleet_id, current } = placeOf(db, entity, change);
  const before = current ?? { ...toldTo(db, entity, fleet_id), fleet_id };
  const name = change.name ?? { name: before.canonical_name, key: nameKey(before.canonical_name) };
  const former: KeyedName = { name: before.canonical_name, key: nameKey(before.canonical_name) };
  const added = [...(change.name ? [change.name] : []), ...change.aliases];
  requireFree(db, reader, entity, added);
  const entered = {
    tenant_id: change.tenant_id,
    fleet_id,
    home: null,
    entity_type: change.entity_type ?? before.entity_type,
    canonical_name: name.name,
    key: name.key,
    attributes: null,
    aliases: change.aliases,
  };
  const entry = current ? changeEntry(db, current, entered, now) : insertEntry(db, entity.seq, entered, now);
  const isRenamed = name.key !== former.key || name.key !== entity.name_key;
  teachByHand(db, entity, entry, [...(isRenamed ? [name, former] : []), ...change.aliases]);
  const { tenant_id } = change;
  const after = { ...auditedEntry(entry), aliases: change.aliases.map((alias) => alias.name) };
  insertAudit(db, actor, [
    {
      tenant_id,
      at: now,
      action: current ? "entity.update" : "entity.create",
      target_id: entity.id,
      before: auditedEntry(before),
      after,
      reason: null,
    },
  ]);
  rereadOthers(db, entity, added, clock.now());
  return true;
}

/** Where a change is entered. */
interface Place {
  readonly fleet_id: string | null;
  readonly current: EntryRow | null;
}

/**
 * In the entry of the caller's fleet, else in that of all; without either, for those who know the entity. Throws CONFLICT when these
 * are the readers of private rows alone.
 */
function placeOf(db: Engine, entity: EntityRow, { read_scope, requireFleet }: EntityRename): Place {
  const { entries, all, fleets } = reachOf(db, read_scope, entity);
  const home = read_scope.home ?? null;
  const of = (fleet_id: string | null): Place => {
    if (fleet_id !== null) requireFleet(fleet_id);
    return { fleet_id, current: entries.find((one) => one.fleet_id === fleet_id) ?? null };
  };
  if (home !== null && entries.some(({ fleet_id }) => fleet_id === home)) return of(home);
  if (all) return of(null);
  const fleet = home !== null && fleets.includes(home) ? home : fleets[0];
  if (fleet === undefined) throw knownInPrivate(entity);
  return of(fleet);
}

/** Has rows read again that call something else by names that now mean this entity. */
function rereadOthers(db: Engine, entity: EntityRow, names: readonly KeyedName[], nowMs: number): void {
  const others = names.flatMap(({ key }) => {
    const other = entityByKey(db, entity.tenant_id, key);
    return other && other.seq !== entity.seq ? [{ entity_seq: other.seq, direct: true }] : [];
  });
  if (others.length > 0) queueRereads(db, entity.tenant_id, others, nowMs);
}
