import { eq, sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Connections } from "./connection.ts";
import { tenantUsage } from "./tables.ts";

/** Memories of a tenant that are not deleted; kept as a counter because every write reply reports it. */
export function storedMemories(db: BunSQLiteDatabase, tenant_id: string): number {
  return db.select().from(tenantUsage).where(eq(tenantUsage.tenant_id, tenant_id)).get()?.memories_stored ?? 0;
}

/** Moves the counter inside the transaction that adds or removes the rows. */
export function changeUsage(at: Connections, tenant_id: string, by: number): void {
  at.write
    .insert(tenantUsage)
    .values({ tenant_id, memories_stored: by })
    .onConflictDoUpdate({
      target: tenantUsage.tenant_id,
      set: { memories_stored: sql`${tenantUsage.memories_stored} + ${by}` },
    })
    .run();
}
