import type { ImportOutcome } from "../../../core/ports/keeping/transfer.ts";
import type { RecordOf } from "../../../core/schema/keeping/transfer.ts";
import { decisionOf } from "../../common/transfer/decisions.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { CREATED, EXISTS, refused } from "../../common/transfer/write-context.ts";
import { recomputeLinks } from "../../conflicts/apply-status.ts";
import type { Engine } from "../engine/connection.ts";
import { changing } from "../units/run.ts";
import { idWithin } from "./ids-within.ts";

interface Row {
  readonly seq: number;
  readonly content_hash: string;
}

const ROW = "select seq, content_hash from memories where tenant_id = ? and id = ? and deleted_at is null";
const OF_PAIR = "select 1 from findings where older_seq = ? and newer_seq = ?";
const SAME = `${OF_PAIR} and ((retracted_at is null) = ? or (review = 'both_stand' and older_hash = ? and newer_hash = ?))`;
const STANDING = `${OF_PAIR} and retracted_at is null`;
const INSERT = `insert into findings (tenant_id, newer_seq, older_seq, newer_hash, older_hash, status, rule, confidence,
    newer_start, newer_end, older_start, older_end, created_at, retracted_at, retracted_why,
    detected_status, review, reviewed_at, reviewed_by)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Stores what was found of two memories that are there, inside the caller's transaction; their statuses come with themselves. */
export function writeFinding(
  db: Engine,
  { batch: { tenant_id, actor }, now }: WriteContext,
  finding: RecordOf<"finding">,
): ImportOutcome {
  const rowOf = (id: string) =>
    db.writeConnection.query<Row, [string, string]>(ROW).get(tenant_id, idWithin(db, tenant_id, "memories", id));
  const [newer, older] = [rowOf(finding.newer_id), rowOf(finding.older_id)];
  if (!newer || !older) return refused("One of its two memories is not there.");
  const isOpen = finding.retracted_at == null;
  const pair = [older.seq, newer.seq] as const;
  const same = db.writeConnection.query<unknown, (number | string)[]>(SAME);
  if (same.get(...pair, Number(isOpen), older.content_hash, newer.content_hash)) return EXISTS;
  const by = { actor, now, nowMs: Date.parse(now) };
  const { rule, confidence, created_at, retracted_at, retracted_why } = finding;
  const { newer_start, newer_end, older_start, older_end } = finding;
  const isDecided = isOpen || !db.writeConnection.query<unknown, [number, number]>(STANDING).get(...pair);
  const { status, ...decided } = decisionOf(finding, isDecided);
  const found = [newer.seq, older.seq, newer.content_hash, older.content_hash, status, rule, confidence];
  const spans = [newer_start, newer_end, older_start, older_end];
  const told = [created_at, retracted_at ?? null, retracted_why ?? null];
  const { detected_status, review, reviewed_at, reviewed_by } = decided;
  db.writeConnection
    .query<unknown, (string | number | null)[]>(INSERT)
    .run(tenant_id, ...found, ...spans, ...told, detected_status, review, reviewed_at, reviewed_by);
  if (isOpen) changing(db, tenant_id, (work) => recomputeLinks(work, new Map([[newer.seq, rule]]), by));
  return CREATED;
}
