import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { Job } from "../../core/schema/job.ts";
import { staleRows, staleTenants } from "../common/stale.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { QueueWork, Runner, Work } from "../units/work.ts";
import { jobOf } from "./claim.ts";
import type { Hands } from "./hands.ts";
import { insertJobs } from "./queue.ts";
import { IS_FAILING, tenantOf } from "./tally.ts";

/** For which model everything is to be read anew, and from when on. */
interface Rereading {
  readonly hands: Hands;
  readonly embedder_id: string;
  readonly nowMs: number;
}

/** Holds for jobs that read rows anew. */
const REREADS = sql`kind = 'reread_rows'`;

/** The tenants that have a job that reads their rows anew, as rows of one column. */
export const rereadTenants = (dialect: SqlDialect): SQL =>
  sql`select ${tenantOf(dialect)} as tenant_id from jobs where ${REREADS}`;

/** Holds while rows of a tenant are read anew; what is compared meanwhile, the job of it has compared again in the end. */
export const isReadAnew = (dialect: SqlDialect, tenant_id: string): SQL => sql`exists (
  select 1 from jobs where ${REREADS} and ${tenantOf(dialect)} = ${tenant_id}
    and ${dialect.asJson(sql`payload`)} -> 'below' ->> 'table' <> 'memory_checks')`;

/**
 * Gives each tenant whose rows another model has read a job that reads them anew, unless it has one, or all of those rows were
 * refused and have jobs of their own: these are tried for ever, and have compared what they read at last. Returns how many.
 */
export async function queueReembedding(
  { look, change }: Pick<Runner, "look" | "change">,
  rereading: Rereading,
): Promise<number> {
  const tenants = await look((work) => tenantsToRead(work, rereading));
  return tenants.length === 0 ? 0 : change((work) => ensureOfTenants(work, tenants, rereading));
}

function* tenantsToRead(work: Work, { embedder_id }: Rereading): Unit<string[]> {
  const documents = yield* staleTenants(work, "documents", embedder_id);
  const memories = yield* staleTenants(work, "memories", embedder_id);
  const stale = [...new Set([...documents, ...memories])].sort();
  if (stale.length === 0) return [];
  const refused = yield* refusedRows(work);
  const tenants: string[] = [];
  for (const tenant_id of stale) {
    const own = refused.get(tenant_id);
    if (!own || (yield* hasOthers(work, { tenant_id, embedder_id }, own))) tenants.push(tenant_id);
  }
  return tenants;
}

/** The rows, by tenant, that have a job of their own which failed. */
function* refusedRows({ dialect }: Work): Unit<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = yield* rows<{ kind: string; payload: string }>(sql`select kind, payload from jobs
    where ${dialect.isIn(sql`kind`, ["embed_memories", "embed_documents"])} and ${IS_FAILING}`);
  const refused = new Map<string, Set<string>>();
  for (const row of found) {
    const { tenant_id, ids } = namedBy(jobOf(row));
    const [id] = ids;
    if (id !== undefined && ids.length === 1) refused.set(tenant_id, (refused.get(tenant_id) ?? new Set()).add(id));
  }
  return refused;
}

function namedBy(job: Job | undefined): { readonly tenant_id: string; readonly ids: readonly string[] } {
  if (job?.kind === "embed_documents") return job.payload;
  if (job?.kind === "embed_memories") return { tenant_id: job.payload.tenant_id, ids: job.payload.memory_ids };
  return { tenant_id: "", ids: [] };
}

interface OfTenant {
  readonly tenant_id: string;
  readonly embedder_id: string;
}

/** Whether a tenant has rows of another model beside some. */
function* hasOthers(work: Work, of: OfTenant, some: ReadonlySet<string>): Unit<boolean> {
  for (const table of ["memories", "documents"] as const) {
    const found = yield* staleRows(work, table, { ...of, below: null, limit: some.size + 1 });
    if (found.some(({ id }) => !some.has(id))) return true;
  }
  return false;
}

function* ensureOfTenants(
  work: QueueWork,
  tenants: readonly string[],
  { hands, embedder_id, nowMs }: Rereading,
): Unit<number> {
  yield* hands.queueAlone();
  const found = yield* rows<{ tenant_id: string }>(rereadTenants(work.dialect));
  const known = new Set(found.map(({ tenant_id }) => tenant_id));
  const since = toTimestamp(nowMs);
  const missing = tenants.filter((tenant_id) => !known.has(tenant_id));
  const jobs = missing.map((tenant_id): Job => {
    return {
      kind: "reread_rows",
      payload: { tenant_id, embedder_id, since, below: { table: "documents", number: null } },
    };
  });
  yield* insertJobs(work, jobs, nowMs);
  return jobs.length;
}
