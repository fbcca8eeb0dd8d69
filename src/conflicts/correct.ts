import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import { CORRECTION } from "../core/ports/contradiction-store.ts";
import type { NewFinding } from "../core/ports/finding.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { CorrectedRow } from "../core/ports/memory-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { Expected } from "../core/schema/common.ts";
import { LIVE_STATUSES, type MemoryWrite, RESERVED_TYPES } from "../core/schema/memory.ts";
import type { Corrected, Correction } from "../core/schema/memory-change.ts";
import { changeStatus } from "../memories/patch.ts";
import { changeable, noSuchMemory, requireAsSeen, requireChangeOf } from "../memories/permissions.ts";
import type { MemoryAddress } from "../memories/read.ts";
import { writeMemory } from "../memories/write.ts";

export interface CorrectInput extends Expected {
  readonly address: MemoryAddress;
  readonly body: Correction;
  readonly attempt: string | null;
}

/**
 * Writes what holds now beside a memory that no longer does: for the same readers, linked to it as its successor. The older one
 * becomes outdated and stays as history; it holds again when the newer one is deleted. Where a live memory says the new text
 * already, that one is the successor. Throws NOT_FOUND, BAD_REQUEST where nothing changes, PRECONDITION_FAILED, and what a write
 * throws.
 */
export async function correctMemory(ctx: Ctx, { address, body, attempt, if_match }: CorrectInput): Promise<Corrected> {
  const { tenant_id, memory_id, agent_id } = address;
  const filter = { ...(await changeable(ctx, tenant_id, agent_id)), ids: [memory_id] };
  const requireCorrectable = (memory: StoredMemory): void => {
    requireChangeOf(ctx, memory);
    if (memory.content === body.content) throw new AppError("BAD_REQUEST", "The memory says that already.");
  };
  const older = await theOne(ctx, filter);
  requireCorrectable(older);
  // Its version counts where it is written: a repeated request that was answered once finds it corrected, by itself.
  const permit = (memory: StoredMemory): void => {
    requireCorrectable(memory);
    requireAsSeen({ if_match }, memory);
  };
  const id = await write(ctx, older, { address, body, attempt, corrects: { filter, permit, findingOf } });
  return { id, replaced: memory_id, replaced_status: await settled(ctx, address, filter) };
}

const findingOf = (newer: StoredMemory, older: StoredMemory): NewFinding => ({
  newer,
  older,
  status: "outdated",
  rule: CORRECTION,
  confidence: 1,
  why: null,
  newer_span: { start: 0, end: newer.content.length },
  older_span: { start: 0, end: older.content.length },
});

async function theOne({ storage }: Ctx, filter: MemoryFilter): Promise<StoredMemory> {
  const page = { filter, sort: "created_at", order: "desc", after: null, offset: 0, limit: 1 } as const;
  const [memory] = await storage.memories.list(page);
  if (!memory) throw noSuchMemory();
  return memory;
}

/** The id of what says the new text: of a new row, or of a live one that did so before. */
async function write(
  ctx: Ctx,
  older: StoredMemory,
  { address, body, attempt, corrects }: CorrectInput & { readonly corrects: CorrectedRow },
): Promise<string> {
  const { fleet_id, visibility, memory_type, metadata } = older;
  const kept: Partial<MemoryWrite> = {
    ...(RESERVED_TYPES.includes(memory_type) ? {} : { memory_type }),
    ...(metadata?.tags === undefined ? {} : { metadata: { tags: metadata.tags } }),
  };
  // A private memory's successor is its owner's: who corrects it may be an administrator.
  const agent_id = visibility === "scope_agent" ? older.agent_id : address.agent_id;
  const said = { ...kept, ...body, tenant_id: address.tenant_id, agent_id };
  try {
    const input = { body: said, ignored: [], attempt, place: { fleet_id, visibility }, corrects };
    return (await writeMemory(ctx, input)).memory.id;
  } catch (error) {
    const existing = error instanceof AppError && error.code === "DUPLICATE_MEMORY" ? error.details?.existing_id : null;
    if (typeof existing !== "string") throw error;
    return existing;
  }
}

/** The detector may have looked in between and called the two a conflict: whoever corrects knows better. */
async function settled(ctx: Ctx, address: MemoryAddress, filter: MemoryFilter) {
  const { status } = await theOne(ctx, filter);
  if (status !== "conflicted" && !LIVE_STATUSES.includes(status)) return status;
  return (await changeStatus(ctx, address, { status: "outdated" })).new_status;
}
