import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { EntityRename, KeyedName } from "../../../core/ports/entities/changes.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import { auditedEntry } from "../../common/entity-entries.ts";
import { placeOf } from "../../common/entity-reach.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { Engine } from "../engine/connection.ts";
import { seenEntity } from "./counted.ts";
import { changeEntry, insertEntry, teachByHand } from "./entries.ts";
import { queueRereads } from "./links.ts";
import { reachOf, toldTo } from "./reach.ts";
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
  const { fleet_id, current } = placeOf(reachOf(db, change.read_scope, entity), entity, change);
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

/** Has rows read again that call something else by names that now mean this entity. */
function rereadOthers(db: Engine, entity: EntityRow, names: readonly KeyedName[], nowMs: number): void {
  const others = names.flatMap(({ key }) => {
    const other = entityByKey(db, entity.tenant_id, key);
    return other && other.seq !== entity.seq ? [{ entity_seq: other.seq, direct: true }] : [];
  });
  if (others.length > 0) queueRereads(db, entity.tenant_id, others, nowMs);
}
