import { eq } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { MemoryChange, MemoryPatch, MemoryUpdate } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { reviewFindings } from "../../conflicts/retract.ts";
import { fileStoredLinks, rereadUnnamed, unfileRows } from "../../entities/links.ts";
import { keepText } from "../../memories/kept-texts.ts";
import type { EmbedderSpace } from "../../options.ts";
import { queueStatusChanged } from "../../skills/reviews.ts";
import { audienceOf } from "../accounts/audiences.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { insertJobs } from "../jobs/queue.ts";
import { putWords, removeWords } from "../search/keyword-index.ts";
import { changing, within } from "../units/run.ts";
import { putVectors, recode, removeOtherVectors, removeVectors } from "../vectors/vectors.ts";
import { liveDuplicates } from "./duplicates.ts";
import { memoryWhere } from "./filters.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { invalidateContextVectors, trueVectors, unlinkFromRun } from "./runs.ts";

/** Reads a row, lets `decide` choose the change, writes it with words, vectors, audit and jobs; inside one transaction. */
export function updateMemory(
  db: Engine,
  space: EmbedderSpace,
  filter: MemoryFilter,
  by: ChangedBy,
  decide: (current: StoredMemory) => MemoryChange,
): MemoryUpdate | null {
  const row = db.drizzleWrite.select().from(memories).where(memoryWhere(filter)).limit(1).get();
  if (!row) return null;
  const before = toStoredMemory(row);
  const change = decide(before);
  const after: StoredMemory = { ...before, ...change.patch };
  const { keeps } = change;
  if (keeps) within(db, row.tenant_id, (work) => keepText(work, row, keeps, by));
  refuseTwin(db, row, after, by.now);
  const audience = audienceOf(db, after);
  const moved = audience !== row.audience;
  // Rows of a run are neighbours only while they have the same readers.
  const previous_seq = moved ? null : row.previous_seq;
  const changed = { ...row, ...after, entity_links: [...after.entity_links], audience, previous_seq };
  if (moved) {
    removeWords(db, row.seq);
    unlinkFromRun(db, row);
  }
  db.drizzleWrite.update(memories).set(changed).where(eq(memories.seq, row.seq)).run();
  if (moved || after.content !== before.content || after.title !== before.title) {
    putWords(db, { ...after, seq: row.seq });
  }
  if (!moved && after.content !== before.content) invalidateContextVectors(db, row.seq);
  reindex(db, space, changed, change, moved || after.memory_type !== before.memory_type);
  if (moved || after.entity_links !== before.entity_links) refile(db, changed, row, by.nowMs);
  if (after.status !== before.status) changing(db, row.tenant_id, (work) => queueStatusChanged(work, after, by.nowMs));
  insertAudit(db, by.actor, [auditEvent(before, after, change, by.now)]);
  insertJobs(db, change.jobs ?? [], by.nowMs);
  const isQueued = isReadBy(change.jobs, row.id);
  changing(db, row.tenant_id, (work) => reviewFindings(work, row.seq, { before, after, isQueued }, by));
  return { before, after };
}

const isReadBy = (jobs: MemoryChange["jobs"], id: string): boolean =>
  jobs?.some(({ kind, payload }) => kind === "understand_memories" && payload.memory_ids.includes(id)) ?? false;

/** Follows a row's links in the index: where one is gone or the readers are others, all are indexed again. */
function refile(db: Engine, row: MemoryRow, before: MemoryRow, nowMs: number): void {
  const kept = new Set(row.entity_links.map(({ entity_id }) => entity_id));
  const isCut = before.entity_links.some(({ entity_id }) => !kept.has(entity_id));
  changing(db, row.tenant_id, function* (work) {
    if (isCut || row.audience !== before.audience)
      yield* rereadUnnamed(work, (yield* unfileRows(work, [row.seq])).unnamed, nowMs);
    yield* fileStoredLinks(work, [{ row, links: row.entity_links }]);
  });
}

/** A text or readers that a live twin has already. A status is set as asked: rows that become live again may then be twins. */
function refuseTwin(db: Connections, row: MemoryRow, after: StoredMemory, now: string): void {
  if (after.content_hash === row.content_hash && after.visibility === row.visibility) return;
  const existing_id = liveDuplicates(db, after, now).find((id) => id !== row.id);
  if (existing_id === undefined) return;
  const details = { existing_id, reason: "exact_content_hash" };
  throw new AppError("DUPLICATE_MEMORY", `Duplicate memory exists: ${existing_id}`, details);
}

/** Replaces the vectors when the change brings new ones; else keeps them, indexed again when what the index filters by moved. */
function reindex(db: Connections, space: EmbedderSpace, row: MemoryRow, change: MemoryChange, moved: boolean): void {
  if (change.vectors !== undefined || moved) removeOtherVectors(db, space, row.seq);
  if (change.vectors === null) removeVectors(db, row.seq);
  else if (change.vectors) putVectors(db, space, row, trueVectors(db, row, change.vectors));
  else if (moved) recode(db, space, row);
}

/** Values of a change that an audit row shows; texts of memories stay out of it. */
const AUDITED = ["status", "memory_type", "weight", "visibility", "content_hash", "supersedes_id"] as const;

function auditEvent(before: StoredMemory, after: StoredMemory, { action, patch, reason }: MemoryChange, at: string) {
  const fields = Object.keys(patch).sort();
  return {
    tenant_id: after.tenant_id,
    at,
    action,
    target_id: after.id,
    before: audited(before, patch),
    after: { ...audited(after, patch), fields },
    reason: reason ?? null,
  };
}

const audited = (memory: StoredMemory, patch: MemoryPatch): JsonObject =>
  Object.fromEntries(AUDITED.filter((field) => field in patch).map((field) => [field, memory[field]]));
