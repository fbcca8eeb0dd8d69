import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type {
  DocumentHitQuery,
  DocumentHits,
  DocumentName,
  DocumentRawHit,
} from "../../../core/ports/document-store.ts";
import type { QueryVector } from "../../../core/ports/hits.ts";
import { tablesOf } from "../../common/sides.ts";
import { intArray, vectorOrNull } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { nearestDocuments } from "./nearest.ts";
import { lookUpWords, readableDocuments } from "./words.ts";

/** Both legs of a document search, each bounded, merged by row and loaded with exact cosines; all of one moment. */
export async function findDocumentHits(work: Work, query: DocumentHitQuery): Promise<DocumentHits> {
  const total = await readableDocuments(work, query);
  const postings = await lookUpWords(work, query, total);
  const near = await nearestDocuments(work, query, total);
  const seqs = [...new Set([...near, ...postings.heaviest().take(query.pool)])];
  const loaded = seqs.length === 0 ? [] : await load(work, query, seqs);
  return {
    hits: loaded.map(({ seq, vec_sim, secondary_sim, ...document }) => ({
      document,
      vec_sim,
      secondary_sim,
      own_words: postings.wordsAt(seq),
    })),
    words: postings.words,
    absent: postings.absent,
  };
}

interface Loaded extends DocumentName, Pick<DocumentRawHit, "vec_sim" | "secondary_sim"> {
  readonly seq: number;
}

/** Documents by their numbers, in that order; cosines are those of the exact vectors. */
function load(
  work: Work,
  { tenant_id, vector, secondary_vector }: DocumentHitQuery,
  seqs: readonly number[],
): Promise<Loaded[]> {
  return work.rows<Loaded>(sql`
    with asked as materialized (
      select ${vectorOrNull(vector?.values)} as first, ${vectorOrNull(secondary_vector?.values)} as second)
    select documents.seq, documents.id, documents.collection, documents.doc_id,
      ${cosine(sql`v.vector`, sql`asked.first`)} as vec_sim,
      ${secondaryCosine(secondary_vector, sql`asked.second`)} as secondary_sim
    from documents
      cross join asked
      left join ${vectorTable(work)} v on v.tenant_id = documents.tenant_id and v.seq = documents.seq
        and v.embedder_id = ${vector?.embedder_id ?? null}::text
      left join document_paraphrases p on p.tenant_id = documents.tenant_id and p.seq = documents.seq
    where documents.tenant_id = ${tenant_id} and documents.seq = any(${intArray(seqs)})
    order by array_position(${intArray(seqs)}, documents.seq)`);
}

const vectorTable = ({ space }: Work): SQL => sql.raw(tablesOf(space).document_vectors);

/** SQL of a cosine: a vector without a length is near to nothing; one that is missing tells nothing. */
const cosine = (stored: SQL, asked: SQL): SQL =>
  sql`case when ${stored} is null or ${asked} is null then null
    else coalesce(nullif((1 - (${stored} <=> ${asked}))::float8, 'NaN'), 0) end`;

/**
 * SQL of how near a question is to the documents `p` by the secondary embedder: to the summary or the whole, the better;
 * null without both.
 */
function secondaryCosine(question: QueryVector | null | undefined, asked: SQL): SQL {
  if (!question) return sql`null::float8`;
  const to = (column: string) => cosine(sql.raw(`p.${column}`), asked);
  return sql`case when p.embedder_id = ${question.embedder_id} then greatest(${to("summary")}, ${to("whole")}) end`;
}
