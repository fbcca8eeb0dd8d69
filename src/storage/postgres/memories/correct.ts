import { sql } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import type { CorrectedRow, InsertBatch, InsertOutcome } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { putFinding } from "../../conflicts/record.ts";
import type { TenantWork } from "../engine/work.ts";
import { within } from "../units/run.ts";
import { memoryWhere } from "./filters.ts";
import { insertMemories } from "./insert.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";

/** Stores a batch and, where it corrects a row, what that makes of the row; inside one transaction. */
export async function insertBatch(work: TenantWork, batch: InsertBatch, by: ChangedBy): Promise<InsertOutcome[]> {
  const { corrects } = batch;
  if (!corrects) return insertMemories(work, batch, by.nowMs);
  const older = await correctedRow(work, corrects);
  const outcomes = await insertMemories(work, batch, by.nowMs);
  for (const outcome of outcomes) {
    const newer = await storedAs(work, outcome);
    if (newer) await within(work, (unit) => putFinding(unit, corrects.findingOf(newer, older), by, true));
  }
  return outcomes;
}

async function correctedRow(work: TenantWork, { filter, permit }: CorrectedRow): Promise<StoredMemory> {
  const row = await work.row<MemoryRow>(sql`select * from memories where ${memoryWhere(filter)} limit 1`);
  if (!row) throw new AppError("NOT_FOUND", "No such memory.");
  const older = toStoredMemory(row);
  permit(older);
  return older;
}

/** The row that says what an entry says: the new one, or its twin. */
async function storedAs(work: TenantWork, outcome: InsertOutcome): Promise<StoredMemory | null> {
  if (outcome.outcome === "created") return outcome.memory;
  if (outcome.outcome === "over_limit") return null;
  const row = await work.row<MemoryRow>(
    sql`select * from memories where tenant_id = ${work.tenant_id} and id = ${outcome.id}`,
  );
  return row ? toStoredMemory(row) : null;
}
