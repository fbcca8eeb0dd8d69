import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { DocumentHitQuery, DocumentHits, DocumentRawHit } from "../../../core/ports/document-store.ts";
import { tablesOf } from "../../common/sides.ts";
import { intArray, vectorOrNull } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { keywordLeg } from "../search/keyword-leg.ts";
import { bitsOf } from "../search/word-bits.ts";
import type { LookedUp } from "../search/word-counts.ts";
import { scopeWhere } from "./filters.ts";
import { nearestDocuments } from "./nearest.ts";
import { cosine, secondaryCosine } from "./secondary-vectors.ts";
import { lookUpWords, readableDocuments } from "./word-counts.ts";

/** Both legs of a document search, each bounded, merged by row and loaded with exact cosines; all of one moment. */
export async function findDocumentHits(work: Work, query: DocumentHitQuery): Promise<DocumentHits> {
  const { tenant_id, pool } = query;
  const readable = await readableDocuments(work, query);
  const words = query.words.length === 0 ? [] : await lookUpWords(work, query.words, readable);
  const near = await nearestDocuments(work, query, readable.total);
  const worded = await keywordLeg(work, { rows: "documents", tenant_id, words, where: scopeWhere(query), pool });
  const seqs = [...new Set([...near, ...worded])];
  return {
    hits: seqs.length === 0 ? [] : await readHits(work, query, words, seqs),
    words: words.map(({ word, weight, rows }) => ({ word, weight, rows })),
    absent: words.filter(({ rows }) => rows === 0).length,
  };
}

interface Loaded extends Omit<DocumentRawHit, "document"> {
  readonly id: string;
  readonly collection: string;
  readonly doc_id: string;
}

/** Documents by their numbers, in that order; cosines are those of the exact vectors. */
async function readHits(
  work: Work,
  { tenant_id, vector, secondary_vector }: DocumentHitQuery,
  words: readonly LookedUp[],
  seqs: readonly number[],
): Promise<DocumentRawHit[]> {
  const [first, second] = [sql`asked.first`, sql`asked.second`];
  const found = await work.rows<Loaded>(sql`
    with asked as materialized (
      select ${vectorOrNull(vector?.values)} as first, ${vectorOrNull(secondary_vector?.values)} as second)
    select documents.id, documents.collection, documents.doc_id, ${bitsOf("w", words)} as own_words,
      ${cosine(sql`v.vector`, first)} as vec_sim, ${secondaryCosine(secondary_vector, second)} as secondary_sim
    from documents
      cross join asked
      left join document_words w on w.tenant_id = documents.tenant_id and w.seq = documents.seq
      left join ${vectorTable(work)} v on v.tenant_id = documents.tenant_id and v.seq = documents.seq
        and v.embedder_id = ${vector?.embedder_id ?? null}::text
      left join document_paraphrases p on p.tenant_id = documents.tenant_id and p.seq = documents.seq
    where documents.tenant_id = ${tenant_id} and documents.seq = any(${intArray(seqs)})
    order by array_position(${intArray(seqs)}, documents.seq)`);
  return found.map(({ id, collection, doc_id, vec_sim, secondary_sim, own_words }) => ({
    document: { id, collection, doc_id },
    vec_sim,
    secondary_sim,
    own_words,
  }));
}

const vectorTable = ({ space }: Work): SQL => sql.raw(tablesOf(space).document_vectors);
