import type { SQLQueryBindings } from "bun:sqlite";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { memoryWhereText } from "./filters.ts";

/** The places of the index of pending rows where a row without a vector of this embedder may be; a search asks each time. */
const UNEMBEDDED = ["embedded_by is null", "embedded_by < ?", "embedded_by > ?"] as const;

/** How many rows of the filter lack a vector of this embedder; counts no further than `most`. */
export function countPending(db: Connections, space: EmbedderSpace, filter: MemoryFilter, most: number): number {
  const where = memoryWhereText({ ...filter, include_deleted: false });
  let found = 0;
  for (const place of UNEMBEDDED) {
    const counted = db.readConnection.query<{ n: number }, SQLQueryBindings[]>(`
      select count(*) as n from (
        select 1 from memories indexed by memories_pending
        where memories.tenant_id = ? and memories.deleted_at is null and memories.${place} and ${where.sql} limit ?
      )`);
    const values = place.includes("?") ? [space.id] : [];
    found += counted.get(filter.tenant_id, ...values, ...where.params, most - found)?.n ?? 0;
    if (found >= most) return found;
  }
  return found;
}

/** The same of all tenants. */
export function countAllPending(db: Connections, space: EmbedderSpace): number {
  const perTenant = UNEMBEDDED.map(
    (place) => `(select count(*) from memories indexed by memories_pending
      where memories.tenant_id = tenant_usage.tenant_id and memories.deleted_at is null and memories.${place})`,
  );
  const counted = db.readConnection.query<{ n: number }, SQLQueryBindings[]>(
    `select coalesce(sum(${perTenant.join(" + ")}), 0) as n from tenant_usage where memories_stored > 0`,
  );
  return counted.get(space.id, space.id)?.n ?? 0;
}
