import type { Database } from "bun:sqlite";

/** How many documents a tenant holds; counted in an index, no further than a limit. */
export function storedDocuments(db: Database, tenant_id: string, limit: number): number {
  const counted = db.query<{ n: number }, [string, number]>(
    "select count(*) as n from (select 1 from documents where tenant_id = ? limit ?)",
  );
  return counted.get(tenant_id, limit)?.n ?? 0;
}
