import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { TextOf } from "../../../core/ports/storage.ts";
import { recomputeLinks, recomputeStatuses } from "../../conflicts/apply-status.ts";
import { documentRows, toDocument } from "../../documents/read.ts";
import { rebuildDocument } from "../../documents/rebuild.ts";
import type { EmbedderSpace } from "../../options.ts";
import { memoryChecks } from "../conflicts/tables.ts";
import type { Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { otherSpace } from "../generations/rows.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { putWords, removeWords } from "../search/keyword-index.ts";
import { drive } from "../units/drive.ts";
import { changing } from "../units/run.ts";
import { memoryVectorsOf } from "../vectors/tables.ts";
import { putVectors, recode, removeCode, removeOtherVectors, storedVectors } from "../vectors/vectors.ts";
import { refileRow } from "./entities.ts";
import type { Slice } from "./slices.ts";

/** Who mends what a rebuild finds. */
const REBUILD: Actor = { agent_id: null, auth_source: "rebuild" };

/** What a rebuild needs beside the rows. */
export interface RebuildBy {
  readonly space: EmbedderSpace;
  readonly nowMs: number;
  readonly textOf: TextOf;
}

/** What was rebuilt of a slice. */
export interface Rebuilt {
  readonly rows: number;
  readonly embeddings_queued: number;
}

/** Rebuilds what is derived from a slice of the memories. */
export function rebuildMemories(db: Engine, { $from, $to }: Slice, { space, nowMs }: RebuildBy): Rebuilt {
  const here = and(gt(memories.seq, $from), lte(memories.seq, $to));
  const rows = db.drizzleWrite.select().from(memories).where(here).orderBy(asc(memories.seq)).all();
  const lost = rows.filter((row) => !rebuildMemory(db, space, row));
  queueAfter(db, { kind: "memories_unembedded", rows: lost, now_ms: nowMs });
  readAgain(db, rows, nowMs);
  return { rows: rows.length, embeddings_queued: lost.length };
}

/** False when the row has lost its vector and must be embedded again. */
function rebuildMemory(db: Engine, space: EmbedderSpace, row: MemoryRow): boolean {
  if (row.deleted_at !== null) {
    removeWords(db, row.seq);
    removeCode(db, space, row.seq);
    removeOtherVectors(db, space, row.seq);
    return true;
  }
  putWords(db, row);
  refileRow(db, row);
  recodeOther(db, space, row);
  const vectors = memoryVectorsOf(space);
  const kept = db.drizzleWrite.select().from(vectors).where(eq(vectors.seq, row.seq)).get();
  // A row that counts as not embedded may have the vector of an earlier text.
  if (kept?.embedder_id === space.id && row.embedded_by === space.id) {
    putVectors(db, space, row, storedVectors(kept));
    return true;
  }
  removeCode(db, space, row.seq);
  db.drizzleWrite.update(memories).set({ embedded_by: null }).where(eq(memories.seq, row.seq)).run();
  return false;
}

/** Of the model beside the one that answers, entries are made of vectors that are there, and those of none go. */
function recodeOther(db: Engine, space: EmbedderSpace, row: MemoryRow): void {
  const other = otherSpace(db.writeConnection);
  if (!other || !recode(db, other, row)) removeOtherVectors(db, space, row.seq);
}

/** Brings status and link of rows in line with what was found of them, and has them read for what they claim once more. */
function readAgain(db: Engine, rows: readonly MemoryRow[], nowMs: number): void {
  const kept = rows.filter(({ deleted_at }) => deleted_at === null);
  const seqs = kept.map(({ seq }) => seq);
  const by = { actor: REBUILD, now: toTimestamp(nowMs), nowMs };
  for (const [tenant_id, own] of Map.groupBy(kept, (row) => row.tenant_id))
    changing(db, tenant_id, function* (work) {
      const reasons = new Map(own.map(({ seq }) => [seq, "as the findings have it"]));
      yield* recomputeStatuses(work, reasons, by);
      yield* recomputeLinks(work, reasons, by);
    });
  db.drizzleWrite.update(memoryChecks).set({ content_hash: null }).where(inArray(memoryChecks.memory_seq, seqs)).run();
  queueAfter(db, { kind: "memories_stale", rows: kept, now_ms: nowMs });
}

/** Rebuilds what is derived from a slice of the documents. */
export function rebuildDocuments(db: Engine, { $from, $to }: Slice, { nowMs, textOf }: RebuildBy): Rebuilt {
  const other = otherSpace(db.writeConnection);
  const rows = drive(
    db.writeConnection,
    documentRows(sql`select * from documents where seq > ${$from} and seq <= ${$to} order by seq`),
  );
  const lost = rows.filter(
    (row) => !changing(db, row.tenant_id, (work) => rebuildDocument(work, row, textOf(toDocument(row)), other)),
  );
  queueAfter(db, { kind: "documents_unembedded", rows: lost, now_ms: nowMs });
  return { rows: rows.length, embeddings_queued: lost.length };
}
