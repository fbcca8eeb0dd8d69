import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { CurrentModels } from "../../../core/ports/job-store.ts";
import type { JobKind } from "../../../core/schema/job.ts";
import { rankOf } from "../../common/job-ranks.ts";
import type { Work } from "../engine/work.ts";
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

/**
 * Queues the embedding of every row whose vector another model made; until its turn comes, a row is found by keyword.
 * Rows without any vector have their jobs already. Running it twice only queues what the jobs will find done.
 */
export async function queueReembedding(work: Work, models: CurrentModels, runAfterMs: number): Promise<number> {
  let queued = 0;
  for (const { table, kind, rows, stale } of embedded(models))
    queued += await work.run(sql`
      insert into jobs (tenant_id, kind, payload, run_after, attempt, rank)
      select tenant_id, ${kind}::text,
        json_build_object('tenant_id', tenant_id, ${rows}::text, json_agg(id order by seq))::text,
        ${runAfterMs}::bigint, 0, ${rankOf(kind)}::integer
      from (
        select tenant_id, id, seq,
          (row_number() over (partition by tenant_id order by seq) - 1) / ${ROWS_PER_JOB}::bigint as part
        from ${table} where embedded_by is not null and ${stale}
      ) as stale
      group by tenant_id, part`);
  if (queued > 0) await tellJobs(work);
  return queued;
}
