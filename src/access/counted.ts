import type { Caller, SearchStorage } from "../core/ports/context.ts";
import type { ReadScope } from "../core/ports/memory-filter.ts";
import { readScopeOf } from "./read-scope.ts";
import { ADMINISTER } from "./trust.ts";

/**
 * Whose rows a caller is told the number of: those that it sees. Undefined, for all of its tenant's, where it administers the
 * tenant, owns the machine, or may change and delete every row as the fully trusted credential of a whole tenant.
 */
export function countedScope(ctx: Caller): ReadScope | undefined {
  const { admin, owner, agent_id, trust } = ctx.principal;
  return admin || owner || (agent_id === null && trust >= ADMINISTER) ? undefined : readScopeOf(ctx);
}

interface Counting extends Caller {
  readonly storage: { readonly memories: Pick<SearchStorage["memories"], "stored"> };
}

/** Memories that are not deleted, among those that the caller counts. */
export const storedFor = (ctx: Counting, tenant_id: string): Promise<number> =>
  ctx.storage.memories.stored(tenant_id, countedScope(ctx));
