import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type {
  DocumentHitQuery,
  DocumentHits,
  DocumentName,
  DocumentRawHit,
} from "../../../core/ports/document-store.ts";
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
    hits: loaded.map(({ seq, vec_sim, ...document }) => ({
      document,
      vec_sim,
      own_words: postings.wordsAt(seq),
    })),
    words: postings.words,
    absent: postings.absent,
  };
}

interface Loaded extends DocumentName, Pick<DocumentRawHit, "vec_sim"> {
  readonly seq: number;
}

/** Documents by their numbers, in that order; cosines are those of the exact vectors. */
function load(work: Work, { tenant_id, vector }: DocumentHitQuery, seqs: readonly number[]): Promise<Loaded[]> {
  return work.rows<Loaded>(sql`
    with asked as materialized (
      select ${vectorOrNull(vector?.values)} as vector)
    select documents.seq, documents.id, documents.collection, documents.doc_id,
      ${cosine(sql`v.vector`, sql`asked.vector`)} as vec_sim
    from documents
      cross join asked
      left join ${vectorTable(work)} v on v.tenant_id = documents.tenant_id and v.seq = documents.seq
        and v.embedder_id = ${vector?.embedder_id ?? null}::text
    where documents.tenant_id = ${tenant_id} and documents.seq = any(${intArray(seqs)})
    order by array_position(${intArray(seqs)}, documents.seq)`);
}

const vectorTable = ({ space }: Work): SQL => sql.raw(tablesOf(space).document_vectors);

/** SQL of a cosine: a vector that is missing, or of zeros, tells nothing. */
const cosine = (stored: SQL, asked: SQL): SQL =>
  sql`case when ${stored} is null or ${asked} is null then null
    else nullif((1 - (${stored} <=> ${asked}))::float8, 'NaN') end`;
