import type { ClaimKey } from "../../../core/ports/contradiction-store.ts";
import type { Connections } from "../engine/connection.ts";
import type { MemoryRow } from "../memories/rows.ts";

/** Replaces what a row is found by, inside the caller's transaction. */
export function putClaim(
  db: Connections,
  row: Pick<MemoryRow, "seq" | "tenant_id" | "fleet_id">,
  claim: ClaimKey | null,
): void {
  removeClaim(db, row.seq);
  if (claim === null) return;
  const { subject_key, predicate } = claim;
  db.writeConnection.query(INSERT).run(row.tenant_id, row.fleet_id ?? "", subject_key, predicate, row.seq);
}

// Written out, as they are run for each row: to build them takes longer than to run them.
const INSERT = `insert into memory_claims (tenant_id, fleet_id, subject_key, predicate, memory_seq)
  values (?, ?, ?, ?, ?) on conflict do nothing`;
const REMOVE = "delete from memory_claims where memory_seq = ?";

/** Takes a row out of the index of claims. */
export function removeClaim(db: Connections, seq: number): void {
  db.writeConnection.query(REMOVE).run(seq);
}
