import type { Database } from "bun:sqlite";
import { sql } from "drizzle-orm";
import type { Connections } from "../engine/connection.ts";
import { tenantUsage } from "../engine/tables.ts";

/** Memories of a tenant that are not deleted; kept as a counter because every write reply reports it. */
export function storedMemories(db: Database, tenant_id: string): number {
  const stored = db.query<{ n: number }, [string]>("select memories_stored as n from tenant_usage where tenant_id = ?");
  return stored.get(tenant_id)?.n ?? 0;
}

/** Moves the counter inside the transaction that adds or removes the rows. */
export function changeUsage(db: Connections, tenant_id: string, by: number): void {
  db.drizzleWrite
    .insert(tenantUsage)
    .values({ tenant_id, memories_stored: by })
    .onConflictDoUpdate({
      target: tenantUsage.tenant_id,
      set: { memories_stored: sql`${tenantUsage.memories_stored} + ${by}` },
    })
    .run();
}
