import type { SQL } from "drizzle-orm";
import { and, count, eq, isNotNull, sql } from "drizzle-orm";
import type { DocumentHitQuery, DocumentHits } from "../../../core/ports/document-store.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { documents } from "../engine/tables.ts";
import { whereText } from "../memories/filters.ts";
import { keywordLeg, PASSING_SHARE } from "../search/keyword-leg.ts";
import type { ReadableRows } from "../search/word-rows.ts";
import { WHOLE_INDEX, wordLookup } from "../search/word-rows.ts";
import { cosineTo } from "../vectors/cosine.ts";
import { documentVectorsOf } from "../vectors/tables.ts";
import { nearestDocuments } from "./indexes.ts";
import { isVisible } from "./read.ts";
import type { StoredSecondary } from "./secondary-vectors.ts";
import { secondaryCosine } from "./secondary-vectors.ts";

/** Both legs of a document search, each bounded, merged by row and loaded with exact cosines. */
export function findDocumentHits(db: Connections, space: EmbedderSpace, query: DocumentHitQuery): DocumentHits {
  const found = new Map(loadNearest(db, space, query).map((hit) => [hit.row.seq, hit]));
  const readable = readableDocuments(db, query);
  const postings = keywordLeg({
    words: query.words,
    pool: query.pool,
    lookup: wordLookup(db, "document_words", readable),
    total: readable.total,
    mayPass: () => true,
    passing: () => wordLookup(db, "document_words", { ...readable, where: whereText(passing(query)) }),
    keep: (seqs) => {
      const rows = load(db, space, query, seqs);
      for (const hit of rows) found.set(hit.row.seq, hit);
      return rows.length;
    },
  });
  const hits = [...found.values()].map(({ row, vec_sim, secondary_sim }) => ({
    document: { id: row.id, collection: row.collection, doc_id: row.doc_id },
    vec_sim,
    secondary_sim,
    own_words: postings.wordsAt(row.seq),
  }));
  return { hits, words: postings.words, absent: postings.absent };
}

/** The searchable documents of the tenant that the caller sees, in whatever collection and fleet. */
function readableDocuments(db: Connections, { tenant_id, skill_visibility }: DocumentHitQuery): ReadableRows {
  const seen = passing({ tenant_id, skill_visibility });
  const searchable = and(seen, isNotNull(documents.summary));
  return { ranges: [WHOLE_INDEX], where: whereText(seen), total: countOf(db, searchable) };
}

/** The vector leg: what passes of the nearest codes; when that is little, the nearest of all that pass. */
function loadNearest(db: Connections, space: EmbedderSpace, query: DocumentHitQuery) {
  const near = nearestSeen(db, space, query);
  const rows = load(db, space, query, near);
  const isStarved = near.length === query.pool && rows.length < query.pool * PASSING_SHARE;
  return isStarved ? load(db, space, query, nearestPassing(db, space, query)) : rows;
}

/** Codes that sqlite-vec compares at most at once. */
const NEAREST_MAX = 4096;

/** The nearest documents that the caller sees: as many more are looked at as it does not, so that those take no place. */
function nearestSeen(db: Connections, space: EmbedderSpace, query: DocumentHitQuery): number[] {
  const { tenant_id, collection, skill_visibility, pool } = query;
  const scope = { tenant_id, collection };
  const seen = passing({ ...scope, skill_visibility });
  const hidden = skill_visibility ? countOf(db, passing(scope)) - countOf(db, seen) : 0;
  if (hidden === 0) return nearestDocuments(db, space, query, pool);
  if (pool + hidden > NEAREST_MAX) return nearestPassing(db, space, { ...query, fleet_id: undefined });
  const near = nearestDocuments(db, space, query, pool + hidden);
  const among = sql`${documents.seq} in (select value from json_each(${JSON.stringify(near)}))`;
  const rows = db.drizzleRead.select({ seq: documents.seq }).from(documents).where(and(among, seen));
  const shown = new Set(rows.all().map(({ seq }) => seq));
  return near.filter((seq) => shown.has(seq)).slice(0, pool);
}

const countOf = (db: Connections, where: SQL | undefined): number =>
  db.drizzleRead.select({ n: count() }).from(documents).where(where).get()?.n ?? 0;

/** The documents nearest to the query of all that pass its filter: slow where many do. */
function nearestPassing(
  db: Connections,
  space: EmbedderSpace,
  { vector, pool, ...filter }: DocumentHitQuery,
): number[] {
  const documentVectors = documentVectorsOf(space);
  if (!vector) return [];
  const found = db.drizzleRead
    .select({ seq: documents.seq, vector: documentVectors.vector })
    .from(documents)
    .innerJoin(documentVectors, eq(documentVectors.seq, documents.seq))
    .where(and(eq(documentVectors.embedder_id, vector.embedder_id), passing(filter)));
  const cosine = cosineTo(vector.values);
  const compared = found.all().map(({ seq, vector: blob }) => ({ seq, near: cosine(blob) ?? -1 }));
  return compared
    .sort((one, other) => other.near - one.near)
    .slice(0, pool)
    .map(({ seq }) => seq);
}

const passing = ({ tenant_id, collection, fleet_id, skill_visibility }: DocumentFilters): SQL =>
  and(
    eq(documents.tenant_id, tenant_id),
    collection === undefined ? undefined : eq(documents.collection, collection),
    fleet_id === undefined ? undefined : eq(documents.fleet_id, fleet_id),
    skill_visibility ? isVisible(skill_visibility) : undefined,
  ) ?? sql`true`;
type DocumentFilters = Pick<DocumentHitQuery, "tenant_id" | "collection" | "fleet_id" | "skill_visibility">;

const NAMES = { seq: documents.seq, id: documents.id, collection: documents.collection, doc_id: documents.doc_id };

interface LoadedDocument {
  readonly row: { readonly seq: number; readonly id: string; readonly collection: string; readonly doc_id: string };
  readonly vec_sim: number | null;
  readonly secondary_sim: number | null;
}

function load(
  db: Connections,
  space: EmbedderSpace,
  query: DocumentHitQuery,
  seqs: readonly number[],
): LoadedDocument[] {
  const { vector, secondary_vector } = query;
  const documentVectors = documentVectorsOf(space);
  const cosine = vector && cosineTo(vector.values);
  const secondary = secondaryCosine(secondary_vector);
  const own = { embedder_id: documentVectors.embedder_id, vector: documentVectors.vector };
  const again = sql<StoredSecondary["embedder_id"]>`p.embedder_id`;
  const [summary, whole] = [sql<Uint8Array | null>`p.summary`, sql<Uint8Array | null>`p.whole`];
  const found = db.drizzleRead
    .select({ row: NAMES, own, again: { embedder_id: again, summary, whole } })
    .from(documents)
    .leftJoin(documentVectors, eq(documentVectors.seq, documents.seq))
    .leftJoin(sql`document_paraphrases p`, sql`p.seq = ${documents.seq}`)
    .where(and(sql`${documents.seq} in (select value from json_each(${JSON.stringify(seqs)}))`, passing(query)))
    .all();
  return found.map((one) => ({
    row: one.row,
    vec_sim: cosine && one.own?.embedder_id === vector?.embedder_id ? cosine(one.own?.vector ?? null) : null,
    secondary_sim: secondary(one.again),
  }));
}
