import { DAY_MS, toTimestamp } from "../../core/kernel/clock.ts";
import type { Services } from "../../core/ports/context.ts";
import { OrgSettings } from "../../core/schema/settings.ts";
import { giveRoomBack, turn } from "./residue.ts";

/** How often it is looked for what has run out. */
const RETENTION_INTERVAL_MS = 60 * 60_000;
/** Rows removed in one transaction. */
const ROWS_PER_STEP = 200;

/**
 * Job: removes what only time takes away, and gives back the room that it and others left: audit entries that a tenant wants no longer,
 * kept replies, fingerprints of rejected skills, jobs that nobody knows, what only an older Cairn read. Returns when to look again.
 */
export async function removeSpent(services: Services, signal: AbortSignal): Promise<number> {
  const { clock, storage } = services;
  const { retention } = storage;
  let removed = await inSteps(() => retention.removeSpent(clock.now(), ROWS_PER_STEP), signal);
  for (const tenant_id of await storage.settings.tenants()) {
    const before = await auditStart(services, tenant_id);
    if (before !== null)
      removed += await inSteps(() => retention.removeAudit(tenant_id, before, ROWS_PER_STEP), signal);
  }
  // Reading rows anew leaves room, too.
  if (removed > 0 || (await retention.giveBackPages())) await giveRoomBack(services, signal);
  return clock.now() + RETENTION_INTERVAL_MS;
}

/** The moment from which on a tenant keeps audit entries: what a deleted memory was before, one of them tells. Null for all. */
async function auditStart({ clock, storage }: Services, tenant_id: string): Promise<string | null> {
  const { audit, memories } = OrgSettings.parse(await storage.settings.get(tenant_id));
  if (audit.keep_days === null) return null;
  return toTimestamp(clock.now() - Math.max(audit.keep_days, memories.deleted_grace_days) * DAY_MS);
}

/** Repeats a step until it finds nothing; returns how many rows all removed. */
async function inSteps(step: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (let removed = await step(); removed > 0; removed = await step()) {
    sum += removed;
    await turn(signal);
  }
  return sum;
}
