import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { ContradictionStore } from "../../../core/ports/contradiction-store.ts";
import type { Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import type { HitIndex } from "../search/hits.ts";
import { findCandidates } from "./candidates.ts";
import { countOpen, listConflicts } from "./conflicts.ts";
import { checkedAt, findingsOf, successorsOf, supersededBy, uncheckedMemories } from "./read.ts";
import { putFinding, recordCheck } from "./record.ts";
import { retractExpired } from "./retract.ts";
import { reviewFinding } from "./review.ts";
import { findStated } from "./stated.ts";

/** The contradiction store over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteContradictionStore(
  db: Engine,
  hitIndex: HitIndex,
  clock: Clock,
  jobAdded: () => void,
): ContradictionStore {
  return {
    unchecked: (tenant_id, ids, embedder_id) => guarded(() => uncheckedMemories(db, tenant_id, ids, embedder_id)),
    candidates: (query) => guarded(() => findCandidates(db, hitIndex, query)),
    record: async (checks, actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      await guarded(() =>
        db.write(() => {
          for (const check of checks) recordCheck(db, check, by);
        }),
      );
      jobAdded();
    },
    stated: (query) => guarded(() => db.write(() => findStated(db, query))),
    put: async (found, actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      await guarded(() => db.write(() => putFinding(db, found, by, false)));
      jobAdded();
    },
    retractExpired: async (actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      const next = await guarded(() => db.write(() => retractExpired(db, by)));
      jobAdded();
      return next;
    },
    checkedAt: (key) => guarded(() => checkedAt(db, key)),
    findings: (key, read_scope) => guarded(() => findingsOf(db, key, read_scope)),
    conflicts: (query) => guarded(() => listConflicts(db, query)),
    countOpen: (filter, max) => guarded(() => countOpen(db, filter, max)),
    review: async (review, actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      const reviewed = await guarded(() => db.write(() => reviewFinding(db, review, by)));
      jobAdded();
      return reviewed;
    },
    superseded: (tenant_id, ids, read_scope) => guarded(() => supersededBy(db, tenant_id, ids, read_scope)),
    successors: (ids, filter) => guarded(() => successorsOf(db, ids, filter)),
  };
}
