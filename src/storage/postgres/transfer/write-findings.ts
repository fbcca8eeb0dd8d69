import { sql } from "drizzle-orm";
import type { ImportOutcome } from "../../../core/ports/keeping/transfer.ts";
import type { RecordOf } from "../../../core/schema/keeping/transfer.ts";
import { decisionOf } from "../../common/transfer/decisions.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { CREATED, EXISTS, refused } from "../../common/transfer/write-context.ts";
import { recomputeLinks } from "../../conflicts/apply-status.ts";
import { textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { within } from "../units/run.ts";

interface Row {
  readonly id: string;
  readonly seq: number;
  readonly content_hash: string;
}

/** Stores what was found of memories that are there, inside the caller's transaction; their statuses come with themselves. */
export async function writeFindings(
  work: TenantWork,
  { batch: { actor }, now }: WriteContext,
  incoming: readonly { readonly finding: RecordOf<"finding"> }[],
): Promise<ImportOutcome[]> {
  const ids = new Set(incoming.flatMap(({ finding }) => [finding.newer_id, finding.older_id]));
  const rows = await work.rows<Row>(sql`select id, seq, content_hash from memories
    where tenant_id = ${work.tenant_id} and id = any(${textArray([...ids])}) and deleted_at is null`);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const by = { actor, now, nowMs: Date.parse(now) };
  const outcomes: ImportOutcome[] = [];
  for (const { finding } of incoming) {
    const [newer, older] = [rowOf.get(finding.newer_id), rowOf.get(finding.older_id)];
    if (!newer || !older) {
      outcomes.push(refused("One of its two memories is not there."));
      continue;
    }
    const outcome = await writeFinding(work, finding, { newer, older });
    outcomes.push(outcome);
    if (outcome === CREATED && finding.retracted_at == null)
      await within(work, (unit) => recomputeLinks(unit, new Map([[newer.seq, finding.rule]]), by));
  }
  return outcomes;
}

interface Pair {
  readonly newer: Row;
  readonly older: Row;
}

async function writeFinding(
  work: TenantWork,
  finding: RecordOf<"finding">,
  { newer, older }: Pair,
): Promise<ImportOutcome> {
  const { tenant_id } = work;
  const isOpen = finding.retracted_at == null;
  const ofPair = sql`tenant_id = ${tenant_id} and older_seq = ${older.seq} and newer_seq = ${newer.seq}`;
  const known = await work.row<{ is_same: boolean; stands: boolean }>(sql`select
    exists (select 1 from findings where ${ofPair} and ((retracted_at is null) = ${isOpen}
      or (review = 'both_stand' and older_hash = ${older.content_hash} and newer_hash = ${newer.content_hash}))) as is_same,
    exists (select 1 from findings where ${ofPair} and retracted_at is null) as stands`);
  if (known?.is_same) return EXISTS;
  const { rule, confidence, created_at, retracted_at = null, retracted_why = null } = finding;
  const { newer_start, newer_end, older_start, older_end } = finding;
  const { status, detected_status, review, reviewed_at, reviewed_by } = decisionOf(finding, isOpen || !known?.stands);
  await work.run(sql`
    insert into findings (tenant_id, newer_seq, older_seq, newer_hash, older_hash, status, rule, confidence,
      newer_start, newer_end, older_start, older_end, created_at, retracted_at, retracted_why,
      detected_status, review, reviewed_at, reviewed_by)
    values (${tenant_id}, ${newer.seq}, ${older.seq}, ${newer.content_hash}, ${older.content_hash}, ${status}, ${rule},
      ${confidence}, ${newer_start}, ${newer_end}, ${older_start}, ${older_end}, ${created_at}, ${retracted_at},
      ${retracted_why}, ${detected_status}, ${review}, ${reviewed_at}, ${reviewed_by})`);
  return CREATED;
}
