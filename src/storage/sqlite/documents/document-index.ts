import { sql } from "drizzle-orm";
import type { SearchableText } from "../../../core/ports/storage.ts";
import { indexedWithForms } from "../../../text/languages/forms.ts";
import { tablesOf } from "../../common/sides.ts";
import { signCode } from "../../common/sign-code.ts";
import type { DocumentIndex } from "../../units/document-index.ts";
import type { Unit } from "../../units/unit.ts";
import { run } from "../../units/unit.ts";
import type { Connections } from "../engine/connection.ts";
import { codeSpace } from "../vectors/vectors.ts";

/** Writes or replaces the words that search reads of a document, inside the caller's transaction. */
export const putDocumentWords = (seq: number, { summary, text }: SearchableText): Unit<number> =>
  run(sql`insert or replace into document_words (rowid, summary, text)
    values (${seq}, ${indexedWithForms(summary)}, ${indexedWithForms(text)})`);

/** The words and the codes of a tenant's documents in this engine. */
export const sqliteDocumentIndex = (
  { extension }: Pick<Connections, "extension">,
  tenant_id: string,
): DocumentIndex => ({
  putWords: ({ seq }, searchable) => putDocumentWords(seq, searchable),
  removeWords: (seq) => run(sql`delete from document_words where rowid = ${seq}`),
  putCode: (space, { seq, collection }, vector) => {
    const signs = signCode(vector, space.center);
    return run(sql`insert into ${sql.raw(tablesOf(space).document_codes)} (space, seq, collection, code)
      values (${codeSpace(tenant_id, space.id)}, ${seq}, ${collection},
        ${extension === null ? sql`${signs}` : sql`vec_bit(${signs})`})`);
  },
});
