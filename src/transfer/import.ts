import { actorOf } from "../access/actor.ts";
import { requirePerson } from "../access/person.ts";
import { requireTenant } from "../access/tenant.ts";
import { requireAdmin } from "../access/trust.ts";
import { mapCooperatively } from "../core/kernel/event-loop.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { ImportOutcome, IncomingMemory, IncomingRecord } from "../core/ports/keeping/transfer.ts";
import type { Job } from "../core/schema/job.ts";
import type { ImportQuery, ImportRequest, ImportResult, ImportState } from "../core/schema/keeping/import.ts";
import { embedDocumentsJob } from "../documents/embed.ts";
import { DEFAULT_AGENT } from "../memories/draft.ts";
import { embedJobs } from "../memories/embed.ts";
import { jobsFor, understandJobs } from "../memories/jobs.ts";
import { incomingRecord } from "./incoming.ts";
import type { Fault } from "./incoming-memory.ts";
import { asFarAsSound } from "./soundness.ts";
import type { LeftOut } from "./trust.ts";
import { withTrust } from "./trust.ts";

interface ImportOptions {
  /** Records that are refused already, by their place, and why. */
  readonly refused?: ReadonlyMap<number, string>;
  /** The records come out of another storage of this very Cairn, which found all of them sound. */
  readonly isMove?: boolean;
}

/**
 * Stores records as they are, dates and authors included, in one transaction, with how far their source is read by then. What is
 * there stays, so that to send a batch again changes nothing. For administrators.
 */
export async function importRecords(
  ctx: Ctx,
  request: ImportRequest,
  { refused, isMove = false }: ImportOptions = {},
): Promise<ImportResult> {
  requireAdmin(ctx);
  if (request.trust_source) requirePerson(ctx, "Settings, agents, keystones and skills are imported");
  const tenant_id = requireTenant(ctx, request.tenant_id);
  const scope = { tenant_id, agent_id: request.agent_id ?? DEFAULT_AGENT, fleet_id: request.fleet_id ?? null };
  const checked = await mapCooperatively(request.records, (sent, i): Read => {
    const fault = refused?.get(i);
    if (fault !== undefined) return { fault };
    return withTrust(request.trust_source, sent, (record) => incomingRecord(ctx, scope, record));
  });
  const read = isMove ? checked : await asFarAsSound(ctx, tenant_id, checked);
  const { source, position, dry_run } = request;
  const isKept = !dry_run && read.every((one) => !("fault" in one));
  const outcomes = await ctx.storage.transfer.take({
    tenant_id,
    records: read.filter((one): one is IncomingRecord => "kind" in one),
    actor: actorOf(ctx),
    memories_limit: ctx.limits.memories_limit,
    documents_limit: ctx.limits.documents_limit,
    dry_run,
    // The key of an agent has its agent's fleet: a source that nobody trusts says nothing of it.
    gives_homes: request.trust_source,
    shared_stays: request.shared_stays === true,
    progress: isKept && source != null && position != null ? { source, position } : null,
    jobsFor: (memories, document_ids) => [...memoryJobs(memories), ...documentJobs(tenant_id, document_ids)],
  });
  const results = resultsOf(read, outcomes);
  const hasSettings = read.some((one, i) => isSettings(one) && results[i]?.outcome === "created");
  // A grace that is shorter leaves some of what is here no time.
  if (hasSettings && !dry_run) await ctx.storage.jobs.bringForward("memories_schedule", ctx.clock.now());
  return { results, position: position ?? null };
}

type Read = IncomingRecord | Fault | LeftOut;

const isSettings = (one: Read): boolean => "kind" in one && one.kind === "settings";

/** How far a source was read. For administrators. */
export async function importState(ctx: Ctx, { tenant_id, source }: ImportQuery): Promise<ImportState> {
  requireAdmin(ctx);
  const known = await ctx.storage.transfer.progress(requireTenant(ctx, tenant_id), source);
  return known ?? { position: 0, updated_at: null };
}

function resultsOf(read: readonly Read[], outcomes: readonly ImportOutcome[]): ImportResult["results"] {
  const stored = outcomes.values();
  return read.map((one, index) => {
    if ("fault" in one) return { index, outcome: "refused", id: null, error: one.fault };
    if ("leftOut" in one) return { index, outcome: "skipped", id: null, error: null };
    const { outcome = "refused", id = null, error = null, ...found } = stored.next().value ?? {};
    return { index, outcome, id, error, ...found };
  });
}

/** Memories that were compared where they come from only get their vectors and names. */
function memoryJobs(incoming: readonly IncomingMemory[]): Job[] {
  const rows = (isChecked: boolean) =>
    incoming.filter(({ checked_at }) => (checked_at !== null) === isChecked).map(({ memory }) => memory);
  const checked = rows(true);
  return [...jobsFor(rows(false)), ...embedJobs(checked), ...understandJobs(checked)];
}

const documentJobs = (tenant_id: string, ids: readonly string[]): Job[] =>
  ids.length === 0 ? [] : [embedDocumentsJob(tenant_id, ids)];
