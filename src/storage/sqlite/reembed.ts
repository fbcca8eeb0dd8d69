import type { Connections } from "./connection.ts";

/** Rows of one job: as many as a bulk write makes one job of. */
const ROWS_PER_JOB = 100;

/** Where vectors are made, the job that makes them, and the member of its payload that names the rows. */
const EMBEDDED = [
  { table: "memories", kind: "embed_memories", rows: "memory_ids", kept: "deleted_at is null" },
  { table: "documents", kind: "embed_documents", rows: "ids", kept: "summary is not null" },
] as const;

/**
 * Queues the embedding of every row whose vector another model made; until its turn comes, a row is found by its words.
 * Rows without any vector have their jobs already. Running it twice only queues what the jobs will find done.
 */
export function queueReembedding(at: Connections, embedder_id: string, runAfterMs: number): number {
  const queued = EMBEDDED.map(({ table, kind, rows, kept }) =>
    at.writer
      .query(`
        insert into jobs (kind, payload, run_after, attempt)
        select '${kind}', json_object('tenant_id', tenant_id, '${rows}', json_group_array(id)), ?, 0
        from (
          select tenant_id, id, (row_number() over (partition by tenant_id order by seq) - 1) / ${ROWS_PER_JOB} as part
          from ${table} where embedded_by is not null and embedded_by <> ? and ${kept}
        )
        group by tenant_id, part`)
      .run(runAfterMs, embedder_id),
  );
  return queued.reduce((sum, { changes }) => sum + changes, 0);
}
