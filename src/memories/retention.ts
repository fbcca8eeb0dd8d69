import { DAY_MS, toTimestamp } from "../core/kernel/clock.ts";
import { yieldToEventLoop } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { Actor } from "../core/ports/memory-store.ts";
import { OrgSettings } from "../core/schema/settings.ts";
import { purgeTexts } from "./kept/purge.ts";
import { graceStart } from "./restore.ts";

/** How often it is looked for rows whose time has come, where none is known to come sooner. */
export const RETENTION_INTERVAL_MS = 10 * 60_000;
/** Rows erased in one transaction: of deleted ones little is left, live ones take some milliseconds each. */
const DELETED_PER_STEP = 25;
const LIVE_PER_STEP = 5;
/** Who acts when time does. */
const CARETAKER: Actor = { agent_id: null, auth_source: "caretaker" };

/**
 * Job: takes back what expired rows had found against others, and erases what was deleted or replaced, or expired where the tenant
 * wants that, so long ago that its grace is over. Returns when to look again. What is due is read from the rows, so neither a restart
 * nor a clock put back or forward loses any of it.
 */
export async function applyRetention(services: Services, signal: AbortSignal): Promise<number> {
  const { clock, storage } = services;
  const next = await storage.contradictions.retractExpired(CARETAKER);
  for (const tenant_id of await storage.memories.tenantsWithDeleted()) {
    const deleted = { until: await graceStart(services, tenant_id) };
    await eraseAll(services, { tenant_id, deleted }, DELETED_PER_STEP, signal);
  }
  await purgeTexts(services, signal);
  for (const tenant_id of await storage.settings.tenants()) {
    const { memories } = OrgSettings.parse(await storage.settings.get(tenant_id));
    if (memories.expired_grace_days === null) continue;
    const expired_by = toTimestamp(clock.now() - memories.expired_grace_days * DAY_MS);
    await eraseAll(services, { tenant_id, expired_by }, LIVE_PER_STEP, signal);
  }
  return Math.min(next ?? Number.POSITIVE_INFINITY, clock.now() + RETENTION_INTERVAL_MS);
}

async function eraseAll(
  { storage }: Services,
  filter: MemoryFilter,
  rowsPerStep: number,
  signal: AbortSignal,
): Promise<void> {
  while ((await storage.memories.erase(filter, CARETAKER, rowsPerStep)) === rowsPerStep) {
    signal.throwIfAborted();
    await yieldToEventLoop();
  }
}
