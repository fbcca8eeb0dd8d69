import type { Engine } from "../engine/connection.ts";
import { queueAfter } from "../jobs/jobs.ts";
import type { Moving } from "./moving.ts";

const STATED = `update memories set subject_entity_id = ?3
  where subject_entity_id = ?2 and tenant_id = ?1 and audience in (select value from json_each(?4))
  returning seq, id, deleted_at`;

const OF_ROWS = "memory_seq in (select value from json_each(?))";
const CLAIM = `update or ignore memory_claims set subject_key = ? where subject_key = ? and ${OF_ROWS}`;
/** To be read again, a row must count as not read. */
const UNCHECK = `update memory_checks set content_hash = null where ${OF_ROWS}`;

/**
 * What callers stated of the entity that goes is stated of the survivor, and compared with what was stated of that one; returns in how
 * many rows.
 */
export function moveSubjects(db: Engine, { from, into, audiences }: Moving, nowMs: number): number {
  const { tenant_id } = from;
  const stated = db.writeConnection
    .query<{ seq: number; id: string; deleted_at: string | null }, [string, string, string, string]>(STATED)
    .all(tenant_id, from.id, into.id, audiences);
  const live = stated.filter(({ deleted_at }) => deleted_at === null);
  const seqs = JSON.stringify(live.map(({ seq }) => seq));
  db.writeConnection.query(CLAIM).run(into.id, from.id, seqs);
  db.writeConnection.query(UNCHECK).run(seqs);
  queueAfter(db, { kind: "memories_stale", rows: live.map(({ id }) => ({ tenant_id, id })), now_ms: nowMs });
  return stated.length;
}
