import type { Database } from "bun:sqlite";
import type { Damaged } from "../../../core/schema/integrity.ts";
import { sideOf } from "../../common/sides.ts";
import { isDamage } from "../engine/faults.ts";
import type { ComparedIndex } from "../vector-index/compare.ts";
import { countMisindexed } from "../vector-index/compare.ts";
import { misindexed } from "./members.ts";
import { damageOf, pagedTables } from "./pages.ts";
import { rowChecks, USAGE } from "./row-checks.ts";
import type { Slice, Walk } from "./slices.ts";
import { slicesOf } from "./slices.ts";

/** Rows compared in one step: short enough for everyone else to wait for. */
const ROWS_PER_STEP = 2_000;
/** Whole documents are read, and each may be large. */
const DOCUMENTS_PER_STEP = 100;

/** What a step found of its check. */
export interface Found {
  /** Null where it could not be told this time. */
  readonly faults: number | null;
  readonly damaged?: readonly Damaged[];
}

/** A piece of a check: one statement, or two in one transaction, so that what is written meanwhile is no fault. */
export interface Step {
  readonly check: string;
  /** What a fault of the check is. */
  readonly detail: string;
  run(): Found;
}

/** The steps of the checks of pages; they alone tell what is damaged. */
export function pageSteps(db: Database): Step[] {
  return pagedTables(db).map((table) => ({
    check: "data file",
    detail: "damaged",
    run: () => {
      const damaged = damageOf(db, table);
      return { faults: damaged.length, damaged };
    },
  }));
}

/** What is checked. */
export interface Checked {
  /** Id of the model whose vectors count. */
  readonly embedder: string;
  /** The tenant whose rows are looked at; null for all, with what belongs to no tenant any more, and the file. */
  readonly tenant: string | null;
  /** The vector index in memory. */
  readonly index: ComparedIndex;
}

/** The steps of all checks of a data file. */
export function checkSteps(db: Database, what: Checked): Step[] {
  const ofAll = what.tenant === null ? [...pageSteps(db), ...referenceSteps(db)] : [];
  const atLast = what.tenant === null ? [indexStep(db, what)] : [];
  return [...ofAll, ...rowSteps(db, what), ...memberSteps(db, what), usageStep(db, what), ...atLast];
}

const indexStep = (db: Database, { index }: Checked): Step => ({
  check: "vector index in memory",
  detail: "memories that the index in memory has otherwise than they are stored",
  run: () => ({ faults: countMisindexed(db, index) }),
});

function referenceSteps(db: Database): Step[] {
  const tables = db
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' and sql like '%references%'")
    .all();
  return tables.map(({ name }) => ({
    check: "references",
    detail: "rows that refer to rows that are gone",
    run: () => ({ faults: db.query(`pragma foreign_key_check("${name}")`).all().length }),
  }));
}

function rowSteps(db: Database, { embedder, tenant, index }: Checked): Step[] {
  return rowChecks(sideOf(index.space)).flatMap(({ name, detail, counts }) =>
    counts.flatMap(({ over, sql }) => {
      const isOfTenants = sql.includes("$tenant");
      if (tenant !== null && !isOfTenants) return [];
      const statement = db.query<{ n: number }, [Record<string, number | string | null>]>(sql);
      const named = {
        ...(sql.includes("$embedder") ? { $embedder: embedder } : {}),
        ...(isOfTenants ? { $tenant: tenant } : {}),
      };
      return inSlices(db, { over, size: ROWS_PER_STEP }, { check: name, detail }, (slice) => ({
        faults: statement.get({ ...slice, ...named })?.n ?? 0,
      }));
    }),
  );
}

const memberSteps = (db: Database, { tenant }: Checked): Step[] =>
  inSlices(
    db,
    { over: { table: "documents", key: "seq" }, size: DOCUMENTS_PER_STEP },
    {
      check: "document members",
      detail: "documents that are not found by their members, or by members that they do not have",
    },
    (slice) => ({ faults: misindexed(db, slice, tenant) }),
  );

/** A step for each slice; one fault where not even the slices can be told, for their tree is damaged. */
function inSlices(
  db: Database,
  { over, size }: { over: Walk; size: number },
  of: Pick<Step, "check" | "detail">,
  run: (slice: Slice) => Found,
): Step[] {
  try {
    const steps = slicesOf(db, over, size).map((slice) => ({ ...of, run: () => run(slice) }));
    // A check of nothing is one as well: whoever reads the list misses none.
    return steps.length > 0 ? steps : [{ ...of, run: () => ({ faults: 0 }) }];
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [{ ...of, run: () => ({ faults: 1 }) }];
  }
}

const usageStep = (db: Database, { tenant }: Checked): Step => ({
  check: "usage",
  detail: "tenants, and sets of readers, whose count of memories is wrong",
  run: () => ({
    faults: db.query<{ n: number }, [{ $tenant: string | null }]>(USAGE).get({ $tenant: tenant })?.n ?? 0,
  }),
});
