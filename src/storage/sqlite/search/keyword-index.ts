import { indexedWords } from "../../../text/words/terms.ts";
import type { Connections } from "../engine/connection.ts";

/** Writes or replaces the keywords of a stored row, under its readers of now, inside the caller's transaction. */
export function putWords(
  db: Pick<Connections, "writeConnection">,
  row: { seq: number; title: string | null; content: string },
): void {
  db.writeConnection
    .query(
      "insert or replace into memory_words (rowid, title, content) select words_row, ?, ? from memories where seq = ?",
    )
    .run(indexedWords(addsWords(row) ? (row.title ?? "") : ""), indexedWords(row.content), row.seq);
}

/** A title that is a piece of the content adds no word to the index, only to the work of writing it. */
function addsWords({ title, content }: { title: string | null; content: string }): boolean {
  if (title === null) return false;
  const piece = title.endsWith(CUT) ? title.slice(0, -CUT.length) : title;
  const from = content.indexOf(piece);
  if (from < 0) return true;
  return WORD.test(content.charAt(from - 1)) || WORD.test(content.charAt(from + piece.length));
}

const WORD = /[\p{L}\p{N}\p{M}]/u;
/** The sign of a title that was cut. */
const CUT = "…";

/** Takes a row out of the keyword index; before its readers change, for its words stand under those. */
export function removeWords(db: Connections, seq: number): void {
  db.writeConnection
    .query("delete from memory_words where rowid = (select words_row from memories where seq = ?)")
    .run(seq);
}
