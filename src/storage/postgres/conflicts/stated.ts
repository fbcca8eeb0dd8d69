import { sql } from "drizzle-orm";
import type { ConflictCandidate, StatedQuery } from "../../../core/ports/contradiction-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { putClaim } from "../../conflicts/claims.ts";
import type { TenantWork } from "../engine/work.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { MEMORY_COLUMNS } from "../memories/rows.ts";
import { within } from "../units/run.ts";
import { among, claiming } from "./among.ts";
import { BY_CLAIM_MAX } from "./candidates.ts";

/**
 * Files what a row states, inside the caller's transaction, and finds the rows that state something of the same, checked or not,
 * newest first.
 */
export async function findStated(work: TenantWork, query: StatedQuery): Promise<ConflictCandidate[]> {
  const { memory, claim } = query;
  const row = await work.row<Pick<MemoryRow, "seq" | "fleet_id">>(sql`select seq, fleet_id from memories
    where tenant_id = ${work.tenant_id} and id = ${memory.id} and deleted_at is null`);
  if (!row) return [];
  await within(work, (unit) => putClaim(unit, row, claim));
  const found = await work.rows<StoredMemory>(sql`
    select ${MEMORY_COLUMNS} from (
        ${among(claiming(memory, claim), query, row.seq)} order by found.place limit ${BY_CLAIM_MAX}) stating
      join memories on memories.tenant_id = ${work.tenant_id} and memories.seq = stating.seq
    order by stating.place`);
  return found.map((memory) => ({ memory, closeness: null, shared_words: 0 }));
}
