import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { SearchOrder } from "../core/ports/search-threads.ts";
import { embedQuery } from "../text/embed-with-timeout.ts";
import type { SearchInput } from "./plan.ts";

export interface Asked<I extends SearchInput> {
  /** Null when no thread gave one. */
  readonly reply: object | null;
  /** What to search for then, with what is known of it already. */
  readonly input: I;
}

/**
 * Lets a thread answer, where there are any. The question is embedded before, on the thread that has the models: no search
 * waits for them with a thread in hand that could answer another. Throws TENANT_MISMATCH for a foreign tenant.
 */
export async function askThread<I extends SearchInput>(
  ctx: Ctx,
  verb: SearchOrder["verb"],
  input: I,
): Promise<Asked<I>> {
  const { searchThreads, principal, clock } = ctx;
  const question = input.body.query.trim();
  if (searchThreads.count() === 0 || question === "") return { reply: null, input };
  requireTenant(ctx, input.body.tenant_id);
  const came_at = clock.now();
  const startedAt = performance.now();
  const query = await embedQuery(ctx, question, input.body.wait_ms);
  const embedded = { query, came_at, took_ms: performance.now() - startedAt };
  const asked = { ...input, embedded };
  return { reply: await searchThreads.ask({ verb, principal, input: asked }), input: asked };
}
