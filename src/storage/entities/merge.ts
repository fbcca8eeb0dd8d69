import type { EntityMerge } from "../../core/ports/entities/changes.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { auditedEntry } from "../common/entity-entries.ts";
import { mergedFleets } from "../common/entity-reach.ts";
import type { Unit } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
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
export function* mergeEntities(work: ChangeWork, merge: EntityMerge, { actor, now, nowMs }: ChangedBy): Unit<boolean> {
  const { tenant_id, read_scope } = merge;
  const reader = yield* readerOf(work, read_scope);
  const into = yield* seenEntity(reader, merge);
  const from = yield* seenEntity(reader, { tenant_id, id: merge.from_id });
  if (!into || !from) return false;
  const known = yield* reachOf(work, read_scope, from);
  const fleets = mergedFleets(known, yield* reachOf(work, read_scope, into), { from, into, merge });
  const before = yield* toldTo(work, from, fleets[0] ?? null);
  const survivor = yield* toldTo(work, into, fleets[0] ?? null);
  const moving = yield* movingOf(work, { from, into, fleets, isForAll: known.all });
  for (const fleet_id of fleets) yield* mergeEntry(work, moving, { fleet_id, now, requireFit: merge.requireFit });
  const memories = yield* moveLinks(work, moving);
  const stated = yield* moveSubjects(work, moving, nowMs);
  const relations = yield* moveRelations(work, moving, now);
  const is_gone = yield* forgetIfUnheard(work, from.seq);
  yield* insertAudit(work, actor, [
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
