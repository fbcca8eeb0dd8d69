import { sql } from "drizzle-orm";
import type { TenantWork, Work } from "../engine/work.ts";

/** Memories of a tenant that are not deleted; kept as a counter because every write reply reports it. */
export async function storedMemories(work: Work, tenant_id: string): Promise<number> {
  const row = await work.row<{ n: number }>(
    sql`select memories_stored as n from tenant_usage where tenant_id = ${tenant_id}`,
  );
  return row?.n ?? 0;
}

/** Moves the counter inside the transaction that adds or removes the rows. */
export const changeUsage = (work: TenantWork, by: number): Promise<number> =>
  work.run(sql`insert into tenant_usage (tenant_id, memories_stored) values (${work.tenant_id}, ${by})
    on conflict (tenant_id) do update set memories_stored = tenant_usage.memories_stored + excluded.memories_stored`);
