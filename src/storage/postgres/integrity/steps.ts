import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { Inspection } from "../../../core/ports/storage.ts";
import type { Engine, Work } from "../engine/work.ts";
import { misindexed } from "./members.ts";
import type { Checked } from "./row-checks.ts";
import { liveMemory, rowChecks } from "./row-checks.ts";
import type { Slice, Walked } from "./slices.ts";
import { ofTenant, slicesOf } from "./slices.ts";
import { usageFaults } from "./usage.ts";
import { misworded, wordCountFaults } from "./words.ts";

/** Whole texts are read, and their words told. */
const MEMORIES_PER_STEP = 500;
/** Whole documents are read, and each may be large. */
const DOCUMENTS_PER_STEP = 100;

/** A piece of a check, all of one moment, so that what is written meanwhile is no fault. */
interface Step {
  readonly check: string;
  /** What a fault of the check is. */
  readonly detail: string;
  run(work: Work): Promise<number>;
}

/** Runs all checks, telling how far it is before each step. */
export async function inspect(
  engine: Engine,
  what: Checked,
  tell: (progress: MaintenanceProgress) => void,
): Promise<Inspection> {
  const steps = await engine.look((work) => stepsOf(work, what));
  const found = new Map<string, { readonly faults: number; readonly detail: string }>();
  for (const [done, step] of steps.entries()) {
    tell({ done, total: steps.length, now: step.check });
    const faults = await engine.snapshot(async (work) => {
      // What looks through whole tables of a large database may take minutes; nobody waits for it.
      await work.run(sql`select set_config('statement_timeout', '0', true)`);
      return step.run(work);
    });
    const before = found.get(step.check)?.faults ?? 0;
    found.set(step.check, { faults: before + faults, detail: step.detail });
  }
  const checks = [...found].map(([name, { faults, detail }]) => ({
    name,
    ok: faults === 0,
    faults,
    detail: faults === 0 ? "as it should be" : detail,
  }));
  return { checks, damaged: [] };
}

async function stepsOf(work: Work, what: Checked): Promise<Step[]> {
  const { tenant } = what;
  return [
    ...(await inSlices(work, { table: "memories", size: MEMORIES_PER_STEP, tenant }, KEYWORDS, misworded)),
    counting(
      KEYWORDS,
      sql`select count(*) as n from memory_words x
        where ${ofTenant(sql`x.tenant_id`, tenant)} and not exists (${liveMemory()})`,
    ),
    counting(
      { check: "keyword counts", detail: "words whose count is not that of the memories that have them" },
      wordCountFaults(tenant),
    ),
    ...rowChecks(what).flatMap(({ name, detail, counts }) =>
      counts.map((one) => counting({ check: name, detail }, one)),
    ),
    ...(await inSlices(work, { table: "documents", size: DOCUMENTS_PER_STEP, tenant }, MEMBERS, misindexed)),
    counting(
      { check: "usage", detail: "tenants, and sets of readers, whose count of memories is wrong" },
      usageFaults(tenant),
    ),
  ];
}

const KEYWORDS = {
  check: "memory keywords",
  detail: "memories that keyword search cannot find by their words, and words of memories that are gone",
};
const MEMBERS = {
  check: "document members",
  detail: "documents that are not found by their members, or by members that they do not have",
};

const counting = (of: Omit<Step, "run">, statement: SQL): Step => ({
  ...of,
  run: async (work) => (await work.row<{ n: number }>(statement))?.n ?? 0,
});

interface Sliced {
  readonly table: Walked;
  readonly size: number;
  readonly tenant: string | null;
}

/** A step for each slice. */
async function inSlices(
  work: Work,
  walk: Sliced,
  of: Omit<Step, "run">,
  run: (work: Work, slice: Slice) => Promise<number>,
): Promise<Step[]> {
  const steps = (await slicesOf(work, walk)).map((slice) => ({ ...of, run: (work: Work) => run(work, slice) }));
  // A check of nothing is one as well: whoever reads the list misses none.
  return steps.length > 0 ? steps : [{ ...of, run: async () => 0 }];
}
