import type { Unit } from "../../units/unit.ts";
import type { ChangeWork, QueueWork, Runner, TenantWork, WideWork, Work } from "../../units/work.ts";
import { sqliteDocumentIndex } from "../documents/document-index.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { sqliteDialect } from "./dialect.ts";
import { drive } from "./drive.ts";
import { atOnce, sqliteMemoryIndex } from "./memory-index.ts";

/** Who runs a unit within a transaction of its own tells of jobs itself. */
const tellJobs = () => atOnce(() => {});

const READING: Work = { dialect: sqliteDialect };

/** Runs a unit of work inside the caller's transaction. */
export const within = <T>(db: Connections, tenant_id: string, body: (work: TenantWork & QueueWork) => Unit<T>): T =>
  drive(db.writeConnection, body({ dialect: sqliteDialect, tenant_id, tellJobs }));

/** The same, with what follows from a change. */
export const changing = <T>(db: Engine, tenant_id: string, body: (work: ChangeWork) => Unit<T>): T =>
  drive(db.writeConnection, body(workOf(db, tenant_id)));

/** Runs a unit of work that changes nothing, beside the writer. */
export const looking = <T>(db: Connections, body: (work: Work) => Unit<T>): T =>
  drive(db.readConnection, body(READING));

/** Runs units of work over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteRunner(db: Engine, jobAdded: () => void): Runner {
  const look: Runner["look"] = (body) => guarded(() => looking(db, body));
  const change = async <T>(body: (queued: () => void) => Unit<T>): Promise<T> => {
    let hasQueued = false;
    const queued = () => {
      hasQueued = true;
    };
    const done = await guarded(() => db.write(() => drive(db.writeConnection, body(queued))));
    if (hasQueued) jobAdded();
    return done;
  };
  return {
    dialect: sqliteDialect,
    look,
    snapshot: look,
    write: (tenant_id, body) => change((queued) => body(workOf(db, tenant_id, queued))),
    writeEach: (given, body) =>
      change(function* (queued) {
        const done = [];
        for (const [tenant_id, own] of Map.groupBy(given, (row) => row.tenant_id))
          done.push(yield* body(workOf(db, tenant_id, queued), own));
        return done;
      }),
    change: (body) => change((queued) => body(wideWorkOf(db, queued))),
    repeatable: (body) => change((queued) => body(wideWorkOf(db, queued))),
  };
}

/** A transaction that changes what all tenants have; `queued` is called where it adds jobs. */
export const wideWorkOf = ({ policies, space }: Engine, queued = () => {}): WideWork => ({
  dialect: sqliteDialect,
  policies,
  space,
  tellJobs: () => atOnce(queued),
});

function workOf(db: Engine, tenant_id: string, queued = () => {}): ChangeWork {
  return {
    ...wideWorkOf(db, queued),
    tenant_id,
    index: sqliteMemoryIndex(db, tenant_id, db.space),
    indexOf: (space) => sqliteMemoryIndex(db, tenant_id, space),
    documents: sqliteDocumentIndex(db, tenant_id),
  };
}
