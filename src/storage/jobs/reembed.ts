import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { CurrentModels } from "../../core/ports/job-store.ts";
import type { JobKind } from "../../core/schema/job.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { QueueWork } from "../units/work.ts";
import type { Hands } from "./hands.ts";
import { rankOf } from "./ranks.ts";
import { tenantOf } from "./tally.ts";

/** Rows of one job: as many as a bulk write makes one job of. */
const ROWS_PER_JOB = 100;

/** Where vectors are made, the job that makes them, the member of its payload that names the rows, and which rows need it. */
interface Embedded {
  readonly table: SQL;
  readonly kind: JobKind;
  readonly rows: string;
  readonly stale: SQL;
}

const embedded = ({ embedder_id, paraphraser_id }: CurrentModels): readonly Embedded[] => [
  {
    table: sql`memories`,
    kind: "embed_memories",
    rows: "memory_ids",
    stale: sql`t.deleted_at is null and t.embedded_by <> ${embedder_id}`,
  },
  {
    table: sql`documents`,
    kind: "embed_documents",
    rows: "ids",
    stale: sql`t.summary is not null and (t.embedded_by <> ${embedder_id}
      ${paraphraser_id === null ? sql`` : sql`or t.paraphrased_by is distinct from ${paraphraser_id}`})`,
  },
];

/**
 * Queues the embedding of every row whose vector another model made and that no waiting job names; until its turn comes, a
 * row is found by keyword. Rows without any vector have their jobs already. Returns how many jobs that makes.
 */
export function* queueReembedding(work: QueueWork, hands: Hands, models: CurrentModels, runAfterMs: number) {
  yield* hands.queueAlone();
  let queued = 0;
  for (const one of embedded(models)) {
    const { table, stale } = one;
    const tenants = yield* rows<{ tenant_id: string }>(sql`select distinct t.tenant_id from ${table} t
      where t.embedded_by is not null and ${stale} order by t.tenant_id`);
    for (const { tenant_id } of tenants) queued += yield* queueStale(work, hands, { ...one, tenant_id, runAfterMs });
  }
  if (queued > 0) yield* work.tellJobs();
  return queued;
}

type StaleRows = Embedded & { readonly tenant_id: string; readonly runAfterMs: number };

function queueStale({ dialect }: QueueWork, hands: Hands, { table, kind, stale, ...given }: StaleRows): Unit<number> {
  const { tenant_id, runAfterMs } = given;
  const tenant = dialect.tellsTenants ? sql`cast(${tenant_id} as text), ` : sql``;
  const named = sql`${dialect.asJson(sql`j.payload`)} -> ${sql.raw(`'${given.rows}'`)}`;
  const free = sql`select payload from jobs
    where kind = ${kind} and ${tenantOf(dialect)} = ${tenant_id} and not ${hands.isHeld(runAfterMs)}`;
  const start = `{"tenant_id":${JSON.stringify(tenant_id)},"${given.rows}":`;
  return run(sql`
    with waiting as materialized (
      select named.value as id from (${free}) j cross join ${dialect.texts(named, "named")}
    )
    insert into jobs (${dialect.tenantColumn}kind, payload, run_after, attempt, rank)
    select ${tenant}cast(${kind} as text), cast(${start} as text) || cast(${dialect.listOf(sql`id`)} as text) || '}',
      cast(${runAfterMs} as bigint), 0, ${int(rankOf(kind))}
    from (
      select t.id, (row_number() over (order by t.seq) - 1) / ${int(ROWS_PER_JOB)} as part
      from ${table} t where t.tenant_id = ${tenant_id} and t.embedded_by is not null and ${stale}
        and not exists (select 1 from waiting w where w.id = t.id)
    ) as stale
    group by part order by part`);
}
