import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { yieldToEventLoop } from "../../../core/kernel/event-loop.ts";
import type { ExportFilter, ImportBatch, ImportOutcome, TransferStore } from "../../../core/ports/keeping/transfer.ts";
import type { TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import type { Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { readRecords } from "./read-records.ts";
import type { Snapshot } from "./snapshot.ts";
import { openSnapshot } from "./snapshot.ts";
import { writeRecords } from "./write-records.ts";

/** Each holds a moment of the data, and what is written meanwhile stays in the log. */
const EXPORTS_MAX = 4;
const EXPORT_MAX_MS = 60 * 60_000;

/** Exports and imports over SQLite; `file` is the data file, null in memory. */
export function sqliteTransferStore(
  db: Engine,
  file: string | null,
  clock: Clock,
  jobAdded: () => void,
): TransferStore {
  const open = new Set<Snapshot>();
  return {
    records: (filter) => exported(db, file, filter, open),
    close: () => {
      for (const snapshot of open) snapshot.close();
      open.clear();
    },
    take: async (batch) => {
      const outcomes = await guarded(() => db.write(() => written(db, clock, batch))).catch(undone);
      if (!batch.dry_run) jobAdded();
      return outcomes;
    },
    tenants: () =>
      guarded(() =>
        db.readConnection
          .query<{ tenant_id: string }, []>(TENANTS)
          .all()
          .map(({ tenant_id }) => tenant_id),
      ),
    progress: (tenant_id, source) =>
      guarded(() =>
        db.readConnection
          .query<{ position: number; updated_at: string }, [string, string]>(
            "select position, updated_at from imports where tenant_id = ? and source = ?",
          )
          .get(tenant_id, source),
      ),
  };
}

const TENANTS = `select tenant_id from memories where deleted_at is null union select tenant_id from documents
  union select tenant_id from agents union select tenant_id from entities union select tenant_id from org_settings
  order by tenant_id`;

async function* exported(
  db: Engine,
  file: string | null,
  filter: ExportFilter,
  open: Set<Snapshot>,
): AsyncGenerator<readonly TransferRecord[]> {
  if (open.size >= EXPORTS_MAX)
    throw new AppError("CONFLICT", `${EXPORTS_MAX} exports go on already. Wait until one is finished.`);
  const snapshot = await guarded(() => openSnapshot(file, db));
  open.add(snapshot);
  const startedAt = performance.now();
  try {
    const parts = readRecords(snapshot.db, filter);
    for (let part = await guarded(() => parts.next()); !part.done; part = await guarded(() => parts.next())) {
      if (part.value.length > 0) yield part.value;
      await yieldToEventLoop();
      if (performance.now() - startedAt > EXPORT_MAX_MS || !open.has(snapshot)) throw brokenOff();
    }
  } finally {
    if (open.delete(snapshot)) snapshot.close();
  }
}

const brokenOff = (): AppError =>
  new AppError("UNAVAILABLE", "The export was broken off: the server stops, or it was read too slowly. Export again.");

/** What a dry run tells, on its way out of the transaction that is taken back by it. */
class Undone extends Error {
  constructor(readonly outcomes: ImportOutcome[]) {
    super("A dry run stores nothing.");
  }
}

function written(db: Engine, clock: Clock, batch: ImportBatch): ImportOutcome[] {
  const outcomes = writeRecords(db, clock, batch);
  if (batch.dry_run) throw new Undone(outcomes);
  return outcomes;
}

function undone(error: unknown): ImportOutcome[] {
  if (error instanceof Undone) return error.outcomes;
  throw error;
}
