import { yieldToEventLoop } from "../../core/kernel/event-loop.ts";
import type { Services } from "../../core/ports/context.ts";
import { graceStart } from "../restore.ts";

/** Texts taken away in one transaction. */
const PER_STEP = 200;

/** Takes away for good what memories said so long ago that the grace of deleted ones would be over. */
export async function purgeTexts(services: Services, signal: AbortSignal): Promise<void> {
  const { keptTexts } = services.storage;
  for (const tenant_id of await keptTexts.tenants()) {
    const before = await graceStart(services, tenant_id);
    while ((await keptTexts.removeBefore(tenant_id, before, PER_STEP)) === PER_STEP) {
      signal.throwIfAborted();
      await yieldToEventLoop();
    }
  }
}
