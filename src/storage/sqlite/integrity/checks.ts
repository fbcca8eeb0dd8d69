import type { Database } from "bun:sqlite";
import { sql } from "drizzle-orm";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { Inspection } from "../../../core/ports/storage.ts";
import { hasLiveRow } from "../../integrity/derived.ts";
import type { EngineRebuild } from "../../integrity/rebuild.ts";
import type { Checked } from "../../integrity/row-checks.ts";
import { MEMBERS } from "../../integrity/row-checks.ts";
import { slicesOf } from "../../integrity/slices.ts";
import type { EngineChecks, Found, Step } from "../../integrity/steps.ts";
import { checkSteps } from "../../integrity/steps.ts";
import { createTally, DATA_FILE } from "../../integrity/tally.ts";
import { isDamage } from "../engine/faults.ts";
import { sqliteDialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";
import { atOnce } from "../units/memory-index.ts";
import { countMisindexed } from "../vector-index/compare.ts";
import type { SharedIndex } from "../vector-index/shared-memory.ts";
import { damageOf, pagedTables } from "./pages.ts";

/** What is checked of a data file. */
export interface CheckedFile extends Checked {
  /** The vector index in memory. */
  readonly index: SharedIndex;
}

const WORK = { dialect: sqliteDialect };
const { column, ...over } = sqliteDialect.entriesOf("memory_words");
// The low half of a number of words is the row's own.
const isOfRow = hasLiveRow(sqliteDialect, "memories", "x.id & 4294967295", sql`o.words_row = x.id`);

/** How what is made from rows is gone through; what the words of before left in the indexes, a job overwrites. */
export const sqliteRebuild: EngineRebuild = {
  // Short enough for everyone else to wait for.
  rows_per_step: 2_000,
  words: { index: "memory_words", over, column, isKept: isOfRow },
  recount: async () => {},
};

/** What this engine checks beside the rows: pages and references of all tenants, and the index in memory. */
export const sqliteChecks = (db: Database, index: SharedIndex): EngineChecks => ({
  ...sqliteRebuild,
  slicesOf: (walk, pace) => atOnce(() => unlessDamaged(() => drive(db, slicesOf(WORK, walk, pace)), null)),
  isWorded: sql`exists (select 1 from memory_words_docsize w where w.id = m.words_row)`,
  // SQLite makes this list once a statement, and only where a row asks for it.
  unawaited: (row, kind, member) =>
    sql.raw(`${row}.id not in (
      select value from jobs, json_each(jobs.payload, '$.${member}') where kind = '${kind}')`),
  fits: () => sql`true`,
  before: ({ tenant }) => atOnce(() => (tenant === null ? [...pageSteps(db), ...referenceSteps(db)] : [])),
  after: ({ tenant, space }) =>
    tenant === null
      ? [
          step(
            "vector index in memory",
            "memories that the index in memory has otherwise than they are stored",
            () => ({
              faults: countMisindexed(db, { shared: index, space }),
            }),
          ),
        ]
      : [],
});

/** The steps of the checks of pages; they alone tell what is damaged. */
const pageSteps = (db: Database): Step[] =>
  pagedTables(db).map((table) =>
    step(DATA_FILE, "damaged", () => {
      const damaged = damageOf(db, table);
      return { faults: damaged.length, damaged };
    }),
  );

const referenceSteps = (db: Database): Step[] =>
  db
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' and sql like '%references%'")
    .all()
    .map(({ name }) =>
      step("references", "rows that refer to rows that are gone", () => ({
        faults: db.query(`pragma foreign_key_check("${name}")`).all().length,
      })),
    );

const step = (check: string, detail: string, run: () => Found): Step => ({ check, detail, run: () => atOnce(run) });

/**
 * Checks a data file, or its pages alone for null: step by step, telling how far it is before each. What it returns is whole
 * after the last.
 */
export function* checkFile(db: Database, what: CheckedFile | null): Generator<MaintenanceProgress, Inspection> {
  const steps = what ? drive(db, checkSteps(WORK, sqliteChecks(db, what.index), what)) : pageSteps(db);
  const tally = createTally();
  for (const [done, step] of steps.entries()) {
    yield { done, total: steps.length, now: step.check };
    const run = () => drive(db, step.run());
    // In one transaction where it has several statements, so that nothing is written between them.
    tally.add(step, unlessDamaged(step.check === MEMBERS.name ? db.transaction(run) : run, { faults: 1 }));
  }
  return tally.inspection();
}

/** Where pages are damaged, what compares rows may come upon them too: which ones, the check of the file says. */
function unlessDamaged<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch (error) {
    if (isDamage(error)) return otherwise;
    throw error;
  }
}
