import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import type { ImportBatch, ImportOutcome, TransferStore } from "../../core/ports/keeping/transfer.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { ChangeWork, Runner } from "../units/work.ts";
import type { Exports } from "./exports.ts";
import { writeRecords } from "./write.ts";

/** Exports and imports. */
export const transferStore = ({ look, write }: Runner, exports: Exports, clock: Clock): TransferStore => ({
  records: exports.begin,
  close: exports.close,
  take: (batch) => write(batch.tenant_id, (work) => written(work, clock, batch)).catch(undone),
  tenants: () => look(tenants),
  progress: (tenant_id, source) =>
    look(() =>
      row<{ position: number; updated_at: string }>(
        sql`select position, updated_at from imports where tenant_id = ${tenant_id} and source = ${source}`,
      ),
    ),
});

function* tenants(): Unit<string[]> {
  const found = yield* rows<{ tenant_id: string }>(sql`
    select tenant_id from memories where deleted_at is null union select tenant_id from documents
    union select tenant_id from agents union select tenant_id from entities
    union select tenant_id from org_settings order by tenant_id`);
  return found.map(({ tenant_id }) => tenant_id);
}

/** What a dry run tells, on its way out of the transaction that is taken back by it. */
class Undone extends Error {
  constructor(readonly outcomes: ImportOutcome[]) {
    super("A dry run stores nothing.");
  }
}

function* written(work: ChangeWork, clock: Clock, batch: ImportBatch): Unit<ImportOutcome[]> {
  const outcomes = yield* writeRecords(work, clock, batch);
  if (batch.dry_run) throw new Undone(outcomes);
  return outcomes;
}

function undone(error: unknown): ImportOutcome[] {
  if (error instanceof Undone) return error.outcomes;
  throw error;
}
