import { sql } from "drizzle-orm";
import type { RebuildPlace, RebuildStep } from "../../core/ports/storage.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, Runner } from "../units/work.ts";
import type { Derived } from "./derived.ts";
import { derivedOf } from "./derived.ts";
import { recountEntities } from "./entities.ts";
import type { RebuildBy, Rebuilt } from "./rebuild-rows.ts";
import { rebuildDocuments, rebuildMemories } from "./rebuild-rows.ts";
import type { Slice, Walk } from "./slices.ts";
import { nextSlice, within } from "./slices.ts";
import type { EngineChecks } from "./steps.ts";
import { counted } from "./steps.ts";
import { recountUsage } from "./usage.ts";

const NOTHING: Rebuilt = { rows: 0, embeddings_queued: 0 };

/** One way through a table, in steps short enough for everyone else to wait for. */
interface Pass {
  readonly now: string;
  readonly over: Walk;
  /** Rows a step; null takes all at once. */
  readonly size: number | null;
  run(runner: Runner, slice: Slice | null, by: RebuildBy): Promise<Rebuilt>;
}

/** How an engine is rebuilt. */
export interface EngineRebuild extends Pick<EngineChecks, "rows_per_step" | "words"> {
  /** Counts what it counts beside the rows. */
  recount(runner: Runner): Promise<void>;
}

const ENTITIES_PER_STEP = 500;
const MEMORIES_PER_STEP = 100;
const DOCUMENTS_PER_STEP = 25;

/** Takes entries of rows that are gone out of an index. */
const clear =
  ({ key, tenantColumn }: SqlDialect, size: number | null) =>
  ({ index, over, column, isKept }: Derived): Pass => ({
    now: index,
    over,
    size,
    run: async ({ change }, slice) => {
      const number = `x.${over.key}`;
      await change(() =>
        run(sql`delete from ${sql.raw(index)} where ${key(column)} in (
          select ${tenantColumn}${sql.raw(number)} from ${sql.raw(over.table)} x
          where ${within(number, slice)} and not ${isKept})`),
      );
      return NOTHING;
    },
  });

type RunRows = (work: ChangeWork, seqs: readonly number[], by: RebuildBy) => Unit<Rebuilt>;

/** Goes through a table by the numbers of its rows, the rows of each tenant in a transaction of that tenant. */
const through = (table: string, size: number, runRows: RunRows, now = table): Pass => ({
  now,
  over: { table, key: "seq" },
  size,
  run: async ({ look, writeEach }, slice, by) => {
    const here = sql`select seq, tenant_id from ${sql.raw(table)} where ${within("seq", slice)} order by seq`;
    const found = await look(() => rows<{ readonly seq: number; readonly tenant_id: string }>(here));
    const seqsOf = (own: readonly { readonly seq: number }[]) => own.map(({ seq }) => seq);
    const made = await writeEach(found, (work, own) => runRows(work, seqsOf(own), by));
    return made.reduce(
      (sum, one) => ({
        rows: sum.rows + one.rows,
        embeddings_queued: sum.embeddings_queued + one.embeddings_queued,
      }),
      NOTHING,
    );
  },
});

const recount: RunRows = function* (work, seqs) {
  yield* recountEntities(work, seqs);
  return NOTHING;
};

/** What is taken away comes before what is counted and put in its place. */
const passesOf = (dialect: SqlDialect, { rows_per_step, words }: EngineRebuild): readonly Pass[] => [
  ...[words, ...derivedOf(dialect)].map(clear(dialect, rows_per_step)),
  through("entities", ENTITIES_PER_STEP, recount, "counts of entities"),
  through("memories", MEMORIES_PER_STEP, rebuildMemories),
  through("documents", DOCUMENTS_PER_STEP, rebuildDocuments),
];

/** Takes the next step of a rebuild; see `IndexStore.rebuild`. */
export async function rebuildStep(
  runner: Runner,
  engine: EngineRebuild,
  place: RebuildPlace | null,
  by: RebuildBy,
): Promise<RebuildStep> {
  const passes = passesOf(runner.dialect, engine);
  const {
    pass: number,
    after,
    done,
    total,
  } = place ?? {
    ...{ pass: 0, after: null, done: 0 },
    total: await stepsOf(runner, passes),
  };
  const pass = passes[number];
  const told = { memories: 0, documents: 0, embeddings_queued: 0 };
  if (!pass) {
    await finish(runner, engine, by);
    return { ...told, progress: { done: total, total, now: "usage" }, next: null };
  }
  const { size, over } = pass;
  const slice =
    size === null ? null : await runner.look((work) => nextSlice(work, over, { size, tenant: null }, after));
  const isThere = size === null || slice !== null;
  const made = isThere ? await pass.run(runner, slice, by) : NOTHING;
  const progress = { done: Math.min(done + Number(isThere), total), total };
  return {
    ...told,
    ...(pass.now === "memories" || pass.now === "documents" ? { [pass.now]: made.rows } : {}),
    embeddings_queued: made.embeddings_queued,
    progress: { ...progress, now: pass.now },
    next: { ...progress, ...(slice ? { pass: number, after: slice.to } : { pass: number + 1, after: null }) },
  };
}

/** How many steps a rebuild has about, the last one included. */
async function stepsOf({ look }: Runner, passes: readonly Pass[]): Promise<number> {
  let steps = 1;
  for (const { over, size } of passes) {
    const stored = size && (await look(() => counted(sql`select count(*) as n from ${sql.raw(over.table)}`)));
    steps += size && stored ? Math.ceil(stored / size) : Number(size === null);
  }
  return steps;
}

/** Counts the memories of each tenant and of each set of readers again. */
async function finish(runner: Runner, engine: EngineRebuild, { nowMs }: RebuildBy): Promise<void> {
  await engine.recount(runner);
  await runner.change(function* (work) {
    yield* queueAfter(work, { kind: "indexes_rebuilt", now_ms: nowMs });
    yield* recountUsage(work);
  });
}
