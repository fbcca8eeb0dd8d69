import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { RebuildPlace, RebuildStep } from "../../../core/ports/storage.ts";
import type { Engine, TenantWork } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import { recountEntities } from "./entities.ts";
import { rebuildDocuments } from "./rebuild-documents.ts";
import { rebuildMemories } from "./rebuild-memories.ts";
import type { RebuildBy, Rebuilt } from "./rebuilt.ts";
import { liveMemory, searchedDocument } from "./row-checks.ts";
import type { Walked } from "./slices.ts";
import { recountUsage } from "./usage.ts";
import { recountWords } from "./words.ts";

/** One way through what is stored, in steps short enough for everyone else to wait for. */
interface Pass {
  readonly now: string;
  /** How many steps there are about. */
  steps(engine: Engine): Promise<number>;
  /** Takes the step after a number; `next` is null once there is none. */
  step(engine: Engine, after: number, by: RebuildBy): Promise<Stepped>;
}
interface Stepped {
  readonly next: number | null;
  readonly made?: Rebuilt;
}

const ENTITIES_PER_STEP = 500;
const MEMORIES_PER_STEP = 100;
const DOCUMENTS_PER_STEP = 25;

/** Takes rows `x` out of a table for which there is no row. */
const rowsOfNoRow = (table: string, row: SQL, holds = sql`true`): Pass => ({
  now: table,
  steps: async () => 1,
  step: async (engine) => {
    await engine.change((work) =>
      work.run(sql`delete from ${sql.raw(table)} x where ${holds} and not exists (${row})`),
    );
    return { next: null };
  },
});

type RunSlice = (work: TenantWork, seqs: readonly number[], by: RebuildBy) => Promise<Rebuilt>;

/** Goes through a table by the numbers of its rows, the rows of each tenant in a transaction of that tenant. */
const through = (table: Walked, size: number, run: RunSlice, now: string = table): Pass => ({
  now,
  steps: (engine) =>
    engine.look(async (work) => {
      const counted = await work.row<{ n: number }>(sql`select count(*) as n from ${sql.raw(table)}`);
      return Math.ceil((counted?.n ?? 0) / size);
    }),
  step: async (engine, after, by) => {
    const rows = await engine.look((work) =>
      work.rows<{ seq: number; tenant_id: string }>(
        sql`select seq, tenant_id from ${sql.raw(table)} where seq > ${after} order by seq limit ${size}`,
      ),
    );
    let made: Rebuilt = { rows: 0, embeddings_queued: 0 };
    for (const [tenant_id, own] of Map.groupBy(rows, (row) => row.tenant_id)) {
      const seqs = own.map(({ seq }) => seq);
      const one = await engine.write(tenant_id, (work) => run(work, seqs, by));
      if (one) made = { rows: made.rows + one.rows, embeddings_queued: made.embeddings_queued + one.embeddings_queued };
    }
    return { next: rows.length < size ? null : (rows.at(-1)?.seq ?? null), made };
  },
});

/** Counts the words of each tenant; the number is that of tenants that are done. */
const WORD_COUNTS: Pass = {
  now: "counts of words",
  steps: (engine) =>
    engine.look(async (work) => {
      const counted = await work.row<{ n: number }>(sql`select count(*) as n from tenant_usage`);
      return counted?.n ?? 0;
    }),
  step: async (engine, after) => {
    const tenant = await engine.look((work) =>
      work.row<{ tenant_id: string }>(
        sql`select tenant_id from tenant_usage order by tenant_id offset ${after} limit 1`,
      ),
    );
    if (!tenant) return { next: null };
    await recountWords(engine, tenant.tenant_id);
    return { next: after + 1 };
  },
};

const recount: RunSlice = async (work, seqs) => {
  await recountEntities(work, seqs);
  return { rows: seqs.length, embeddings_queued: 0 };
};

/** What is taken away comes before what is counted and put in its place. */
const PASSES: readonly Pass[] = [
  rowsOfNoRow("memory_words", liveMemory()),
  rowsOfNoRow("memory_codes", liveMemory()),
  rowsOfNoRow("b_memory_codes", liveMemory()),
  ...["document_words", "document_codes", "b_document_codes", "document_vectors", "b_document_vectors"].map((table) =>
    rowsOfNoRow(table, searchedDocument()),
  ),
  rowsOfNoRow("memory_claims", liveMemory("memory_seq")),
  rowsOfNoRow("memory_entities", liveMemory("memory_seq")),
  // A number that is not above nothing stands for no row: what an entity is called by itself.
  rowsOfNoRow("entity_aliases", liveMemory("memory_seq"), sql`x.memory_seq > 0`),
  through("entities", ENTITIES_PER_STEP, recount, "counts of entities"),
  through("memories", MEMORIES_PER_STEP, rebuildMemories),
  through("documents", DOCUMENTS_PER_STEP, rebuildDocuments),
  WORD_COUNTS,
];

/** Takes the next step of a rebuild; see `IndexStore.rebuild`. */
export async function rebuildStep(engine: Engine, place: RebuildPlace | null, by: RebuildBy): Promise<RebuildStep> {
  const { pass: number, after, done, total } = place ?? { pass: 0, after: null, done: 0, total: await stepsOf(engine) };
  const pass = PASSES[number];
  if (!pass) return finish(engine, total, by);
  const { next, made } = await pass.step(engine, after ?? 0, by);
  const place_after =
    next === null
      ? { pass: number + 1, after: null, done: done + 1, total }
      : { pass: number, after: next, done: done + 1, total };
  return {
    memories: pass.now === "memories" ? (made?.rows ?? 0) : 0,
    documents: pass.now === "documents" ? (made?.rows ?? 0) : 0,
    embeddings_queued: made?.embeddings_queued ?? 0,
    progress: { done: Math.min(place_after.done, total), total, now: pass.now },
    next: place_after,
  };
}

/** How many steps a rebuild has, the last one included. */
async function stepsOf(engine: Engine): Promise<number> {
  let steps = 1;
  for (const pass of PASSES) steps += Math.max(1, await pass.steps(engine));
  return steps;
}

/** Counts the memories of each tenant and of each set of readers again. */
async function finish(engine: Engine, total: number, { nowMs }: RebuildBy): Promise<RebuildStep> {
  await engine.change(async (work) => {
    await queueAfter(work, { kind: "indexes_rebuilt", now_ms: nowMs });
    await recountUsage(work);
  });
  return {
    memories: 0,
    documents: 0,
    embeddings_queued: 0,
    progress: { done: total, total, now: "usage" },
    next: null,
  };
}
