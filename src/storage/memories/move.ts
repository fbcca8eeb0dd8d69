import type { MoveBatch, MoveOutcome } from "../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { followMoves } from "../conflicts/moves.ts";
import { insertJobs } from "../jobs/queue.ts";
import type { Unit } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { isLive, toldText } from "./duplicates.ts";
import { closeTexts } from "./kept-texts.ts";
import { firstRow } from "./read.ts";
import { toStoredMemory } from "./rows.ts";
import type { ChangedRow } from "./update.ts";
import { changeRow, twinOf } from "./update.ts";

/** Gives rows the places that the caller decides on, each on its own, with all that follows; inside one transaction. */
export function* moveMemories(work: ChangeWork, batch: MoveBatch, by: ChangedBy): Unit<MoveOutcome[]> {
  const { filter, dry_run, jobsFor } = batch;
  const moved: ChangedRow[] = [];
  const outcomes: MoveOutcome[] = [];
  /** What was moved so far, by what it tells: in a dry run nothing of it is stored. */
  const told = new Map<string, string>();
  for (const id of filter.ids) {
    const row = yield* firstRow(work, { ...filter, ids: [id] });
    if (!row) continue;
    const placing = batch.placing(toStoredMemory(row));
    if (placing.outcome !== "moved") {
      outcomes.push({ id, ...placing });
      continue;
    }
    const after: StoredMemory = { ...toStoredMemory(row), ...placing.patch };
    const existing_id = (yield* twinOf(work, row, after, by.now)) ?? told.get(toldText(after));
    outcomes.push(existing_id === undefined ? { id, outcome: "moved" } : { id, outcome: "duplicate", existing_id });
    if (existing_id !== undefined) continue;
    if (isLive(after, by.now)) told.set(toldText(after), id);
    if (!dry_run) moved.push(yield* changeRow(work, row, { patch: placing.patch, action: "memory.move" }, by));
  }
  yield* closeTexts(
    work,
    moved.filter(isTakenOut).map(({ seq }) => seq),
  );
  yield* followMoves(work, moved, by);
  yield* insertJobs(work, jobsFor(moved.map(({ after }) => after)), by.nowMs);
  return outcomes;
}

/** Whether those who read a row now may not have read what it said before. */
const isTakenOut = ({ before, after }: ChangedRow): boolean =>
  before.fleet_id !== null && before.fleet_id !== after.fleet_id;
