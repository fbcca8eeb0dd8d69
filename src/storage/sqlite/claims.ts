import { eq } from "drizzle-orm";
import type { ClaimKey } from "../../ports/contradiction-store.ts";
import type { Connections } from "./connection.ts";
import { memoryClaims } from "./detection-tables.ts";
import type { MemoryRow } from "./rows.ts";

/** Claims by which one row is found: a text that claims more is no statement but a document. */
export const CLAIMS_MAX = 32;

/** Replaces what a row claims, inside the caller's transaction. */
export function putClaims(at: Connections, row: MemoryRow, claims: readonly ClaimKey[]): void {
  removeClaims(at, row.seq);
  if (claims.length === 0) return;
  const shared = { tenant_id: row.tenant_id, fleet_id: row.fleet_id ?? "", memory_seq: row.seq };
  const values = claims.slice(0, CLAIMS_MAX).map(({ subject_key, predicate }) => ({
    ...shared,
    subject_key,
    predicate,
  }));
  at.write.insert(memoryClaims).values(values).onConflictDoNothing().run();
}

/** Takes a row out of the index of claims. */
export function removeClaims(at: Connections, seq: number): void {
  at.write.delete(memoryClaims).where(eq(memoryClaims.memory_seq, seq)).run();
}
