import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { EntityMerge } from "../../../core/ports/entities/changes.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import { auditedEntry } from "../../common/entity-entries.ts";
import { mergedFleets } from "../../common/entity-reach.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { Engine } from "../engine/connection.ts";
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
export function mergeEntities(db: Engine, clock: Clock, merge: EntityMerge, actor: Actor): boolean {
  const { tenant_id, read_scope } = merge;
  const reader = readerOf(db, read_scope);
  const into = seenEntity(db.writeConnection, reader, merge);
  const from = seenEntity(db.writeConnection, reader, { tenant_id, id: merge.from_id });
  if (!into || !from) return false;
  const known = reachOf(db, read_scope, from);
  const fleets = mergedFleets(known, reachOf(db, read_scope, into), { from, into, merge });
  const [before, survivor] = [toldTo(db, from, fleets[0] ?? null), toldTo(db, into, fleets[0] ?? null)];
  const moving = movingOf(db, { from, into, fleets, isForAll: known.all });
  const now = toTimestamp(clock.now());
  for (const fleet_id of fleets) mergeEntry(db, moving, { fleet_id, now, requireFit: merge.requireFit });
  const memories = moveLinks(db, moving);
  const stated = moveSubjects(db, moving, clock.now());
  const relations = moveRelations(db, moving, now);
  const is_gone = forgetIfUnheard(db, from.seq);
  insertAudit(db, actor, [
    {
      tenant_id,
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
