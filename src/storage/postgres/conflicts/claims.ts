import { sql } from "drizzle-orm";
import type { ClaimKey } from "../../../core/ports/contradiction-store.ts";
import type { TenantWork } from "../engine/work.ts";
import type { MemoryRow } from "../memories/rows.ts";

/** Replaces what a row is found by, inside the caller's transaction. */
export async function putClaim(
  work: TenantWork,
  { seq, fleet_id }: Pick<MemoryRow, "seq" | "fleet_id">,
  claim: ClaimKey | null,
): Promise<void> {
  await removeClaim(work, seq);
  if (claim === null) return;
  await work.run(sql`insert into memory_claims (tenant_id, fleet_id, subject_key, predicate, memory_seq)
    values (${work.tenant_id}, ${fleet_id ?? ""}, ${claim.subject_key}, ${claim.predicate}, ${seq})
    on conflict do nothing`);
}

/** Takes a row out of the index of claims. */
export async function removeClaim(work: TenantWork, seq: number): Promise<void> {
  await work.run(sql`delete from memory_claims where tenant_id = ${work.tenant_id} and memory_seq = ${seq}`);
}
