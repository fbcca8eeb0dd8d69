import { requireTenant } from "../access/tenant.ts";
import { requireAdmin, requireOwner } from "../access/trust.ts";
import { yieldToEventLoop } from "../core/kernel/event-loop.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { ReportMaintenance } from "../core/ports/index-maintenance.ts";
import type { RebuildPlace } from "../core/ports/storage.ts";
import type {
  IndexesRebuilt,
  IntegrityReport,
  IntegrityRunRequest,
  IntegrityRunState,
} from "../core/schema/integrity.ts";
import { searchableText } from "../documents/searchable.ts";

/**
 * Whether rows and the indexes made from them agree: all of them for the owner of the machine, those of its tenant for
 * another administrator. Administrators only.
 */
export async function inspect(ctx: Ctx): Promise<IntegrityReport> {
  const tenant_id = administered(ctx);
  return ctx.indexMaintenance.run({ kind: "check", tenant_id, work: (tell) => check(ctx, tenant_id, tell) });
}

/**
 * Makes every index again from the rows, a few at a time, so that search goes on meanwhile; whatever has lost its vector
 * is embedded again by jobs. For the owner of the machine only.
 */
export async function rebuildIndexes(ctx: Ctx): Promise<IndexesRebuilt> {
  requireOwner(ctx);
  return ctx.indexMaintenance.run({ kind: "rebuild", tenant_id: null, work: (tell) => rebuild(ctx, tell) });
}

/** Begins a check or a rebuild, or joins one, and answers at once. Who may is as for either. */
export async function beginRun(ctx: Ctx, { kind }: IntegrityRunRequest): Promise<IntegrityRunState> {
  if (kind === "rebuild") requireOwner(ctx);
  const tenant_id = administered(ctx);
  const run: Promise<unknown> = kind === "check" ? inspect(ctx) : rebuildIndexes(ctx);
  // Whoever looks at the run is told; nobody waits for this.
  run.catch((error: unknown) => ctx.log.warn(`${kind} failed`, { cause: describeCause(error) }));
  return { run: ctx.indexMaintenance.latest(tenant_id) };
}

/** The check or rebuild that runs, else the last one since the start. Administrators only. */
export async function runState(ctx: Ctx): Promise<IntegrityRunState> {
  return { run: ctx.indexMaintenance.latest(administered(ctx)) };
}

/** What an administrator may look at: the whole (null) as the owner of the machine, else its tenant. */
function administered(ctx: Ctx): string | null {
  requireAdmin(ctx);
  return ctx.principal.owner ? null : requireTenant(ctx);
}

async function check({ storage }: Ctx, tenant_id: string | null, tell: ReportMaintenance): Promise<IntegrityReport> {
  const { checks, damaged } = await storage.indexes.inspect(tenant_id, tell);
  return { ok: checks.every(({ ok }) => ok), checks: [...checks], damaged: [...damaged] };
}

async function rebuild(ctx: Ctx, tell: ReportMaintenance): Promise<IndexesRebuilt> {
  const done = { memories: 0, documents: 0, embeddings_queued: 0 };
  const begun = ctx.clock.now();
  let from: RebuildPlace | null = null;
  do {
    const step = await ctx.storage.indexes.rebuild(from, searchableText);
    done.memories += step.memories;
    done.documents += step.documents;
    done.embeddings_queued += step.embeddings_queued;
    tell(step.progress);
    from = step.next;
    // Lets whoever waits go first.
    await yieldToEventLoop();
  } while (from !== null);
  // What another model has read, the steps pass over. What was compared since they began is compared again after it.
  await ctx.storage.jobs.addReembedding(ctx.embedder.id, begun);
  return { ...done, report: await check(ctx, null, tell) };
}
