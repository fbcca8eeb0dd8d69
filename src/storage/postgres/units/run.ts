import type { Unit } from "../../units/unit.ts";
import type * as shared from "../../units/work.ts";
import { postgresDocumentIndex } from "../documents/document-index.ts";
import type { Engine, TenantWork } from "../engine/work.ts";
import { tellJobs } from "../jobs/queue.ts";
import { postgresDialect } from "./dialect.ts";
import { drive } from "./drive.ts";
import { postgresMemoryIndex } from "./memory-index.ts";

const READING: shared.Work = { dialect: postgresDialect };

/** Runs a unit of work inside the caller's transaction. */
export const within = <T>(work: TenantWork, body: (work: shared.ChangeWork) => Unit<T>): Promise<T> =>
  drive(work, body(workOf(work)));

/** Runs units of work over Postgres. */
export const postgresRunner = ({ look, snapshot, change, write }: Engine): shared.Runner => ({
  look: (body) => look((work) => drive(work, body(READING))),
  snapshot: (body) => snapshot((work) => drive(work, body(READING))),
  change: (body) => change((work) => drive(work, body({ dialect: postgresDialect, tellJobs }))),
  write: (tenant_id, body) => write(tenant_id, (work) => within(work, body)),
});

const workOf = (work: TenantWork): shared.ChangeWork => ({
  dialect: postgresDialect,
  tenant_id: work.tenant_id,
  policies: work.policies,
  space: work.space,
  index: postgresMemoryIndex(work),
  documents: postgresDocumentIndex(work.tenant_id),
  tellJobs,
});
