import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { DocumentHitQuery, DocumentHits, DocumentName } from "../../../core/ports/document-store.ts";
import { tablesOf } from "../../common/sides.ts";
import { scopeWhere } from "../../documents/filters.ts";
import type { EmbedderSpace } from "../../options.ts";
import { rows } from "../../units/unit.ts";
import type { Connections } from "../engine/connection.ts";
import { keywordLeg, PASSING_SHARE } from "../search/keyword-leg.ts";
import { whereText } from "../search/where.ts";
import type { ReadableRows } from "../search/word-rows.ts";
import { WHOLE_INDEX, wordLookup } from "../search/word-rows.ts";
import { sqliteDialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";
import { cosineTo } from "../vectors/cosine.ts";
import { nearestDocuments } from "./nearest.ts";

/** Both legs of a document search, each bounded, merged by row and loaded with exact cosines. */
export function findDocumentHits(db: Connections, space: EmbedderSpace, query: DocumentHitQuery): DocumentHits {
  const found = new Map(loadNearest(db, space, query).map((hit) => [hit.seq, hit]));
  const readable = readableDocuments(db, query);
  const postings = keywordLeg({
    words: query.words,
    pool: query.pool,
    lookup: wordLookup(db, "document_words", readable),
    total: readable.total,
    mayPass: () => true,
    passing: () => wordLookup(db, "document_words", { ...readable, where: whereText(passing(query)) }),
    keep: (seqs) => {
      const hits = load(db, space, query, seqs);
      for (const hit of hits) found.set(hit.seq, hit);
      return hits.length;
    },
  });
  const hits = [...found.values()].map(({ seq, ...hit }) => ({ ...hit, own_words: postings.wordsAt(seq) }));
  return { hits, words: postings.words, absent: postings.absent };
}

const passing = (query: DocumentHitQuery): SQL => scopeWhere(sqliteDialect, query);

const asked = <T extends object>(db: Connections, query: SQL): T[] => drive(db.readConnection, rows<T>(query));

/** The searchable documents of the tenant that the caller sees, in whatever collection and fleet. */
function readableDocuments(db: Connections, { tenant_id, skill_visibility }: DocumentHitQuery): ReadableRows {
  const seen = scopeWhere(sqliteDialect, { tenant_id, skill_visibility });
  return {
    ranges: [WHOLE_INDEX],
    where: whereText(seen),
    total: countOf(db, sql`${seen} and documents.summary is not null`),
  };
}

/** The vector leg: what passes of the nearest codes; when that is little, the nearest of all that pass. */
function loadNearest(db: Connections, space: EmbedderSpace, query: DocumentHitQuery): LoadedDocument[] {
  const near = nearestSeen(db, space, query);
  const found = load(db, space, query, near);
  const isStarved = near.length === query.pool && found.length < query.pool * PASSING_SHARE;
  return isStarved ? load(db, space, query, nearestPassing(db, space, query)) : found;
}

/** Codes that sqlite-vec compares at most at once. */
const NEAREST_MAX = 4096;

/** The nearest documents that the caller sees: as many more are looked at as it does not, so that those take no place. */
function nearestSeen(db: Connections, space: EmbedderSpace, query: DocumentHitQuery): number[] {
  const { tenant_id, collection, skill_visibility, pool } = query;
  const all = scopeWhere(sqliteDialect, { tenant_id, collection });
  const seen = scopeWhere(sqliteDialect, { tenant_id, collection, skill_visibility });
  const hidden = skill_visibility ? countOf(db, all) - countOf(db, seen) : 0;
  if (hidden === 0) return nearestDocuments(db, space, query, pool);
  if (pool + hidden > NEAREST_MAX) return nearestPassing(db, space, { ...query, fleet_id: undefined });
  const near = nearestDocuments(db, space, query, pool + hidden);
  const among = sqliteDialect.isIn(sql`documents.seq`, near);
  const shown = asked<{ seq: number }>(db, sql`select documents.seq from documents where ${among} and ${seen}`);
  const numbers = new Set(shown.map(({ seq }) => seq));
  return near.filter((seq) => numbers.has(seq)).slice(0, pool);
}

const countOf = (db: Connections, where: SQL): number =>
  asked<{ n: number }>(db, sql`select count(*) as n from documents where ${where}`)[0]?.n ?? 0;

/** The documents nearest to the query of all that pass its filter: slow where many do. */
function nearestPassing(db: Connections, space: EmbedderSpace, query: DocumentHitQuery): number[] {
  const { vector: question, pool } = query;
  if (!question) return [];
  const found = asked<{ seq: number; vector: Uint8Array }>(
    db,
    sql`select documents.seq, v.vector from documents
      join ${sql.raw(tablesOf(space).document_vectors)} v on v.seq = documents.seq
      where v.embedder_id = ${question.embedder_id} and ${passing(query)}`,
  );
  const cosine = cosineTo(question.values);
  const compared = found.flatMap(({ seq, vector }) => {
    const near = cosine(vector);
    return near === null ? [] : [{ seq, near }];
  });
  return compared
    .sort((one, other) => other.near - one.near)
    .slice(0, pool)
    .map(({ seq }) => seq);
}

interface LoadedDocument {
  readonly seq: number;
  readonly document: DocumentName;
  readonly vec_sim: number | null;
}

/** A document with its vector of the query's embedder. */
interface StoredHit extends DocumentName {
  readonly seq: number;
  readonly vector: Uint8Array | null;
}

function load(
  db: Connections,
  space: EmbedderSpace,
  query: DocumentHitQuery,
  seqs: readonly number[],
): LoadedDocument[] {
  const { vector } = query;
  const cosine = vector && cosineTo(vector.values);
  const found = asked<StoredHit>(
    db,
    sql`select documents.seq, documents.id, documents.collection, documents.doc_id, v.vector
      from documents
        left join ${sql.raw(tablesOf(space).document_vectors)} v
          on v.seq = documents.seq and v.embedder_id = ${vector?.embedder_id ?? null}
      where ${sqliteDialect.isIn(sql`documents.seq`, seqs)} and ${passing(query)}`,
  );
  return found.map(({ seq, vector, ...document }) => ({
    seq,
    document,
    vec_sim: cosine ? cosine(vector) : null,
  }));
}
