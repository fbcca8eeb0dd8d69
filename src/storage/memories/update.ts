import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { MemoryFilter } from "../../core/ports/memory-filter.ts";
import type { MemoryChange, MemoryPatch, MemoryUpdate } from "../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import { audienceOf } from "../accounts/audiences.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { reviewFindings } from "../conflicts/retract.ts";
import { fileStoredLinks, rereadUnnamed, unfileRows } from "../entities/links.ts";
import { insertJobs } from "../jobs/queue.ts";
import { queueStatusChanged } from "../skills/reviews.ts";
import type { Unit } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { liveDuplicates } from "./duplicates.ts";
import { keepText } from "./kept-texts.ts";
import { firstRow } from "./read.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory, updateRow } from "./rows.ts";
import { invalidateContextVectors, trueVectors, unlinkFromRuns } from "./runs.ts";
import { removeTellings } from "./tellings.ts";

/** Reads a row, lets `decide` choose the change, writes it with words, vectors, audit and jobs; inside one transaction. */
export function* updateMemory(
  work: ChangeWork,
  filter: MemoryFilter,
  by: ChangedBy,
  decide: (current: StoredMemory) => MemoryChange,
): Unit<MemoryUpdate | null> {
  const row = yield* firstRow(work, filter);
  if (!row) return null;
  const before = toStoredMemory(row);
  const change = decide(before);
  const after: StoredMemory = { ...before, ...change.patch };
  if (change.keeps) yield* keepText(work, row, change.keeps, by);
  const existing_id = yield* twinOf(work, row, after, by.now);
  if (existing_id !== undefined) throw twin(existing_id);
  yield* changeRow(work, row, change, by);
  yield* reviewFindings(work, row.seq, { before, after, isQueued: isReadBy(change.jobs, row.id) }, by);
  return { before, after };
}

/** A row by its number, before and after a change. */
export interface ChangedRow extends MemoryUpdate {
  readonly seq: number;
}

/** Writes the change of a row with all that follows, but for what was found about it; inside the caller's transaction. */
export function* changeRow(work: ChangeWork, row: MemoryRow, change: MemoryChange, by: ChangedBy): Unit<ChangedRow> {
  const before = toStoredMemory(row);
  const after: StoredMemory = { ...before, ...change.patch };
  const audience = yield* audienceOf(work, after);
  // Rows of a run are neighbours only while they have the same readers.
  const previous_seq = audience === row.audience ? row.previous_seq : null;
  const changed = { ...row, ...after, audience, previous_seq };
  yield* write(work, row, changed, change);
  if (after.status !== before.status) yield* queueStatusChanged(work, after, by.nowMs);
  if (audience !== row.audience || after.entity_links !== before.entity_links)
    yield* refile(work, changed, row, by.nowMs);
  yield* insertAudit(work, by.actor, [auditEvent(before, after, change, by.now)]);
  yield* insertJobs(work, change.jobs ?? [], by.nowMs);
  return { seq: row.seq, before, after };
}

const isReadBy = (jobs: MemoryChange["jobs"], id: string): boolean =>
  jobs?.some(({ kind, payload }) => kind === "understand_memories" && payload.memory_ids.includes(id)) ?? false;

/** Writes a row as it is from now on, and has words and vectors follow. */
function* write(work: ChangeWork, row: MemoryRow, changed: MemoryRow, change: MemoryChange): Unit<void> {
  const moved = changed.audience !== row.audience;
  const isOtherText = changed.content !== row.content;
  if (moved) {
    yield* work.index.removeWords([row.seq]);
    yield* unlinkFromRuns(work, [row]);
  }
  yield* updateRow(work, row, changed);
  // What was told of it was another text.
  if (isOtherText) yield* removeTellings(work, [row.seq]);
  if (moved || isOtherText || changed.title !== row.title) yield* work.index.putWords([changed]);
  if (!moved && isOtherText) yield* invalidateContextVectors(work, row.seq);
  yield* reindex(work, changed, change, moved || changed.memory_type !== row.memory_type);
}

/** Follows a row's links in the index: where one is gone or the readers are others, all are indexed again. */
function* refile(work: ChangeWork, row: MemoryRow, before: MemoryRow, nowMs: number): Unit<void> {
  const kept = new Set(row.entity_links.map(({ entity_id }) => entity_id));
  const isCut = before.entity_links.some(({ entity_id }) => !kept.has(entity_id));
  if (isCut || row.audience !== before.audience)
    yield* rereadUnnamed(work, (yield* unfileRows(work, [row.seq])).unnamed, nowMs);
  yield* fileStoredLinks(work, [{ row, links: row.entity_links }]);
}

/** A live twin that has the text and the readers already. A status is set as asked: rows that become live again may then be twins. */
export function* twinOf(work: ChangeWork, row: MemoryRow, after: StoredMemory, now: string): Unit<string | undefined> {
  if (after.content_hash === row.content_hash && after.visibility === row.visibility) return undefined;
  return (yield* liveDuplicates(work, after, now)).find((id) => id !== row.id);
}

const twin = (existing_id: string): AppError =>
  new AppError("DUPLICATE_MEMORY", `Duplicate memory exists: ${existing_id}`, {
    existing_id,
    reason: "exact_content_hash",
  });

/** Replaces the vectors when the change brings new ones; else keeps them, indexed again when what the index filters by moved. */
function* reindex(work: ChangeWork, row: MemoryRow, { vectors }: MemoryChange, moved: boolean): Unit<void> {
  const { index } = work;
  if (vectors !== undefined || moved) yield* index.removeOtherVectors([row.seq]);
  if (vectors === null) yield* index.removeVectors([row.seq]);
  else if (vectors) yield* index.putVectors(yield* trueVectors(work, [{ row, vectors }]));
  else if (moved) yield* index.recode([row]);
}

/** Values of a change that an audit row shows; texts of memories stay out of it. */
const AUDITED = ["status", "memory_type", "weight", "visibility", "fleet_id", "content_hash", "supersedes_id"] as const;

function auditEvent(before: StoredMemory, after: StoredMemory, { action, patch, reason }: MemoryChange, at: string) {
  const fields = Object.keys(patch).sort();
  return {
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
