import type { Services } from "../core/ports/context.ts";

/** How long a reply waits for vectors; shorter than any request may take. */
const WAIT_MS = 20_000;
/** How often it looks whether they are there. */
const LOOK_MS = 25;

/** Those of the rows that are not found by meaning yet. */
export async function unembedded(
  { storage, embedder }: Services,
  tenant_id: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await storage.memories.pendingIds(tenant_id, ids, embedder.id));
}

/**
 * The same once their jobs had time to make it none. It does not embed them itself: in the order of the jobs, nobody who
 * waits is served before those who came first.
 */
export async function waitForEmbedding(
  services: Services,
  tenant_id: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const last = services.clock.now() + WAIT_MS;
  for (
    let pending = await unembedded(services, tenant_id, ids);
    ;
    pending = await unembedded(services, tenant_id, ids)
  ) {
    if (pending.size === 0 || services.clock.now() >= last || services.embedder.state().phase === "failed")
      return pending;
    await Bun.sleep(LOOK_MS);
  }
}
