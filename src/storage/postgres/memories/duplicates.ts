import { sql } from "drizzle-orm";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { TenantWork } from "../engine/work.ts";

/** What makes two rows the same statement of the same author to the same readers. */
type Told = Pick<StoredMemory, "content_hash" | "agent_id" | "visibility">;

/** The ids of the live rows that say the same at this moment, oldest first; what was superseded or withdrawn is no twin. */
export async function liveDuplicates(
  work: TenantWork,
  { content_hash, agent_id, visibility }: Told,
  now: string,
): Promise<string[]> {
  const rows = await work.rows<{ id: string }>(sql`select id from memories
    where tenant_id = ${work.tenant_id} and content_hash = ${content_hash} and agent_id = ${agent_id}
      and visibility = ${visibility} and deleted_at is null
      and status in ('active', 'confirmed', 'pending') and (expires_at is null or expires_at > ${now})
    order by seq`);
  return rows.map(({ id }) => id);
}
