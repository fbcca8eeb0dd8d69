import type { Unit } from "../../units/unit.ts";
import { wait } from "../../units/unit.ts";
import type * as shared from "../../units/work.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import type { Engine, TenantWork, Work } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import { postgresDialect } from "./dialect.ts";
import { postgresMemoryIndex } from "./memory-index.ts";

const READING: shared.Work = { dialect: postgresDialect };

/** Runs a unit of work inside the caller's transaction. */
export const within = <T>(work: TenantWork, body: (work: shared.ChangeWork) => Unit<T>): Promise<T> =>
  drive(work, body(workOf(work)));

/** Runs units of work over Postgres. */
export const postgresRunner = ({ look, snapshot, write }: Engine): shared.Runner => ({
  look: (body) => look((work) => drive(work, body(READING))),
  snapshot: (body) => snapshot((work) => drive(work, body(READING))),
  write: (tenant_id, body) => write(tenant_id, (work) => within(work, body)),
});

/** Runs the statements of a unit one after the other. */
export async function drive<T>(work: Work, unit: Unit<T>): Promise<T> {
  let step = unit.next();
  while (!step.done) {
    const { value } = step;
    if ("wait" in value) step = unit.next(await value.wait());
    else step = unit.next(value.gives === "rows" ? await work.rows(value.query) : await work.run(value.query));
  }
  return step.value;
}

const workOf = (work: TenantWork): shared.ChangeWork => ({
  dialect: postgresDialect,
  tenant_id: work.tenant_id,
  policies: work.policies,
  space: work.space,
  index: postgresMemoryIndex(work),
  audit: function* (actor, events) {
    yield* wait(() => insertAudit(work, actor, events));
  },
  queueAfter: (event) => wait(() => queueAfter(work, event)),
});
