import { sql } from "drizzle-orm";
import type { Work } from "../engine/work.ts";
import { ofTenant } from "./slices.ts";

// Counts are told by how far they are from what there is: whoever writes meanwhile moves both alike, so what was read of one
// moment holds at any other.

/** How far the count of each tenant's live memories is off. */
const tenantsOff = (tenant: string | null) => sql`
  select tenant_id, coalesce(c.stored, 0) - coalesce(u.memories_stored, 0) as off
  from (select tenant_id, count(*) as stored from memories
      where deleted_at is null and ${ofTenant(sql`tenant_id`, tenant)} group by tenant_id) c
    full join (select tenant_id, memories_stored from tenant_usage where ${ofTenant(sql`tenant_id`, tenant)}) u
      using (tenant_id)
  where coalesce(c.stored, 0) <> coalesce(u.memories_stored, 0)`;

/** The same of each set of readers. */
const readersOff = (tenant: string | null) => sql`
  select tenant_id, audience, coalesce(c.stored, 0) - coalesce(r.stored, 0) as off
  from (select tenant_id, audience, count(*) as stored from memories
      where deleted_at is null and ${ofTenant(sql`tenant_id`, tenant)} group by tenant_id, audience) c
    full join (select * from audience_rows where ${ofTenant(sql`tenant_id`, tenant)}) r using (tenant_id, audience)
  where coalesce(c.stored, 0) <> coalesce(r.stored, 0)`;

/** Tenants, and sets of readers, whose count of memories is wrong. */
export const usageFaults = (tenant: string | null) => sql`select
  (select count(*) from (${tenantsOff(tenant)}) t) + (select count(*) from (${readersOff(tenant)}) r) as n`;

/** Counts the memories of each tenant and of each set of readers again, inside the caller's transaction. */
export async function recountUsage(work: Work): Promise<void> {
  await work.run(sql`insert into tenant_usage (tenant_id, memories_stored)
    select tenant_id, off from (${tenantsOff(null)}) t
    on conflict (tenant_id) do update set memories_stored = tenant_usage.memories_stored + excluded.memories_stored`);
  await work.run(sql`insert into audience_rows (tenant_id, audience, stored)
    select tenant_id, audience, off from (${readersOff(null)}) r
    on conflict (tenant_id, audience) do update set stored = audience_rows.stored + excluded.stored`);
}
