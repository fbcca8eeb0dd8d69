import { eq } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import type { CorrectedRow, InsertBatch, InsertOutcome } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { putFinding } from "../../conflicts/record.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { changing } from "../units/run.ts";
import { memoryWhere } from "./filters.ts";
import { insertMemories } from "./insert.ts";
import { toStoredMemory } from "./rows.ts";

/** Stores a batch and, where it corrects a row, what that makes of the row; inside one transaction. */
export function insertBatch(db: Engine, space: EmbedderSpace, batch: InsertBatch, by: ChangedBy): InsertOutcome[] {
  const { corrects } = batch;
  if (!corrects) return insertMemories(db, space, batch, by.nowMs);
  const older = correctedRow(db, corrects);
  const outcomes = insertMemories(db, space, batch, by.nowMs);
  for (const outcome of outcomes) {
    const newer = storedAs(db, outcome);
    if (newer) changing(db, newer.tenant_id, (work) => putFinding(work, corrects.findingOf(newer, older), by, true));
  }
  return outcomes;
}

function correctedRow(db: Engine, { filter, permit }: CorrectedRow): StoredMemory {
  const row = db.drizzleWrite.select().from(memories).where(memoryWhere(filter)).limit(1).get();
  if (!row) throw new AppError("NOT_FOUND", "No such memory.");
  const older = toStoredMemory(row);
  permit(older);
  return older;
}

/** The row that says what an entry says: the new one, or its twin. */
function storedAs(db: Engine, outcome: InsertOutcome): StoredMemory | null {
  if (outcome.outcome === "created") return outcome.memory;
  if (outcome.outcome === "over_limit") return null;
  const row = db.drizzleWrite.select().from(memories).where(eq(memories.id, outcome.id)).get();
  return row ? toStoredMemory(row) : null;
}
