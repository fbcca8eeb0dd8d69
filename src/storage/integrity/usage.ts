import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Unit } from "../units/unit.ts";
import { run } from "../units/unit.ts";
import type { Work } from "../units/work.ts";

// Counts are told by how far they are from what there is: whoever writes meanwhile moves both alike, so what was read of one
// moment holds at any other.

const ofTenant = (tenant: string | null): SQL => (tenant === null ? sql`true` : sql`tenant_id = ${tenant}`);

/** How far the count of each tenant's live memories is off. */
const tenantsOff = (tenant: string | null): SQL => sql`
  select tenant_id, sum(stored) as off from (
    select tenant_id, count(*) as stored from memories where deleted_at is null and ${ofTenant(tenant)} group by tenant_id
    union all select tenant_id, -memories_stored from tenant_usage where ${ofTenant(tenant)}) counts
  group by tenant_id having sum(stored) <> 0`;

/** The same of each set of readers. */
const readersOff = ({ dialect }: Work, tenant: string | null): SQL => sql`
  select tenant_id, audience, sum(stored) as off from (
    select tenant_id, audience, count(*) as stored from memories
    where deleted_at is null and ${ofTenant(tenant)} group by tenant_id, audience
    union all select a.tenant_id, a.id, -r.stored from (select tenant_id, id from audiences where ${ofTenant(tenant)}) a
      join audience_rows r on ${dialect.tenant("r", sql`a.tenant_id`)} and r.audience = a.id) counts
  group by tenant_id, audience having sum(stored) <> 0`;

/** Tenants, and sets of readers, whose count of memories is wrong. */
export const usageFaults = (work: Work, tenant: string | null): SQL => sql`select
  (select count(*) from (${tenantsOff(tenant)}) t) + (select count(*) from (${readersOff(work, tenant)}) r) as n`;

/** Counts the memories of each tenant and of each set of readers again, inside the caller's transaction. */
export function* recountUsage(work: Work): Unit<void> {
  const { tenantColumn } = work.dialect;
  yield* run(sql`insert into tenant_usage (tenant_id, memories_stored)
    select tenant_id, off from (${tenantsOff(null)}) t where true
    on conflict (tenant_id) do update set memories_stored = tenant_usage.memories_stored + excluded.memories_stored`);
  yield* run(sql`insert into audience_rows (${tenantColumn}audience, stored)
    select ${tenantColumn}audience, off from (${readersOff(work, null)}) r where true
    on conflict ${work.dialect.key("audience")} do update set stored = audience_rows.stored + excluded.stored`);
}
