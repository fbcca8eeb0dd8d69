import { sql } from "drizzle-orm";
import type { ClaimKey } from "../../../core/ports/contradiction-store.ts";
import { intArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import type { MemoryRow } from "../memories/rows.ts";

/** Replaces what a row is found by, inside the caller's transaction. */
export async function putClaim(
  work: TenantWork,
  { seq, fleet_id }: Pick<MemoryRow, "seq" | "fleet_id">,
  claim: ClaimKey | null,
): Promise<void> {
  if (claim === null) {
    await removeClaims(work, [seq]);
    return;
  }
  const { tenant_id } = work;
  await work.run(sql`
    with stated as (select ${fleet_id ?? ""}::text as fleet_id, ${claim.subject_key}::text as subject_key,
        ${claim.predicate}::text as predicate),
      gone as (delete from memory_claims c using stated s where c.tenant_id = ${tenant_id} and c.memory_seq = ${seq}
        and (c.fleet_id, c.subject_key, c.predicate) <> (s.fleet_id, s.subject_key, s.predicate))
    insert into memory_claims (tenant_id, fleet_id, subject_key, predicate, memory_seq)
    select ${tenant_id}, fleet_id, subject_key, predicate, ${seq}::bigint from stated on conflict do nothing`);
}

/** Takes rows out of the index of claims. */
export async function removeClaims(work: TenantWork, seqs: readonly number[]): Promise<void> {
  await work.run(sql`delete from memory_claims
    where tenant_id = ${work.tenant_id} and memory_seq = any(${intArray(seqs)})`);
}
