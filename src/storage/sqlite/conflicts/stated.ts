import type { SQLQueryBindings } from "bun:sqlite";
import { and, eq } from "drizzle-orm";
import type { ConflictCandidate, StatedQuery } from "../../../core/ports/contradiction-store.ts";
import { putClaim } from "../../conflicts/claims.ts";
import type { Connections } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { memoryWhere } from "../memories/filters.ts";
import { toStoredMemory } from "../memories/rows.ts";
import { within } from "../units/run.ts";
import { among, BY_CLAIM_MAX, CLAIMING, claimValues, valuesAmong } from "./candidates.ts";

/**
 * Files what a row states, inside the caller's transaction, and finds the rows that state something of the same, checked or not,
 * newest first.
 */
export function findStated(db: Connections, query: StatedQuery): ConflictCandidate[] {
  const { memory, claim } = query;
  const row = db.drizzleWrite
    .select()
    .from(memories)
    .where(and(eq(memories.id, memory.id), memoryWhere({ tenant_id: memory.tenant_id })))
    .get();
  if (!row) return [];
  within(db, row.tenant_id, (work) => putClaim(work, row, claim));
  return db.writeConnection
    .query<{ seq: number }, SQLQueryBindings[]>(`${among(CLAIMING)} limit ${BY_CLAIM_MAX}`)
    .all(...claimValues(memory, claim), ...valuesAmong(query, row.seq))
    .flatMap(({ seq }) => db.drizzleWrite.select().from(memories).where(eq(memories.seq, seq)).all())
    .map((found) => ({ memory: toStoredMemory(found), closeness: null, shared_words: 0 }));
}
