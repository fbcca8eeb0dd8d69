import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Damaged } from "../../core/schema/integrity.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import { misindexed } from "./members.ts";
import type { Checked, Compared, RowCheck } from "./row-checks.ts";
import { DOCUMENTS, MEMBERS, rowChecks } from "./row-checks.ts";
import type { Pace, Slice, Walk } from "./slices.ts";
import { usageFaults } from "./usage.ts";

/** Whole documents are read, and each may be large. */
const DOCUMENTS_PER_STEP = 100;

/** What a step found of its check. */
export interface Found {
  /** Null where it could not be told this time. */
  readonly faults: number | null;
  readonly damaged?: readonly Damaged[];
}

/** A piece of a check, all of one moment, so that what is written meanwhile is no fault. */
export interface Step {
  readonly check: string;
  /** What a fault of the check is. */
  readonly detail: string;
  run(): Unit<Found>;
}

/** What an engine checks beside the rows, and how it goes through them. */
export interface EngineChecks extends Compared {
  /** Rows that one statement looks through; null where it takes all. */
  readonly rows_per_step: number | null;
  /** The slices of a table; null where they cannot be told, for the table is damaged. */
  slicesOf(over: Walk, pace: Pace): Unit<readonly Slice[] | null>;
  /** What it checks before the rows, and after them. */
  before(what: Checked): Unit<readonly Step[]>;
  after(what: Checked): readonly Step[];
}

/** The steps of all checks. */
export function* checkSteps(work: Work, engine: EngineChecks, what: Checked): Unit<Step[]> {
  const { tenant } = what;
  const steps = [...(yield* engine.before(what))];
  for (const { counts, ...of } of rowChecks(work.dialect, engine, what)) {
    for (const { over, isOfAll, count } of counts) {
      if (isOfAll && tenant !== null) continue;
      const { rows_per_step: size } = engine;
      if (size === null) steps.push(stepOf(of, () => counted(count(null))));
      else steps.push(...(yield* inSlices(engine, over, { size, tenant }, of, (slice) => counted(count(slice)))));
    }
  }
  const pace = { size: DOCUMENTS_PER_STEP, tenant };
  const ofMembers = yield* inSlices(engine, DOCUMENTS, pace, MEMBERS, (slice) => misindexed(work, slice, tenant));
  const ofUsage = stepOf(USAGE, () => counted(usageFaults(work, tenant)));
  return [...steps, ...ofMembers, ofUsage, ...engine.after(what)];
}

type Told = Pick<RowCheck, "name" | "detail">;
const USAGE: Told = {
  name: "usage",
  detail: "tenants, and sets of readers, whose count of memories is wrong",
};

/** A step for each slice; one fault where not even the slices can be told. */
export function* inSlices(
  { slicesOf }: Pick<EngineChecks, "slicesOf">,
  over: Walk,
  pace: Pace,
  of: Told,
  run: (slice: Slice) => Unit<number>,
): Unit<Step[]> {
  const slices = yield* slicesOf(over, pace);
  // A check of nothing is one as well: whoever reads the list misses none.
  if (!slices?.length) return [stepOf(of, () => counted(sql`select ${int(slices ? 0 : 1)} as n`))];
  return slices.map((slice) => stepOf(of, () => run(slice)));
}

export const stepOf = ({ name, detail }: Told, count: () => Unit<number>): Step => ({
  check: name,
  detail,
  run: function* () {
    return { faults: yield* count() };
  },
});

/** What a statement counts as `n`. */
export function* counted(query: SQL): Unit<number> {
  return (yield* row<{ n: number }>(query))?.n ?? 0;
}
