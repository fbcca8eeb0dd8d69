import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { CurrentModels } from "../../../core/ports/job-store.ts";
import type { JobKind } from "../../../core/schema/job.ts";
import { rankOf } from "../../common/job-ranks.ts";
import type { Work } from "../engine/work.ts";
import { drive } from "../units/drive.ts";
import { tellJobs } from "./queue.ts";

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
    stale: sql`deleted_at is null and embedded_by <> ${embedder_id}`,
  },
  {
    table: sql`documents`,
    kind: "embed_documents",
    rows: "ids",
    stale: sql`summary is not null and (embedded_by <> ${embedder_id}
      or (${paraphraser_id}::text is not null and paraphrased_by is distinct from ${paraphraser_id}::text))`,
  },
];

/** Of processes that start at the same moment with another model, one queues all of it. */
const LOCK = [0x0ca1 + 1, 2] as const;

/**
 * Queues the embedding of every row whose vector another model made and that no waiting job names; until its turn comes, a
 * row is found by keyword. Rows without any vector have their jobs already. Returns how many jobs that makes.
 */
export async function queueReembedding(work: Work, models: CurrentModels, runAfterMs: number): Promise<number> {
  const [space, number] = LOCK;
  await work.run(sql`select pg_advisory_xact_lock(${space}::int, ${number}::int)`);
  let queued = 0;
  for (const one of embedded(models)) queued += await queueStale(work, one, runAfterMs);
  if (queued > 0) await drive(work, tellJobs());
  return queued;
}

const queueStale = (work: Work, { table, kind, rows, stale }: Embedded, runAfterMs: number): Promise<number> =>
  work.run(sql`
    with waiting as materialized (
      select j.tenant_id, named.id
      from jobs j cross join json_array_elements_text(j.payload::json -> ${rows}::text) as named (id)
      where j.kind = ${kind} and j.held_by is null
    )
    insert into jobs (tenant_id, kind, payload, run_after, attempt, rank)
    select tenant_id, ${kind}::text,
      json_build_object('tenant_id', tenant_id, ${rows}::text, json_agg(id order by seq))::text,
      ${runAfterMs}::bigint, 0, ${rankOf(kind)}::integer
    from (
      select t.tenant_id, t.id, t.seq,
        (row_number() over (partition by t.tenant_id order by t.seq) - 1) / ${ROWS_PER_JOB}::bigint as part
      from ${table} t where t.embedded_by is not null and ${stale}
        and not exists (select 1 from waiting w where w.tenant_id = t.tenant_id and w.id = t.id)
    ) as stale
    group by tenant_id, part`);
