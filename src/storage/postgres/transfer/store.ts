import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ImportBatch, ImportOutcome, TransferStore } from "../../../core/ports/keeping/transfer.ts";
import type { Engine, TenantWork } from "../engine/work.ts";
import type { Exports } from "./exports.ts";
import { writeRecords } from "./write-records.ts";

/** Exports and imports over Postgres. */
export const postgresTransferStore = (engine: Engine, exports: Exports, clock: Clock): TransferStore => ({
  records: (filter) => exports.begin(engine, filter),
  close: exports.close,
  take: (batch) => engine.write(batch.tenant_id, (work) => written(work, clock, batch)).catch(undone),
  tenants: () =>
    engine.look(async (work) => {
      const rows = await work.rows<{ tenant_id: string }>(sql`
        select tenant_id from memories where deleted_at is null union select tenant_id from documents
        union select tenant_id from agents union select tenant_id from entities
        union select tenant_id from org_settings order by tenant_id`);
      return rows.map(({ tenant_id }) => tenant_id);
    }),
  progress: (tenant_id, source) =>
    engine.look((work) =>
      work.row<{ position: number; updated_at: string }>(
        sql`select position, updated_at from imports where tenant_id = ${tenant_id} and source = ${source}`,
      ),
    ),
});

/** What a dry run tells, on its way out of the transaction that is taken back by it. */
class Undone extends Error {
  constructor(readonly outcomes: ImportOutcome[]) {
    super("A dry run stores nothing.");
  }
}

async function written(work: TenantWork, clock: Clock, batch: ImportBatch): Promise<ImportOutcome[]> {
  const outcomes = await writeRecords(work, clock, batch);
  if (batch.dry_run) throw new Undone(outcomes);
  return outcomes;
}

function undone(error: unknown): ImportOutcome[] {
  if (error instanceof Undone) return error.outcomes;
  throw error;
}
