import { sql } from "drizzle-orm";
import type { EntityMerge } from "../../core/ports/entities/changes.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { seenEntity } from "./counted.ts";
import { forgetIfUnheard } from "./delete-orphans.ts";
import { auditedEntry } from "./entries.ts";
import { mergeEntry } from "./merge-entries.ts";
import { moveLinks } from "./merge-links.ts";
import { moveRelations } from "./merge-relations.ts";
import type { Moving } from "./moving.ts";
import { movingOf } from "./moving.ts";
import { mergedFleets, reachOf, toldTo } from "./reach.ts";
import { isAmong, readerOf } from "./seen-by.ts";

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

/**
 * What callers stated of the entity that goes is stated of the survivor, and compared with what was stated of that one; returns in how
 * many rows.
 */
function* moveSubjects(work: ChangeWork, { from, into, audiences }: Moving, nowMs: number): Unit<number> {
  const { dialect, tenant_id } = work;
  const stated = yield* rows<{ seq: number; id: string; deleted_at: string | null }>(sql`
    update memories as m set subject_entity_id = ${into.id}
    where ${dialect.belongs("m", tenant_id)} and m.subject_entity_id = ${from.id} and ${isAmong("m", { dialect, audiences })}
    returning seq, id, deleted_at`);
  const live = stated.filter(({ deleted_at }) => deleted_at === null).sort((a, b) => a.seq - b.seq);
  const ofRows = dialect.isIn(
    sql`c.memory_seq`,
    live.map(({ seq }) => seq),
  );
  yield* run(sql`update memory_claims as c set subject_key = ${into.id}
    where c.tenant_id = ${tenant_id} and ${ofRows} and c.subject_key = ${from.id}
      and not exists (select 1 from memory_claims o where o.tenant_id = c.tenant_id and o.fleet_id = c.fleet_id
        and o.subject_key = ${into.id} and o.predicate = c.predicate and o.memory_seq = c.memory_seq)`);
  // To be read again, a row must count as not read.
  yield* run(
    sql`update memory_checks as c set content_hash = null where ${dialect.tenant("c", tenant_id)} and ${ofRows}`,
  );
  yield* queueAfter(work, { kind: "memories_stale", rows: live.map(({ id }) => ({ tenant_id, id })), now_ms: nowMs });
  return stated.length;
}
