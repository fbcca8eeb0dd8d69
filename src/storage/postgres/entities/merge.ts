import type { EntityMerge } from "../../../core/ports/entities/changes.ts";
import { auditedEntry } from "../../common/entity-entries.ts";
import { mergedFleets } from "../../common/entity-reach.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import type { ChangedBy } from "../engine/changed-by.ts";
import type { TenantWork } from "../engine/work.ts";
import { seenEntity } from "./counted.ts";
import { forgetIfUnheard } from "./delete-orphans.ts";
import { mergeEntry } from "./merge-entries.ts";
import { moveLinks } from "./merge-links.ts";
import { moveRelations } from "./merge-relations.ts";
import { moveSubjects } from "./merge-subjects.ts";
import { movingOf } from "./moving.ts";
import { reachOf, toldTo } from "./reach.ts";
import { readerOf } from "./seen-by.ts";

/**
 * Makes one entity a part of another one, inside the caller's transaction: its entries, other names, relations and the links of rows
 * go over, and its names become other names of the survivor for everyone who knew them. What others entered of it and the caller does
 * not see stays theirs. False when the caller does not see both.
 */
export async function mergeEntities(
  work: TenantWork,
  merge: EntityMerge,
  { actor, now, nowMs }: ChangedBy,
): Promise<boolean> {
  const { tenant_id, read_scope } = merge;
  const reader = await readerOf(work, read_scope);
  const into = await seenEntity(work, reader, merge);
  const from = await seenEntity(work, reader, { tenant_id, id: merge.from_id });
  if (!into || !from) return false;
  const known = await reachOf(work, read_scope, from);
  const fleets = mergedFleets(known, await reachOf(work, read_scope, into), { from, into, merge });
  const before = await toldTo(work, from, fleets[0] ?? null);
  const survivor = await toldTo(work, into, fleets[0] ?? null);
  const moving = await movingOf(work, { from, into, fleets, isForAll: known.all });
  for (const fleet_id of fleets) await mergeEntry(work, moving, { fleet_id, now, requireFit: merge.requireFit });
  const memories = await moveLinks(work, moving);
  const stated = await moveSubjects(work, moving, nowMs);
  const relations = await moveRelations(work, moving, now);
  const is_gone = await forgetIfUnheard(work, from.seq);
  await insertAudit(work, actor, [
    {
      at: now,
      action: "entity.merge",
      target_id: into.id,
      before: {
        from_id: from.id,
        canonical_name: before.canonical_name,
        entity_type: before.entity_type,
        entries: known.entries.map(auditedEntry),
      },
      after: {
        canonical_name: survivor.canonical_name,
        entity_type: survivor.entity_type,
        memories,
        stated,
        relations,
        is_gone,
      },
      reason: null,
    },
  ]);
  return true;
}
