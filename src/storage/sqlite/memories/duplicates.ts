import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { Connections } from "../engine/connection.ts";

/** What makes two rows the same statement of the same author to the same readers. */
type Told = Pick<StoredMemory, "tenant_id" | "content_hash" | "agent_id" | "visibility">;

// Asked once a row, as text: to build such a statement costs ten times what running it does.
const LIVE_TWIN = `select id from memories
  where tenant_id = ? and content_hash = ? and agent_id = ? and visibility = ? and deleted_at is null
    and status in ('active', 'confirmed', 'pending') and (expires_at is null or expires_at > ?)
  order by seq`;

/** The ids of the live rows that say the same at this moment, oldest first; what was superseded or withdrawn is no twin. */
export function liveDuplicates(db: Connections, { tenant_id, content_hash, agent_id, visibility }: Told, now: string) {
  const found = db.writeConnection.query<{ id: string }, string[]>(LIVE_TWIN);
  return found.all(tenant_id, content_hash, agent_id, visibility, now).map(({ id }) => id);
}
