import { sql } from "drizzle-orm";
import { indexTerms } from "../../../text/words/index-terms.ts";
import { tablesOf } from "../../common/sides.ts";
import { collectionNumber } from "../../documents/indexes.ts";
import type { DocumentIndex } from "../../units/document-index.ts";
import { run } from "../../units/unit.ts";
import { textArray } from "../engine/values.ts";
import { signs } from "../vectors/codes.ts";

/** A word as the index has it: under the number of the document's collection. */
export const tokenOf = (collection: number, word: string): string => `${collection}:${word}`;

/** The words and the codes of a tenant's documents in this engine. */
export const postgresDocumentIndex = (tenant_id: string): DocumentIndex => ({
  putWords: function* ({ seq, collection }, { summary, text }) {
    const number = yield* collectionNumber(tenant_id, collection);
    const words = new Set([...indexTerms(summary), ...indexTerms(text)]);
    const tokens = [...words].map((word) => tokenOf(number, word));
    yield* run(sql`insert into document_words (tenant_id, seq, tokens)
      values (${tenant_id}, ${seq}, ${textArray(tokens)})
      on conflict (tenant_id, seq) do update set tokens = excluded.tokens`);
  },
  removeWords: (seq) => run(sql`delete from document_words where tenant_id = ${tenant_id} and seq = ${seq}`),
  putCode: (space, { seq, collection }, vector) =>
    run(sql`insert into ${sql.raw(tablesOf(space).document_codes)} (tenant_id, seq, embedder_id, collection, code)
      values (${tenant_id}, ${seq}, ${space.id}, ${collection}, ${signs(vector, space.center)}::text::bit varying)`),
});
