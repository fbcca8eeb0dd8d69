import { sql } from "drizzle-orm";
import type { ImportOutcome } from "../../core/ports/keeping/transfer.ts";
import type { RecordOf } from "../../core/schema/keeping/transfer.ts";
import { POSSIBLE } from "../../core/schema/observing/possible-change.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { recomputeLinks } from "../conflicts/apply-status.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { idsWithin } from "./ids-within.ts";
import type { Batch } from "./outcomes.ts";
import { CREATED, EXISTS, refused } from "./outcomes.ts";

type Finding = RecordOf<"finding">;

/** A memory that a finding is about. */
interface Row {
  readonly id: string;
  readonly seq: number;
  readonly content_hash: string;
}

/** Stores what was found of memories that are there, inside the caller's transaction; their statuses come with themselves. */
export function* writeFindings(
  work: ChangeWork,
  { batch: { actor }, now }: Batch,
  incoming: readonly { readonly finding: Finding }[],
): Unit<ImportOutcome[]> {
  const { tenant_id, dialect } = work;
  const sent = incoming.flatMap(({ finding }) => [finding.newer_id, finding.older_id]);
  const idOf = yield* idsWithin(work, "memories", sent);
  const found = yield* rows<Row>(sql`select m.id, m.seq, m.content_hash from memories m
    where ${dialect.belongs("m", tenant_id)} and ${dialect.isIn(sql`m.id`, sent.map(idOf))} and m.deleted_at is null`);
  const rowOf = new Map(found.map((one) => [one.id, one]));
  const by: ChangedBy = { actor, now, nowMs: Date.parse(now) };
  const outcomes: ImportOutcome[] = [];
  for (const { finding } of incoming) {
    const [newer, older] = [rowOf.get(idOf(finding.newer_id)), rowOf.get(idOf(finding.older_id))];
    const isNew = newer && older && (yield* insertFinding(work, finding, { newer, older }));
    if (isNew === undefined) outcomes.push(refused("One of its two memories is not there."));
    else outcomes.push(isNew ? CREATED : EXISTS);
    if (newer && isNew && finding.retracted_at == null)
      yield* recomputeLinks(work, new Map([[newer.seq, finding.rule]]), by);
  }
  return outcomes;
}

interface Pair {
  readonly newer: Row;
  readonly older: Row;
}

/** False where the same was found already. */
function* insertFinding({ tenant_id }: ChangeWork, finding: Finding, { newer, older }: Pair): Unit<boolean> {
  const isOpen = finding.retracted_at == null;
  const ofPair = sql`tenant_id = ${tenant_id} and older_seq = ${older.seq} and newer_seq = ${newer.seq}`;
  const ofTexts = sql`older_hash = ${older.content_hash} and newer_hash = ${newer.content_hash}`;
  // What is merely possible here gives way to what is sure there.
  const weighs = isOpen && finding.status !== POSSIBLE ? sql`status <> ${POSSIBLE}` : sql`true`;
  const known = yield* row<{ is_same: boolean | number; stands: boolean | number }>(sql`select
    exists (select 1 from findings where ${ofPair} and ((retracted_at is ${isOpen ? sql`null` : sql`not null`} and ${weighs})
      or (review = 'both_stand' and ${ofTexts}))) as is_same,
    exists (select 1 from findings where ${ofPair} and retracted_at is null) as stands`);
  if (known?.is_same) return false;
  if (isOpen && known?.stands)
    yield* run(sql`update findings set retracted_at = ${finding.created_at}, retracted_why = 'rejudged'
      where ${ofPair} and retracted_at is null and status = ${POSSIBLE}`);
  const { rule, confidence, why = null, created_at, retracted_at = null, retracted_why = null } = finding;
  const { newer_start, newer_end, older_start, older_end } = finding;
  const { status, detected_status, review, reviewed_at, reviewed_by } = decisionOf(finding, isOpen || !known?.stands);
  yield* run(sql`
    insert into findings (tenant_id, newer_seq, older_seq, newer_hash, older_hash, status, rule, confidence, why,
      newer_start, newer_end, older_start, older_end, created_at, retracted_at, retracted_why,
      detected_status, review, reviewed_at, reviewed_by)
    values (${tenant_id}, ${newer.seq}, ${older.seq}, ${newer.content_hash}, ${older.content_hash}, ${status}, ${rule},
      ${confidence}, ${why}, ${newer_start}, ${newer_end}, ${older_start}, ${older_end}, ${created_at}, ${retracted_at},
      ${retracted_why}, ${detected_status}, ${review}, ${reviewed_at}, ${reviewed_by})`);
  return true;
}
const UNDECIDED = { detected_status: null, review: null, reviewed_at: null, reviewed_by: null } as const;

/**
 * What was decided of a finding where it comes from, as far as it fits: what stands may have been accepted, and what a caller undid
 * counts as decided unless another finding about the two stands here, as `isDecided` tells.
 */
function decisionOf(finding: Finding, isDecided: boolean) {
  const { status, detected_status, retracted_at, retracted_why, reviewed_at, reviewed_by = null } = finding;
  if (retracted_at != null && retracted_why === "undone" && isDecided) {
    const at = reviewed_at ?? retracted_at;
    return { ...UNDECIDED, status, review: "both_stand", reviewed_at: at, reviewed_by } as const;
  }
  if (retracted_at != null || finding.review !== "accepted") return { ...UNDECIDED, status };
  const was = detected_status ?? status;
  const accepted = { review: "accepted", reviewed_at: reviewed_at ?? finding.created_at, reviewed_by } as const;
  return { ...accepted, status: "outdated", detected_status: was } as const;
}
