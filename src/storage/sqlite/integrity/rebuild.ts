import type { RebuildPlace, RebuildStep } from "../../../core/ports/storage.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { queueAfter } from "../jobs/queue.ts";
import { recountEntities } from "./entities.ts";
import type { RebuildBy, Rebuilt } from "./rebuild-rows.ts";
import { rebuildDocuments, rebuildMemories } from "./rebuild-rows.ts";
import { liveMemory, STORED_BY_READERS, searchedDocument, wordedMemory } from "./row-checks.ts";
import type { Slice, Walk } from "./slices.ts";
import { nextSlice, slicesOf, within } from "./slices.ts";

/** One way through a table, a slice a transaction: short enough for everyone else to wait for. */
interface Pass {
  readonly now: string;
  readonly over: Walk;
  readonly size: number;
  run(db: Connections, slice: Slice, by: RebuildBy): Rebuilt | undefined;
}

const ENTRIES_PER_STEP = 2_000;
const ENTITIES_PER_STEP = 500;
const MEMORIES_PER_STEP = 100;
const DOCUMENTS_PER_STEP = 25;

/** Takes entries out of a virtual table, by number, for which there is no row; where the entries are, `over` says. */
const entriesOfNoRow = (table: string, column: string, over: Walk, row: string): Pass => ({
  now: table,
  over,
  size: ENTRIES_PER_STEP,
  run: (db, slice) => {
    const gone = db.writeConnection.query<{ key: number }, [Record<string, number>]>(
      `select x.${over.key} as key from ${over.table} x where ${within(`x.${over.key}`)} and not exists (${row})`,
    );
    const remove = db.writeConnection.query(`delete from ${table} where ${column} = ?`);
    for (const { key } of gone.all({ ...slice })) remove.run(key);
    return undefined;
  },
});

/** Takes rows out of a table for whose number there is no row. */
const rowsOfNoRow = (table: string, key: string, row: string): Pass => ({
  now: table,
  over: { table, key },
  size: ENTRIES_PER_STEP,
  run: (db, slice) => {
    // A number that is not above nothing stands for no row: what an entity is called by itself.
    db.writeConnection
      .query(`delete from ${table} where ${within(key)} and ${key} > 0 and not exists (${row})`)
      .run({ ...slice });
    return undefined;
  },
});

/** What is taken away comes before what is counted and put in its place. */
const PASSES: readonly Pass[] = [
  entriesOfNoRow("memory_words", "rowid", { table: "memory_words_docsize", key: "id" }, wordedMemory("x.id")),
  ...(["memory_codes", "b_memory_codes"] as const).map((codes) =>
    entriesOfNoRow(codes, "seq", { table: `${codes}_rowids`, key: "rowid" }, liveMemory("abs(x.rowid)")),
  ),
  entriesOfNoRow("document_words", "rowid", { table: "document_words_docsize", key: "id" }, searchedDocument("x.id")),
  ...(["document_codes", "b_document_codes"] as const).map((codes) =>
    entriesOfNoRow(codes, "seq", { table: `${codes}_rowids`, key: "rowid" }, searchedDocument("x.rowid")),
  ),
  ...(["document_vectors", "b_document_vectors"] as const).map((vectors) =>
    rowsOfNoRow(vectors, "seq", searchedDocument(`${vectors}.seq`)),
  ),
  rowsOfNoRow("memory_claims", "memory_seq", liveMemory("memory_claims.memory_seq")),
  rowsOfNoRow("memory_entities", "memory_seq", liveMemory("memory_entities.memory_seq")),
  rowsOfNoRow("entity_aliases", "memory_seq", liveMemory("entity_aliases.memory_seq")),
  {
    now: "counts of entities",
    over: { table: "entities", key: "seq" },
    size: ENTITIES_PER_STEP,
    run: (db, slice) => {
      recountEntities(db, slice);
      return undefined;
    },
  },
  { now: "memories", over: { table: "memories", key: "seq" }, size: MEMORIES_PER_STEP, run: rebuildMemories },
  { now: "documents", over: { table: "documents", key: "seq" }, size: DOCUMENTS_PER_STEP, run: rebuildDocuments },
];

/** Takes the next step of a rebuild; see `IndexStore.rebuild`. */
export function rebuildStep(db: Engine, place: RebuildPlace | null, by: RebuildBy): RebuildStep {
  const { pass: number, after, done, total } = place ?? { pass: 0, after: null, done: 0, total: stepsOf(db) };
  const pass = PASSES[number];
  if (!pass) return finish(db, total, by);
  const slice = nextSlice(db.writeConnection, pass.over, after, pass.size);
  const made = slice && pass.run(db, slice, by);
  const next = slice
    ? { pass: number, after: slice.$to, done: done + 1, total }
    : { pass: number + 1, after: null, done, total };
  return {
    memories: pass.now === "memories" ? (made?.rows ?? 0) : 0,
    documents: pass.now === "documents" ? (made?.rows ?? 0) : 0,
    embeddings_queued: made?.embeddings_queued ?? 0,
    progress: { done: next.done, total, now: pass.now },
    next,
  };
}

/** How many steps a rebuild has, the last one included. */
const stepsOf = (db: Connections): number =>
  PASSES.reduce((sum, { over, size }) => sum + slicesOf(db.writeConnection, over, size).length, 1);

/**
 * Counts the memories of each tenant and of each set of readers again, which a table's own order tells; what the words of
 * before left in the indexes is for a job to overwrite.
 */
function finish(db: Engine, total: number, { nowMs }: RebuildBy): RebuildStep {
  queueAfter(db, { kind: "indexes_rebuilt", now_ms: nowMs });
  db.writeConnection.exec(`delete from tenant_usage;
    insert into tenant_usage (tenant_id, memories_stored)
    select tenant_id, count(*) from memories where deleted_at is null group by tenant_id;
    delete from audience_rows;
    insert into audience_rows (audience, stored) ${STORED_BY_READERS};`);
  return {
    memories: 0,
    documents: 0,
    embeddings_queued: 0,
    progress: { done: total, total, now: "usage" },
    next: null,
  };
}
