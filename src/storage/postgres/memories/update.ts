import { and, eq, sql } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { MemoryChange, MemoryPatch, MemoryUpdate } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { reviewFindings } from "../../conflicts/retract.ts";
import { fileStoredLinks, rereadUnnamed, unfileRows } from "../../entities/links.ts";
import { keepText } from "../../memories/kept-texts.ts";
import { queueStatusChanged } from "../../skills/reviews.ts";
import { audienceOf } from "../accounts/audiences.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { memories } from "../engine/tables.ts";
import type { TenantWork } from "../engine/work.ts";
import { insertJobs } from "../jobs/queue.ts";
import { putWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { putVectors, recode, removeOtherVectors, removeVectors } from "../vectors/vectors.ts";
import { liveDuplicates } from "./duplicates.ts";
import { memoryWhere } from "./filters.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { invalidateContextVectors, trueVectors, unlinkFromRuns } from "./runs.ts";

/** Reads a row, lets `decide` choose the change, writes it with words, vectors, audit and jobs; inside one transaction. */
export async function updateMemory(
  work: TenantWork,
  filter: MemoryFilter,
  by: ChangedBy,
  decide: (current: StoredMemory) => MemoryChange,
): Promise<MemoryUpdate | null> {
  const row = await work.row<MemoryRow>(sql`select * from memories where ${memoryWhere(filter)} limit 1`);
  if (!row) return null;
  const before = toStoredMemory(row);
  const change = decide(before);
  const after: StoredMemory = { ...before, ...change.patch };
  const { keeps } = change;
  if (keeps) await within(work, (unit) => keepText(unit, row, keeps, by));
  await refuseTwin(work, row, after, by.now);
  const audience = await audienceOf(work, after);
  // Rows of a run are neighbours only while they have the same readers.
  const previous_seq = audience === row.audience ? row.previous_seq : null;
  const changed = { ...row, ...after, entity_links: [...after.entity_links], audience, previous_seq };
  await write(work, row, changed, change);
  if (after.status !== before.status) await within(work, (unit) => queueStatusChanged(unit, after, by.nowMs));
  if (audience !== row.audience || after.entity_links !== before.entity_links)
    await refile(work, changed, row, by.nowMs);
  await insertAudit(work, by.actor, [auditEvent(before, after, change, by.now)]);
  await insertJobs(work, change.jobs ?? [], by.nowMs);
  const isQueued = isReadBy(change.jobs, row.id);
  await within(work, (unit) => reviewFindings(unit, row.seq, { before, after, isQueued }, by));
  return { before, after };
}

const isReadBy = (jobs: MemoryChange["jobs"], id: string): boolean =>
  jobs?.some(({ kind, payload }) => kind === "understand_memories" && payload.memory_ids.includes(id)) ?? false;

/** Writes a row as it is from now on, and has words and vectors follow. */
async function write(work: TenantWork, row: MemoryRow, changed: MemoryRow, change: MemoryChange): Promise<void> {
  const moved = changed.audience !== row.audience;
  const isOtherText = changed.content !== row.content;
  if (moved) await unlinkFromRuns(work, [row]);
  await work.db
    .update(memories)
    .set(changed)
    .where(and(eq(memories.tenant_id, work.tenant_id), eq(memories.seq, row.seq)));
  if (moved || isOtherText || changed.title !== row.title) await putWords(work, [changed]);
  if (!moved && isOtherText) await invalidateContextVectors(work, row.seq);
  await reindex(work, changed, change, moved || changed.memory_type !== row.memory_type);
}

/** Follows a row's links in the index: where one is gone or the readers are others, all are indexed again. */
async function refile(work: TenantWork, row: MemoryRow, before: MemoryRow, nowMs: number): Promise<void> {
  const kept = new Set(row.entity_links.map(({ entity_id }) => entity_id));
  const isCut = before.entity_links.some(({ entity_id }) => !kept.has(entity_id));
  await within(work, function* (unit) {
    if (isCut || row.audience !== before.audience)
      yield* rereadUnnamed(unit, (yield* unfileRows(unit, [row.seq])).unnamed, nowMs);
    yield* fileStoredLinks(unit, [{ row, links: row.entity_links }]);
  });
}

/** A text or readers that a live twin has already. A status is set as asked: rows that become live again may then be twins. */
async function refuseTwin(work: TenantWork, row: MemoryRow, after: StoredMemory, now: string): Promise<void> {
  if (after.content_hash === row.content_hash && after.visibility === row.visibility) return;
  const existing_id = (await liveDuplicates(work, after, now)).find((id) => id !== row.id);
  if (existing_id === undefined) return;
  const details = { existing_id, reason: "exact_content_hash" };
  throw new AppError("DUPLICATE_MEMORY", `Duplicate memory exists: ${existing_id}`, details);
}

/** Replaces the vectors when the change brings new ones; else keeps them, indexed again when what the index filters by moved. */
async function reindex(work: TenantWork, row: MemoryRow, { vectors }: MemoryChange, moved: boolean): Promise<void> {
  const { space } = work;
  if (vectors !== undefined || moved) await removeOtherVectors(work, space, [row.seq]);
  if (vectors === null) await removeVectors(work, [row.seq]);
  else if (vectors) await putVectors(work, space, await trueVectors(work, [{ row, vectors }]));
  else if (moved) await recode(work, space, [row]);
}

/** Values of a change that an audit row shows; texts of memories stay out of it. */
const AUDITED = ["status", "memory_type", "weight", "visibility", "content_hash", "supersedes_id"] as const;

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
