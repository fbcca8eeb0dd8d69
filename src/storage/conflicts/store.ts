import type { Clock } from "../../core/kernel/clock.ts";
import type { Check, ContradictionStore } from "../../core/ports/contradiction-store.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { changedBy } from "../common/changed-by.ts";
import type { Runner } from "../units/work.ts";
import { countOpen, listConflicts } from "./conflicts.ts";
import { judgeAgain, judgedFindings } from "./judged.ts";
import { possibleNewer, saidToStand } from "./possible.ts";
import { checkedAt, findingsOf, successorsOf, supersededBy, uncheckedMemories } from "./read.ts";
import { putFinding, recordCheck } from "./record.ts";
import { recheckOnceRead, recheckSince, retractExpired } from "./retract.ts";
import { reviewFinding } from "./review.ts";
import { findStated } from "./stated.ts";

/** The contradiction store, over whichever engine runs its units of work; candidates are found as that engine finds them. */
export function contradictionStore(
  runner: Runner,
  clock: Clock,
  candidates: ContradictionStore["candidates"],
): ContradictionStore {
  const { look, snapshot, write } = runner;
  const byNow = (actor: Actor): ChangedBy => changedBy(clock, actor);
  return {
    candidates,
    unchecked: (tenant_id, ids, embedder_id) => look((work) => uncheckedMemories(work, tenant_id, ids, embedder_id)),
    stated: (query) => write(query.memory.tenant_id, (work) => findStated(work, query)),
    record: (checks, actor) => record(runner, checks, byNow(actor)),
    put: (found, actor) => write(found.newer.tenant_id, (work) => putFinding(work, found, byNow(actor), false)),
    recheckSince: (tenant_id, since, below) =>
      write(tenant_id, (work) => recheckSince(work, { since, below }, clock.now())),
    judged: (tenant_id, after) => look((work) => judgedFindings(work, tenant_id, after)),
    judgeAgain: (tenant_id, found, actor) => write(tenant_id, (work) => judgeAgain(work, found, byNow(actor))),
    saidToStand: (memory) => look((work) => saidToStand(work, memory)),
    recheckOnceRead: async (tenant_id, ids) => {
      await write(tenant_id, (work) => recheckOnceRead(work, ids));
    },
    retractExpired: (actor) => retractExpired(runner, byNow(actor)),
    checkedAt: (key) => look((work) => checkedAt(work, key)),
    findings: (key, read_scope) => look((work) => findingsOf(work, key, read_scope)),
    conflicts: (query) => snapshot((work) => listConflicts(work, query)),
    countOpen: (filter, max) => look((work) => countOpen(work, filter, max)),
    review: (review, actor) => write(review.filter.tenant_id, (work) => reviewFinding(work, review, byNow(actor))),
    superseded: (tenant_id, ids, read_scope) => look((work) => supersededBy(work, tenant_id, ids, read_scope)),
    possible: (tenant_id, ids, read_scope) => look((work) => possibleNewer(work, tenant_id, ids, read_scope)),
    successors: (ids, filter) => look((work) => successorsOf(work, ids, filter)),
  };
}

/** In their order, in one transaction of each tenant. */
async function record({ write }: Runner, checks: readonly Check[], by: ChangedBy): Promise<void> {
  for (const [tenant_id, own] of Map.groupBy(checks, ({ memory }) => memory.tenant_id))
    await write(tenant_id, function* (work) {
      for (const check of own) yield* recordCheck(work, check, by);
    });
}
