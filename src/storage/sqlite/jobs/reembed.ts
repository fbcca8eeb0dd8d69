import type { CurrentModels } from "../../../core/ports/job-store.ts";
import { rankOf } from "../../common/job-ranks.ts";
import type { Connections } from "../engine/connection.ts";

/** Rows of one job: as many as a bulk write makes one job of. */
const ROWS_PER_JOB = 100;

/** Where vectors are made, the job that makes them, the member of its payload that names the rows, and which rows need it. */
const EMBEDDED = [
  {
    table: "memories",
    kind: "embed_memories",
    rows: "memory_ids",
    stale: "deleted_at is null and embedded_by <> $embedder",
  },
  {
    table: "documents",
    kind: "embed_documents",
    rows: "ids",
    stale: `summary is not null
      and (embedded_by <> $embedder or ($paraphraser is not null and paraphrased_by is not $paraphraser))`,
  },
] as const;

/**
 * Queues the embedding of every row whose vector another model made; until its turn comes, a row is found by keyword.
 * Rows without any vector have their jobs already. Running it twice only queues what the jobs will find done.
 */
export function queueReembedding(db: Connections, models: CurrentModels, runAfterMs: number): number {
  const queued = EMBEDDED.map(({ table, kind, rows, stale }) =>
    db.writeConnection
      .query(`
        insert into jobs (kind, payload, run_after, attempt, rank)
        select '${kind}', json_object('tenant_id', tenant_id, '${rows}', json_group_array(id)), $run_after, 0, $rank
        from (
          select tenant_id, id, (row_number() over (partition by tenant_id order by seq) - 1) / ${ROWS_PER_JOB} as part
          from ${table} where embedded_by is not null and ${stale}
        )
        group by tenant_id, part`)
      .run({
        $embedder: models.embedder_id,
        $paraphraser: models.paraphraser_id,
        $run_after: runAfterMs,
        $rank: rankOf(kind),
      }),
  );
  return queued.reduce((sum, { changes }) => sum + changes, 0);
}
