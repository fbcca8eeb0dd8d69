import { and, asc, eq, gt, inArray } from "drizzle-orm";
import { toTimestamp } from "../../kernel/clock.ts";
import type { StoredDocument } from "../../ports/document-store.ts";
import type { Actor } from "../../ports/memory-store.ts";
import type { RebuildPlace, RebuildStep, SearchableText } from "../../ports/storage.ts";
import type { Job } from "../../schema/job.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Connections } from "./connection.ts";
import { memoryChecks } from "./detection-tables.ts";
import { putDocumentVector, putDocumentWords, removeDocumentVector, removeDocumentWords } from "./document-legs.ts";
import { readerOf, removeParaphrase } from "./document-paraphrases.ts";
import { toDocument } from "./documents-read.ts";
import { recountEntities, refileRow } from "./entity-integrity.ts";
import { STORED_BY_READERS } from "./integrity.ts";
import { insertJobs } from "./jobs.ts";
import type { MemoryRow } from "./rows.ts";
import { blobVector } from "./rows.ts";
import { settleLinks, settleStatuses } from "./standing.ts";
import { documents, documentVectors, memories, memoryVectors } from "./tables.ts";
import { putVectors, removeCode } from "./vectors.ts";
import { putWords, removeWords } from "./words.ts";

/** Rows made anew in one transaction: short enough for everyone else to wait for. */
const ROWS_PER_STEP = 100;

/** Who mends what a rebuild finds. */
const REBUILD: Actor = { agent_id: null, auth_source: "rebuild" };

type TextOf = (document: StoredDocument) => SearchableText | null;

/** Makes the indexes of the next rows anew; see `IndexStore.rebuild`. */
export function rebuildStep(
  at: Connections,
  space: EmbedderSpace,
  from: RebuildPlace | null,
  by: { nowMs: number; textOf: TextOf },
): RebuildStep {
  if (from === null) removeOrphans(at);
  const { table, after } = from ?? { table: "memories", after: 0 };
  return table === "memories" ? rebuildMemories(at, space, after, by.nowMs) : rebuildDocuments(at, space, after, by);
}

/** Entries of rows that do not exist, and counters: both need no walk through the rows. */
function removeOrphans(at: Connections): void {
  for (const [words, number, codes, rows] of [
    ["memory_words", "words_row", "memory_codes", "memories"],
    ["document_words", "seq", "document_codes", "documents"],
  ] as const) {
    at.writer.exec(`delete from ${words} where rowid in (select id from ${words}_docsize where id not in (select ${number} from ${rows}));
      delete from ${codes} where seq in (select seq from ${codes} where abs(seq) not in (select seq from ${rows}));`);
  }
  at.writer.exec(
    "delete from memory_claims where memory_seq not in (select seq from memories where deleted_at is null)",
  );
  recountEntities(at);
  at.writer.exec(`update tenant_usage set memories_stored =
    (select count(*) from memories m where m.tenant_id = tenant_usage.tenant_id and m.deleted_at is null);
    delete from audience_rows;
    insert into audience_rows (audience, stored) ${STORED_BY_READERS};`);
}

function rebuildMemories(at: Connections, space: EmbedderSpace, after: number, nowMs: number): RebuildStep {
  const rows = at.write
    .select()
    .from(memories)
    .where(gt(memories.seq, after))
    .orderBy(asc(memories.seq))
    .limit(ROWS_PER_STEP)
    .all();
  const lost = rows.filter((row) => !rebuildMemory(at, space, row));
  insertJobs(at, jobsOf(lost, "embed_memories"), nowMs);
  readAgain(at, rows, nowMs);
  const next: RebuildPlace =
    rows.length < ROWS_PER_STEP ? { table: "documents", after: 0 } : placeAfter("memories", rows);
  return { memories: rows.length, documents: 0, embeddings_queued: lost.length, next };
}

/** False when the row has lost its vector and must be embedded anew. */
function rebuildMemory(at: Connections, space: EmbedderSpace, row: MemoryRow): boolean {
  if (row.deleted_at !== null) {
    removeWords(at, row.seq);
    removeCode(at, row.seq);
    return true;
  }
  putWords(at, row);
  refileRow(at, row);
  const kept = at.write.select().from(memoryVectors).where(eq(memoryVectors.seq, row.seq)).get();
  if (kept?.embedder_id === space.id) {
    const context = kept.context && blobVector(kept.context);
    putVectors(at, space, row, { own: blobVector(kept.vector), context });
    return true;
  }
  removeCode(at, row.seq);
  if (row.embedded_by === null) return true;
  at.write.update(memories).set({ embedded_by: null }).where(eq(memories.seq, row.seq)).run();
  return false;
}

/** Brings status and link of rows in line with what was found of them, and has them read for what they claim once more. */
function readAgain(at: Connections, rows: readonly MemoryRow[], nowMs: number): void {
  const kept = rows.filter(({ deleted_at }) => deleted_at === null);
  const seqs = kept.map(({ seq }) => seq);
  const by = { actor: REBUILD, now: toTimestamp(nowMs), nowMs };
  const reasons = new Map(seqs.map((seq) => [seq, "as the findings have it"]));
  settleStatuses(at, reasons, by);
  settleLinks(at, reasons, by);
  at.write.update(memoryChecks).set({ content_hash: null }).where(inArray(memoryChecks.memory_seq, seqs)).run();
  insertJobs(at, jobsOf(kept, "understand_memories"), nowMs);
}

function rebuildDocuments(
  at: Connections,
  space: EmbedderSpace,
  after: number,
  { nowMs, textOf }: { nowMs: number; textOf: TextOf },
): RebuildStep {
  const rows = at.write
    .select()
    .from(documents)
    .where(gt(documents.seq, after))
    .orderBy(asc(documents.seq))
    .limit(ROWS_PER_STEP)
    .all();
  const lost = rows.filter((row) => !rebuildDocument(at, space, row, textOf(toDocument(row))));
  insertJobs(at, jobsOf(lost, "embed_documents"), nowMs);
  const next = rows.length < ROWS_PER_STEP ? null : placeAfter("documents", rows);
  return { memories: 0, documents: rows.length, embeddings_queued: lost.length, next };
}

function rebuildDocument(
  at: Connections,
  space: EmbedderSpace,
  row: typeof documents.$inferSelect,
  text: SearchableText | null,
): boolean {
  if (row.summary === null || text === null) {
    removeDocumentWords(at, row.seq);
    removeDocumentVector(at, row.seq);
    forgetReading(at, row.seq);
    return true;
  }
  putDocumentWords(at, row.seq, text);
  const isRead = row.paraphrased_by === readerOf(at, row.seq);
  if (!isRead) forgetReading(at, row.seq);
  const ofSpace = and(eq(documentVectors.seq, row.seq), eq(documentVectors.embedder_id, space.id));
  const kept = at.write.select().from(documentVectors).where(ofSpace).get();
  if (kept) putDocumentVector(at, space, row, blobVector(kept.vector));
  if (kept || row.embedded_by === null) return isRead;
  removeDocumentVector(at, row.seq);
  at.write.update(documents).set({ embedded_by: null }).where(eq(documents.seq, row.seq)).run();
  return false;
}

/** Takes the second reading of a document away, so that it counts as not read twice. */
function forgetReading(at: Connections, seq: number): void {
  removeParaphrase(at, seq);
  at.write.update(documents).set({ paraphrased_by: null }).where(eq(documents.seq, seq)).run();
}

interface Numbered {
  readonly seq: number;
  readonly id: string;
  readonly tenant_id: string;
}

const placeAfter = (table: RebuildPlace["table"], rows: readonly Numbered[]): RebuildPlace => ({
  table,
  after: rows.at(-1)?.seq ?? 0,
});

type RowJob = Extract<Job, { payload: { memory_ids: string[] } }>["kind"];

function jobsOf(rows: readonly Numbered[], kind: RowJob | "embed_documents"): Job[] {
  return [...Map.groupBy(rows, (row) => row.tenant_id)].map(([tenant_id, group]): Job => {
    const ids = group.map(({ id }) => id);
    return kind === "embed_documents"
      ? { kind, payload: { tenant_id, ids } }
      : { kind, payload: { tenant_id, memory_ids: ids } };
  });
}
