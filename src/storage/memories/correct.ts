import { AppError } from "../../core/kernel/errors.ts";
import type { CorrectedRow, InsertBatch, InsertOutcome } from "../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { putFinding } from "../conflicts/record.ts";
import type { Unit } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { insertMemories } from "./insert.ts";
import { firstRow } from "./read.ts";
import { toStoredMemory } from "./rows.ts";

/** Stores a batch and, where it corrects a row, what that makes of the row; inside one transaction. */
export function* insertBatch(work: ChangeWork, batch: InsertBatch, by: ChangedBy): Unit<InsertOutcome[]> {
  const { corrects } = batch;
  if (!corrects) return yield* insertMemories(work, batch, by.nowMs);
  const older = yield* correctedRow(work, corrects);
  const outcomes = yield* insertMemories(work, batch, by.nowMs);
  for (const outcome of outcomes) {
    const newer = yield* storedAs(work, outcome);
    if (newer) yield* putFinding(work, corrects.findingOf(newer, older), by, true);
  }
  return outcomes;
}

function* correctedRow(work: ChangeWork, { filter, permit }: CorrectedRow): Unit<StoredMemory> {
  const row = yield* firstRow(work, filter);
  if (!row) throw new AppError("NOT_FOUND", "No such memory.");
  const older = toStoredMemory(row);
  permit(older);
  return older;
}

/** The row that says what an entry says: the new one, or its twin. */
function* storedAs(work: ChangeWork, outcome: InsertOutcome): Unit<StoredMemory | null> {
  if (outcome.outcome === "created") return outcome.memory;
  if (outcome.outcome === "over_limit") return null;
  const row = yield* firstRow(work, { tenant_id: work.tenant_id, ids: [outcome.id], include_deleted: true });
  return row && toStoredMemory(row);
}
