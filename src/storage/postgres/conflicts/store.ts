import type { Clock } from "../../../core/kernel/clock.ts";
import type { Check, ContradictionStore } from "../../../core/ports/contradiction-store.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { changedBy } from "../../common/changed-by.ts";
import { putFinding, recordCheck } from "../../conflicts/record.ts";
import { retractExpired } from "../../conflicts/retract.ts";
import type { Runner } from "../../units/work.ts";
import type { Engine } from "../engine/work.ts";
import { postgresRunner } from "../units/run.ts";
import { findCandidates } from "./candidates.ts";
import { countOpen, listConflicts } from "./conflicts.ts";
import { checkedAt, findingsOf, successorsOf, supersededBy, uncheckedMemories } from "./read.ts";
import { reviewFinding } from "./review.ts";
import { findStated } from "./stated.ts";

/** The contradiction store over Postgres. */
export function postgresContradictionStore(engine: Engine, clock: Clock): ContradictionStore {
  const runner = postgresRunner(engine);
  const byNow = (actor: Actor): ChangedBy => changedBy(clock, actor);
  return {
    unchecked: (tenant_id, ids, embedder_id) =>
      engine.look((work) => uncheckedMemories(work, tenant_id, ids, embedder_id)),
    candidates: (query) => engine.snapshot((work) => findCandidates(work, query)),
    stated: (query) => engine.write(query.memory.tenant_id, (work) => findStated(work, query)),
    record: (checks, actor) => record(runner, checks, byNow(actor)),
    put: (found, actor) => runner.write(found.newer.tenant_id, (work) => putFinding(work, found, byNow(actor), false)),
    retractExpired: (actor) => retractExpired(runner, byNow(actor)),
    checkedAt: (key) => engine.look((work) => checkedAt(work, key)),
    findings: (key, read_scope) => engine.look((work) => findingsOf(work, key, read_scope)),
    conflicts: (query) => engine.snapshot((work) => listConflicts(work, query)),
    countOpen: (filter, max) => engine.look((work) => countOpen(work, filter, max)),
    review: (review, actor) =>
      engine.write(review.filter.tenant_id, (work) => reviewFinding(work, review, byNow(actor))),
    superseded: (tenant_id, ids, read_scope) => engine.look((work) => supersededBy(work, tenant_id, ids, read_scope)),
    successors: (ids, filter) => engine.look((work) => successorsOf(work, ids, filter)),
  };
}

/** In their order, in one transaction of each tenant. */
async function record({ write }: Runner, checks: readonly Check[], by: ChangedBy): Promise<void> {
  for (const [tenant_id, own] of Map.groupBy(checks, ({ memory }) => memory.tenant_id)) {
    await write(tenant_id, function* (work) {
      for (const check of own) yield* recordCheck(work, check, by);
    });
  }
}
