import { sql } from "drizzle-orm";
import type { EntityRename, KeyedName } from "../../../core/ports/entities/changes.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import { auditedEntry } from "../../common/entity-entries.ts";
import { placeOf } from "../../common/entity-reach.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import type { ChangedBy } from "../engine/changed-by.ts";
import { textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { seenEntity } from "./counted.ts";
import { changeEntry, insertEntry, teachByHand } from "./entries.ts";
import { queueRereads } from "./links.ts";
import { reachOf, toldTo } from "./reach.ts";
import { readerOf } from "./seen-by.ts";
import { requireFree } from "./taken.ts";

/**
 * Names an entity anew, or says of what type it is, inside the caller's transaction: in what the caller's fleet entered of it, else
 * in what is entered for all. Its former name stays another name of it, so that texts that use it still lead there. False when the
 * caller does not see it.
 */
export async function renameEntity(
  work: TenantWork,
  change: EntityRename,
  { actor, now, nowMs }: ChangedBy,
): Promise<boolean> {
  const reader = await readerOf(work, change.read_scope);
  const entity = await seenEntity(work, reader, change);
  if (!entity) return false;
  const { fleet_id, current } = placeOf(await reachOf(work, change.read_scope, entity), entity, change);
  const before = current ?? { ...(await toldTo(work, entity, fleet_id)), fleet_id };
  const former: KeyedName = { name: before.canonical_name, key: nameKey(before.canonical_name) };
  const name = change.name ?? former;
  const added = [...(change.name ? [change.name] : []), ...change.aliases];
  await requireFree(work, reader, { entity, names: added });
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
    ? await changeEntry(work, current, { change: entered, now })
    : await insertEntry(work, entity.seq, { change: entered, now });
  const isRenamed = name.key !== former.key || name.key !== entity.name_key;
  await teachByHand(work, { entity, entry }, [...(isRenamed ? [name, former] : []), ...change.aliases]);
  const after = { ...auditedEntry(entry), aliases: change.aliases.map((alias) => alias.name) };
  await insertAudit(work, actor, [
    {
      at: now,
      action: current ? "entity.update" : "entity.create",
      target_id: entity.id,
      before: auditedEntry(before),
      after,
      reason: null,
    },
  ]);
  await rereadOthers(work, { entity, names: added }, nowMs);
  return true;
}

interface Renamed {
  readonly entity: EntityRow;
  readonly names: readonly KeyedName[];
}

/** Has rows read again that call something else by names that now mean this entity. */
async function rereadOthers(work: TenantWork, { entity, names }: Renamed, nowMs: number): Promise<void> {
  if (names.length === 0) return;
  const keys = names.map(({ key }) => key);
  const others = await work.rows<{ seq: number; name_key: string }>(sql`select seq, name_key from entities
    where tenant_id = ${work.tenant_id} and name_key = any(${textArray(keys)}) and seq <> ${entity.seq}`);
  const seqOf = new Map(others.map(({ seq, name_key }) => [name_key, seq]));
  const seqs = keys.flatMap((key) => seqOf.get(key) ?? []);
  await queueRereads(
    work,
    seqs.map((entity_seq) => ({ entity_seq, direct: true })),
    nowMs,
  );
}
