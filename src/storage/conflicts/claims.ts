import { sql } from "drizzle-orm";
import type { ClaimKey } from "../../core/ports/contradiction-store.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { Unit } from "../units/unit.ts";
import { run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";

/** A row as the index of claims files it. */
type ClaimingRow = Pick<StoredMemory, "fleet_id"> & { readonly seq: number };

/** Replaces what a row is found by, inside the caller's transaction. */
export function* putClaim(work: TenantWork, { seq, fleet_id }: ClaimingRow, claim: ClaimKey | null): Unit<void> {
  if (claim === null) return yield* removeClaims(work, [seq]);
  yield* run(sql`delete from memory_claims where ${work.dialect.belongs("memory_claims", work.tenant_id)}
    and memory_seq = ${seq} and not (fleet_id = ${fleet_id ?? ""} and subject_key = ${claim.subject_key}
      and predicate = ${claim.predicate})`);
  yield* run(sql`insert into memory_claims (tenant_id, fleet_id, subject_key, predicate, memory_seq)
    values (${work.tenant_id}, ${fleet_id ?? ""}, ${claim.subject_key}, ${claim.predicate}, ${seq}) on conflict do nothing`);
}

/** Takes rows out of the index of claims. */
export function* removeClaims({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<void> {
  yield* run(sql`delete from memory_claims
    where ${dialect.belongs("memory_claims", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqs)}`);
}
