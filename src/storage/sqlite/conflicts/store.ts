import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { ContradictionStore } from "../../../core/ports/contradiction-store.ts";
import { putFinding, recordCheck } from "../../conflicts/record.ts";
import { retractExpired } from "../../conflicts/retract.ts";
import type { Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import type { HitIndex } from "../search/hits.ts";
import { sqliteRunner } from "../units/run.ts";
import { findCandidates } from "./candidates.ts";
import { countOpen, listConflicts } from "./conflicts.ts";
import { checkedAt, findingsOf, successorsOf, supersededBy, uncheckedMemories } from "./read.ts";
import { reviewFinding } from "./review.ts";
import { findStated } from "./stated.ts";

/** The contradiction store over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteContradictionStore(
  db: Engine,
  hitIndex: HitIndex,
  clock: Clock,
  jobAdded: () => void,
): ContradictionStore {
  const runner = sqliteRunner(db, jobAdded);
  return {
    unchecked: (tenant_id, ids, embedder_id) => guarded(() => uncheckedMemories(db, tenant_id, ids, embedder_id)),
    candidates: (query) => guarded(() => findCandidates(db, hitIndex, query)),
    record: async (checks, actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      for (const [tenant_id, own] of Map.groupBy(checks, ({ memory }) => memory.tenant_id))
        await runner.write(tenant_id, function* (work) {
          for (const check of own) yield* recordCheck(work, check, by);
        });
    },
    stated: (query) => guarded(() => db.write(() => findStated(db, query))),
    put: async (found, actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      await runner.write(found.newer.tenant_id, (work) => putFinding(work, found, by, false));
    },
    retractExpired: async (actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      return retractExpired(runner, by);
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
