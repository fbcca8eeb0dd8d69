import type { Unit } from "../../units/unit.ts";
import type * as shared from "../../units/work.ts";
import { postgresDocumentIndex } from "../documents/document-index.ts";
import type { Engine, TenantWork, Work } from "../engine/work.ts";
import { tellJobs } from "../jobs/queue.ts";
import { postgresDialect } from "./dialect.ts";
import { drive } from "./drive.ts";
import { postgresMemoryIndex } from "./memory-index.ts";

const READING: shared.Work = { dialect: postgresDialect };

/** Runs a unit of work inside the caller's transaction. */
export const within = <T>(work: TenantWork, body: (work: shared.ChangeWork) => Unit<T>): Promise<T> =>
  drive(work, body(workOf(work)));

/** Runs units of work over Postgres. */
export const postgresRunner = ({ look, snapshot, write, change }: Engine): shared.Runner => {
  const runner: shared.Runner = {
    dialect: postgresDialect,
    look: (body) => look((work) => drive(work, body(READING))),
    snapshot: (body) => snapshot((work) => drive(work, body(READING))),
    write: (tenant_id, body) => write(tenant_id, (work) => within(work, body)),
    writeEach: async (given, body) => {
      const done = [];
      for (const [tenant_id, own] of Map.groupBy(given, (row) => row.tenant_id))
        done.push(await runner.write(tenant_id, (work) => body(work, own)));
      return done;
    },
    change: (body) => change((work) => drive(work, body(wideWorkOf(work)))),
    repeatable: (body) => look((work) => drive(work, body(wideWorkOf(work)))),
  };
  return runner;
};

/** A transaction that changes what all tenants have. */
export const wideWorkOf = ({ policies, space }: Work): shared.WideWork => ({
  dialect: postgresDialect,
  policies,
  space,
  tellJobs,
});

const workOf = (work: TenantWork): shared.ChangeWork => ({
  ...wideWorkOf(work),
  tenant_id: work.tenant_id,
  index: postgresMemoryIndex(work, work.space),
  indexOf: (space) => postgresMemoryIndex(work, space),
  documents: postgresDocumentIndex(work.tenant_id),
});
