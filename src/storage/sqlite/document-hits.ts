import { sql } from "drizzle-orm";
import type { DocumentHitQuery, DocumentHits } from "../../ports/document-store.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Connections } from "./connection.ts";
import { nearestDocuments } from "./document-legs.ts";
import { toDocument } from "./documents-read.ts";
import { heaviestRows, readPostings } from "./postings.ts";
import { vectorBlob } from "./rows.ts";
import { documents } from "./tables.ts";

/** How many times the keyword leg widens its look when filters keep throwing out what it found. */
const WIDENINGS_MAX = 4;

/** Both legs of a document search, each bounded, merged by row and loaded with exact cosines. */
export function findDocumentHits(at: Connections, space: EmbedderSpace, query: DocumentHitQuery): DocumentHits {
  const postings = readPostings(at, "document_words", query.words);
  const ranked = heaviestRows(postings);
  const found = new Map(load(at, query, nearestDocuments(at, space, query)).map((hit) => [hit.row.seq, hit]));
  let kept = 0;
  for (let i = 0, from = 0, width = query.pool; i < WIDENINGS_MAX && kept < query.pool && from < ranked.length; i++) {
    const rows = load(at, query, ranked.slice(from, from + width));
    for (const hit of rows) found.set(hit.row.seq, hit);
    kept += rows.length;
    from += width;
    width *= 4;
  }
  const hits = [...found.values()].map(({ row, vec_sim }) => ({
    document: toDocument(row),
    vec_sim,
    own_words: postings.wordsOf.get(row.seq) ?? 0,
  }));
  return { hits, words: postings.words, absent: postings.absent };
}

function load(at: Connections, query: DocumentHitQuery, seqs: readonly number[]) {
  const { tenant_id, collection, fleet_id, vector } = query;
  const blob = vector && vectorBlob(vector.values);
  const cosine = sql<number | null>`case when v.embedder_id = ${vector?.embedder_id ?? ""}
    then 1 - vec_distance_cosine(v.vector, ${blob}) end`;
  const wanted = [
    sql`${documents.tenant_id} = ${tenant_id}`,
    sql`${documents.seq} in (select value from json_each(${JSON.stringify(seqs)}))`,
    ...(collection === undefined ? [] : [sql`${documents.collection} = ${collection}`]),
    ...(fleet_id === undefined ? [] : [sql`${documents.fleet_id} = ${fleet_id}`]),
  ];
  return at.read
    .select({ row: documents, vec_sim: cosine })
    .from(documents)
    .leftJoin(sql`document_vectors v`, sql`v.seq = ${documents.seq}`)
    .where(sql.join(wanted, sql` and `))
    .all();
}
