import { sql } from "drizzle-orm";
import type { EntityRename, KeyedName } from "../../core/ports/entities/changes.ts";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import { nameKey } from "../../text/names/name-key.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { seenEntity } from "./counted.ts";
import { auditedEntry, changeEntry, insertEntry, teachByHand } from "./entries.ts";
import { queueRereads } from "./links.ts";
import { isUnnamed, placeOf, reachOf, toldTo } from "./reach.ts";
import { readerOf } from "./seen-by.ts";
import { requireFree } from "./taken.ts";

/**
 * Names an entity anew, or says of what type it is, inside the caller's transaction: in what the caller's fleet entered of it, else
 * in what is entered for all. Its former name stays another name of it, so that texts that use it still lead there. False when the
 * caller does not see it.
 */
export function* renameEntity(work: ChangeWork, change: EntityRename, { actor, now, nowMs }: ChangedBy): Unit<boolean> {
  const reader = yield* readerOf(work, change.read_scope);
  const entity = yield* seenEntity(reader, change);
  if (!entity) return false;
  const { fleet_id, current } = placeOf(yield* reachOf(work, change.read_scope, entity), entity, change);
  const before = current ?? { ...(yield* toldTo(work, entity, fleet_id)), fleet_id };
  // What else it is called is not theirs to know who would be told of the change.
  if (!change.name && before.canonical_name === entity.id) throw isUnnamed(entity);
  const former: KeyedName = { name: before.canonical_name, key: nameKey(before.canonical_name) };
  const name = change.name ?? former;
  const added = [...(change.name ? [change.name] : []), ...change.aliases];
  yield* requireFree(reader, { entity, names: added });
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
  const entry = current
    ? yield* changeEntry(work, current, { change: entered, now })
    : yield* insertEntry(work, entity.seq, { change: entered, now });
  const isName = ({ name }: KeyedName) => name !== entity.id;
  const isRenamed = name.key !== former.key || name.key !== entity.name_key;
  yield* teachByHand(work, { entity, entry }, [...(isRenamed ? [name, former] : []), ...change.aliases].filter(isName));
  const after = { ...auditedEntry(entry), aliases: change.aliases.map((alias) => alias.name) };
  yield* insertAudit(work, actor, [
    {
      at: now,
      action: current ? "entity.update" : "entity.create",
      target_id: entity.id,
      before: auditedEntry(before),
      after,
      reason: null,
    },
  ]);
  yield* rereadOthers(work, { entity, names: added }, nowMs);
  return true;
}

interface Renamed {
  readonly entity: EntityRow;
  readonly names: readonly KeyedName[];
}

/** Has rows read again that call something else by names that now mean this entity. */
function* rereadOthers(work: ChangeWork, { entity, names }: Renamed, nowMs: number): Unit<void> {
  if (names.length === 0) return;
  const keys = names.map(({ key }) => key);
  const others = yield* rows<{ seq: number; name_key: string }>(sql`select seq, name_key from entities
    where tenant_id = ${work.tenant_id} and ${work.dialect.isIn(sql`name_key`, keys)} and seq <> ${entity.seq}`);
  const seqOf = new Map(others.map(({ seq, name_key }) => [name_key, seq]));
  const seqs = keys.flatMap((key) => seqOf.get(key) ?? []);
  yield* queueRereads(
    work,
    seqs.map((entity_seq) => ({ entity_seq, direct: true })),
    nowMs,
  );
}
