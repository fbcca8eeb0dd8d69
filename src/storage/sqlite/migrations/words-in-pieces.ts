import type { Database } from "bun:sqlite";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { TextOf } from "../../../core/ports/storage.ts";
import { needsReindexing } from "../../../text/words/terms.ts";
import { jsonIn } from "../../units/dialect.ts";
import { putDocumentWords } from "../documents/document-index.ts";
import { putWords } from "../search/keyword-index.ts";
import { drive } from "../units/drive.ts";

interface Memory {
  readonly seq: number;
  readonly title: string | null;
  readonly content: string;
}
interface Document {
  readonly seq: number;
  readonly collection: string;
  readonly doc_id: string;
  readonly data: string;
}

/** Texts of ASCII letters alone have as many bytes as characters, and stand in the index as before. */
const isBeyondAscii = (column: string): string => `octet_length(${column}) > length(${column})`;

const MEMORIES = `select seq, title, content from memories
  where seq > ? and deleted_at is null and (${isBeyondAscii("content")} or ${isBeyondAscii("coalesce(title, '')")})
  order by seq limit 1000`;
const DOCUMENTS = `select seq, collection, doc_id, data from documents
  where seq > ? and summary is not null and (${isBeyondAscii("data")} or ${isBeyondAscii("doc_id")})
  order by seq limit 100`;

/** The words of rows in scripts without spaces, or with letters that are also written as two, are written again in pieces. */
export const wordsInPieces =
  (textOf: TextOf) =>
  (db: Database): void => {
    const connections = { writeConnection: db };
    for (const row of rowsOf<Memory>(db, MEMORIES)) {
      if (needsReindexing(`${row.title ?? ""} ${row.content}`)) putWords(connections, row);
    }
    for (const { seq, collection, doc_id, data } of rowsOf<Document>(db, DOCUMENTS)) {
      const text = textOf({ collection, doc_id, data: jsonIn<JsonObject>(data) });
      if (text && needsReindexing(`${text.summary} ${text.text}`)) drive(db, putDocumentWords(seq, text));
    }
  };

/** Rows after another, a few at a time. */
function* rowsOf<T extends { readonly seq: number }>(db: Database, sql: string): Generator<T> {
  const some = db.query<T, [number]>(sql);
  for (let rows = some.all(0); rows.length > 0; rows = some.all(rows.at(-1)?.seq ?? 0)) yield* rows;
}
