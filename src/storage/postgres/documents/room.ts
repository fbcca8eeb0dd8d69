import { sql } from "drizzle-orm";
import type { TenantWork } from "../engine/work.ts";

/** How many documents the tenant holds; counted in an index, no further than a limit. */
export async function storedDocuments(work: TenantWork, limit: number): Promise<number> {
  const row = await work.row<{ n: number }>(
    sql`select count(*) as n from (select 1 from documents where tenant_id = ${work.tenant_id} limit ${limit}) d`,
  );
  return row?.n ?? 0;
}
