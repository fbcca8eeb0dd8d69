import { yieldToEventLoop } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { Actor } from "../core/ports/memory-store.ts";
import { graceStart } from "./restore.ts";

/** How often it is looked for rows whose time has come, where none is known to come sooner. */
export const RETENTION_INTERVAL_MS = 10 * 60_000;
/** Rows erased in one transaction. */
const ROWS_PER_STEP = 100;
/** Who acts when time does. */
const CARETAKER: Actor = { agent_id: null, auth_source: "caretaker" };

/**
 * Job: takes back what expired rows had found against others, and erases what was deleted so long ago that nobody can have
 * it back. Returns when to look again. What is due is read from the rows, so neither a restart nor a clock put back or
 * forward loses any of it.
 */
export async function applyRetention(services: Services, signal: AbortSignal): Promise<number> {
  const { clock, storage } = services;
  const next = await storage.contradictions.retractExpired(CARETAKER);
  for (const tenant_id of await storage.memories.tenantsWithDeleted()) {
    const deleted = { until: await graceStart(services, tenant_id) };
    while ((await storage.memories.erase({ tenant_id, deleted }, CARETAKER, ROWS_PER_STEP)) === ROWS_PER_STEP) {
      signal.throwIfAborted();
      await yieldToEventLoop();
    }
  }
  return Math.min(next ?? Number.POSITIVE_INFINITY, clock.now() + RETENTION_INTERVAL_MS);
}

/** Job: erases the names that only erased rows held, then overwrites what erased rows left in the keyword indexes and in the log of the data file. */
export async function eraseResidue({ storage }: Services, signal: AbortSignal): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    after = await storage.entities.deleteOrphanedNames(after);
    signal.throwIfAborted();
    await yieldToEventLoop();
  }
  for (let begin = true; await storage.indexes.mergeWords(begin); begin = false) {
    signal.throwIfAborted();
    await yieldToEventLoop();
  }
  await storage.emptyLog();
}
