import { sql } from "drizzle-orm";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { TextOf } from "../../core/ports/storage.ts";
import { recomputeLinks, recomputeStatuses } from "../conflicts/apply-status.ts";
import type { DocumentRow } from "../documents/read.ts";
import { DOCUMENT_COLUMNS, documentRows, toDocument } from "../documents/read.ts";
import { rebuildDocument } from "../documents/rebuild.ts";
import { fileStoredLinks, unfileRows } from "../entities/links.ts";
import { otherSpace } from "../generations/rows.ts";
import { queueAfter } from "../jobs/queue.ts";
import { isReadByOther } from "../memories/pending.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { ROW_COLUMNS, rowsOf } from "../memories/rows.ts";
import type { Unit } from "../units/unit.ts";
import { run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { misfiledAmong } from "./entities.ts";

/** Who mends what a rebuild finds. */
const REBUILD: Actor = { agent_id: null, auth_source: "rebuild" };

/** What a rebuild needs beside the rows. */
export interface RebuildBy {
  readonly nowMs: number;
  readonly textOf: TextOf;
}

/** What was rebuilt of some rows. */
export interface Rebuilt {
  readonly rows: number;
  readonly embeddings_queued: number;
}

const someOf = ({ dialect, tenant_id }: ChangeWork, table: "memories" | "documents", seqs: readonly number[]) =>
  sql`${dialect.belongs(table, tenant_id)} and ${dialect.isIn(sql.raw(`${table}.seq`), seqs)}`;
const seqsOf = (some: readonly { readonly seq: number }[]): number[] => some.map(({ seq }) => seq);

/** Rebuilds what is derived from some documents of a tenant, inside the caller's transaction. */
export function* rebuildDocuments(work: ChangeWork, seqs: readonly number[], by: RebuildBy): Unit<Rebuilt> {
  const found = yield* documentRows(
    sql`select ${DOCUMENT_COLUMNS} from documents where ${someOf(work, "documents", seqs)} order by documents.seq`,
  );
  const other = yield* otherSpace();
  const lost: DocumentRow[] = [];
  for (const one of found) if (!(yield* rebuildDocument(work, one, by.textOf(toDocument(one)), other))) lost.push(one);
  yield* queueAfter(work, { kind: "documents_unembedded", rows: lost, now_ms: by.nowMs });
  return { rows: found.length, embeddings_queued: lost.length };
}

/** Rebuilds what is derived from some memories of a tenant, inside the caller's transaction. */
export function* rebuildMemories(work: ChangeWork, seqs: readonly number[], { nowMs }: RebuildBy): Unit<Rebuilt> {
  const { index } = work;
  const found = yield* rowsOf(
    sql`select ${ROW_COLUMNS} from memories where ${someOf(work, "memories", seqs)} order by memories.seq`,
  );
  const kept = found.filter(({ deleted_at }) => deleted_at === null);
  const gone = seqsOf(found.filter(({ deleted_at }) => deleted_at !== null));
  yield* index.removeWords(gone);
  yield* index.removeCodes(gone);
  yield* index.removeOtherVectors(gone);
  yield* index.putWords(kept);
  yield* refile(work, kept);
  yield* recodeOther(work, kept);
  const lost = yield* recodeOwn(work, kept);
  yield* queueAfter(work, { kind: "memories_unembedded", rows: lost, now_ms: nowMs });
  yield* readAgain(work, kept, nowMs);
  return { rows: found.length, embeddings_queued: lost.length };
}

/** Files rows as their links have it. Which of them are by the entity's own name, only reading the text again tells. */
function* refile(work: ChangeWork, kept: readonly MemoryRow[]): Unit<void> {
  const misfiled = yield* misfiledAmong(work, seqsOf(kept));
  if (misfiled.size === 0) return;
  yield* unfileRows(work, [...misfiled]);
  const rows = kept.filter(({ seq }) => misfiled.has(seq));
  yield* fileStoredLinks(
    work,
    rows.map((row) => ({ row, links: row.entity_links })),
  );
}

/** Of the model beside the one that answers, entries are made of vectors that are there, and those of none go. */
function* recodeOther(work: ChangeWork, kept: readonly MemoryRow[]): Unit<void> {
  const other = yield* otherSpace();
  const filed = other && (yield* work.indexOf(other).recode(kept));
  yield* work.index.removeOtherVectors(seqsOf(kept).filter((seq) => !filed?.has(seq)));
}

/** Returns the rows that have lost their vectors and must be embedded again; those that only another model has read, a job reads anew that is queued in the end. */
function* recodeOwn(work: ChangeWork, kept: readonly MemoryRow[]): Unit<MemoryRow[]> {
  const { index, space } = work;
  // A row that counts as not embedded may have the vector of an earlier text.
  const embedded = kept.filter(({ embedded_by }) => embedded_by === space.id);
  const filed = yield* index.filedVectors(seqsOf(embedded));
  const coded = embedded.flatMap((row) => {
    const vectors = filed.get(row.seq);
    return vectors?.embedder_id === space.id ? [{ row, vectors }] : [];
  });
  yield* index.putVectors(coded);
  const isCoded = new Set(coded.map(({ row }) => row.seq));
  const lost = kept.filter((row) => !isCoded.has(row.seq) && !isReadByOther(row, space));
  if (lost.length === 0) return lost;
  yield* index.removeCodes(seqsOf(lost));
  yield* run(sql`update memories set embedded_by = null
    where ${someOf(work, "memories", seqsOf(lost))} and embedded_by is not null`);
  return lost;
}

/** Brings status and link of rows in line with what was found of them, and has them read for what they claim once more. */
function* readAgain(work: ChangeWork, kept: readonly MemoryRow[], nowMs: number): Unit<void> {
  const reasons = new Map(kept.map(({ seq }) => [seq, "as the findings have it"]));
  const by = { actor: REBUILD, now: toTimestamp(nowMs), nowMs };
  yield* recomputeStatuses(work, reasons, by);
  yield* recomputeLinks(work, reasons, by);
  const { dialect, tenant_id } = work;
  yield* run(sql`update memory_checks set content_hash = null
    where ${dialect.tenant("memory_checks", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqsOf(kept))}`);
  yield* queueAfter(work, { kind: "memories_stale", rows: kept, now_ms: nowMs });
}
