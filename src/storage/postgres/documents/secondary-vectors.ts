import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { SecondaryVectors } from "../../../core/ports/document-store.ts";
import type { QueryVector } from "../../../core/ports/hits.ts";
import { vectorValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/** Writes or replaces what the secondary embedder makes of a document, inside the caller's transaction. */
export const putSecondaryVectors = (
  work: TenantWork,
  seq: number,
  { embedder_id, summary, whole }: SecondaryVectors,
): Promise<number> =>
  work.run(sql`insert into document_paraphrases (tenant_id, seq, embedder_id, summary, whole)
    values (${work.tenant_id}, ${seq}, ${embedder_id}, ${vectorValue(summary)}, ${vectorValue(whole)})
    on conflict (tenant_id, seq) do update set embedder_id = excluded.embedder_id,
      summary = excluded.summary, whole = excluded.whole`);

/** Forgets what the secondary embedder made of a document. */
export const removeSecondaryVectors = (work: TenantWork, seq: number): Promise<number> =>
  work.run(sql`delete from document_paraphrases where tenant_id = ${work.tenant_id} and seq = ${seq}`);

/** Whose reading of a document is stored; null for none. */
export async function readerOf(work: TenantWork, seq: number): Promise<string | null> {
  const row = await work.row<{ embedder_id: string }>(sql`select embedder_id from document_paraphrases
    where tenant_id = ${work.tenant_id} and seq = ${seq}`);
  return row?.embedder_id ?? null;
}

/** SQL of a cosine: a vector without a length is near to nothing; one that is missing tells nothing. */
export const cosine = (stored: SQL, asked: SQL): SQL =>
  sql`case when ${stored} is null or ${asked} is null then null
    else coalesce(nullif((1 - (${stored} <=> ${asked}))::float8, 'NaN'), 0) end`;

/**
 * SQL of how near a question is to the documents `p` by the secondary embedder: to the summary or the whole, the better;
 * null without both.
 */
export function secondaryCosine(question: QueryVector | null | undefined, asked: SQL): SQL {
  if (!question) return sql`null::float8`;
  const to = (column: string) => cosine(sql.raw(`p.${column}`), asked);
  return sql`case when p.embedder_id = ${question.embedder_id} then greatest(${to("summary")}, ${to("whole")}) end`;
}
