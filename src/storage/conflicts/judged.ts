import { sql } from "drizzle-orm";
import type { JudgedAgain, JudgedFinding } from "../../core/ports/observing/judged-findings.ts";
import { PART } from "../../core/schema/observing/possible-change.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { memoryWhere } from "../memories/filters.ts";
import { MEMORY_COLUMNS, memoriesOf } from "../memories/rows.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, Work } from "../units/work.ts";
import { retractJudged } from "./retract.ts";

/** Findings that are judged anew in one step, and the rules by which they were made. */
const JUDGED_PER_STEP = 16;
const JUDGED_RULES = ["judge", PART, "value", "values", "state", "negation"];

interface RawJudged extends Pick<JudgedFinding, "number" | "status" | "rule"> {
  readonly newer_id: string;
  readonly older_id: string;
}

/** Findings that the detector made of two texts, that stand, and that nobody has reviewed, after a number. */
export function* judgedFindings({ dialect }: Work, tenant_id: string, after: number | null): Unit<JudgedFinding[]> {
  const found =
    yield* rows<RawJudged>(sql`select f.id as number, f.status, f.rule, newer.id as newer_id, older.id as older_id
    from findings f ${dialect.indexed("findings_to_judge")}
      ${dialect.nested} memories newer on ${dialect.belongs("newer", tenant_id)} and newer.seq = f.newer_seq
      ${dialect.nested} memories older on ${dialect.belongs("older", tenant_id)} and older.seq = f.older_seq
    where f.tenant_id = ${tenant_id} and f.id > ${int(after ?? 0)} and f.retracted_at is null and f.review is null
      and ${dialect.isIn(sql`f.rule`, JUDGED_RULES)}
    order by f.id limit ${int(JUDGED_PER_STEP)}`);
  const ids = found.flatMap(({ newer_id, older_id }) => [newer_id, older_id]);
  const named = yield* memoriesOf(
    sql`select ${MEMORY_COLUMNS} from memories where ${memoryWhere(dialect, { tenant_id, ids })}`,
  );
  const byId = new Map(named.map((memory) => [memory.id, memory]));
  return found.flatMap(({ number, status, rule, newer_id, older_id }) => {
    const [newer, older] = [byId.get(newer_id), byId.get(older_id)];
    return newer && older ? [{ number, status, rule, newer, older }] : [];
  });
}

/** Takes back what is gone of findings, and gives the others what the judge makes of them now. */
export function* judgeAgain(
  work: ChangeWork,
  { gone, kept }: { readonly gone: readonly number[]; readonly kept: readonly JudgedAgain[] },
  by: ChangedBy,
): Unit<void> {
  yield* retractJudged(work, gone, by);
  if (kept.length === 0) return;
  const { dialect, tenant_id } = work;
  yield* run(sql`update findings as f set rule = k.rule, confidence = k.confidence, why = k.why
    from ${dialect.records(kept, "k", { number: "int", rule: "text", confidence: "real", why: "text" })}
    where ${dialect.belongs("f", tenant_id)} and f.id = k.number and f.retracted_at is null and f.review is null`);
}
