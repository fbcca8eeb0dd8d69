import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { ContradictionStore } from "../../../core/ports/contradiction-store.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { findCandidates } from "./candidates.ts";
import { checkedAt, findingsOf, successorsOf, supersededBy, uncheckedMemories } from "./read.ts";
import { putFinding, recordCheck } from "./record.ts";
import { retractExpired } from "./retract.ts";

/** The contradiction store over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteContradictionStore(
  at: Connections,
  space: EmbedderSpace,
  clock: Clock,
  jobAdded: () => void,
): ContradictionStore {
  return {
    unchecked: (tenant_id, ids, embedder_id) => guarded(() => uncheckedMemories(at, tenant_id, ids, embedder_id)),
    candidates: (query) => guarded(() => findCandidates(at, space, query)),
    record: async (check, actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      await guarded(() => at.transaction(() => recordCheck(at, check, by)));
      jobAdded();
    },
    put: async (found, actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      await guarded(() => at.transaction(() => putFinding(at, found, by)));
      jobAdded();
    },
    retractExpired: async (actor) => {
      const nowMs = clock.now();
      const by = { actor, nowMs, now: toTimestamp(nowMs) };
      const next = await guarded(() => at.transaction(() => retractExpired(at, by)));
      jobAdded();
      return next;
    },
    checkedAt: (key) => guarded(() => checkedAt(at, key)),
    findings: (key, read_scope) => guarded(() => findingsOf(at, key, read_scope)),
    superseded: (tenant_id, ids, read_scope) => guarded(() => supersededBy(at, tenant_id, ids, read_scope)),
    successors: (ids, filter) => guarded(() => successorsOf(at, ids, filter)),
  };
}
