import type { ClaimKey } from "../../../core/ports/contradiction-store.ts";
import type { Connections } from "../engine/connection.ts";
import type { MemoryRow } from "../memories/rows.ts";

/** Claims by which one row is found: a text that claims more is no statement but a document. */
export const CLAIMS_MAX = 32;

/** Replaces what a row claims, inside the caller's transaction. */
export function putClaims(db: Connections, row: MemoryRow, claims: readonly ClaimKey[]): void {
  removeClaims(db, row.seq);
  const insert = db.writeConnection.query(INSERT);
  for (const { subject_key, predicate } of claims.slice(0, CLAIMS_MAX))
    insert.run(row.tenant_id, row.fleet_id ?? "", subject_key, predicate, row.seq);
}

// Written out, as they are run for each row: to build them takes longer than to run them.
const INSERT = `insert into memory_claims (tenant_id, fleet_id, subject_key, predicate, memory_seq)
  values (?, ?, ?, ?, ?) on conflict do nothing`;
const REMOVE = "delete from memory_claims where memory_seq = ?";

/** Takes a row out of the index of claims. */
export function removeClaims(db: Connections, seq: number): void {
  db.writeConnection.query(REMOVE).run(seq);
}
