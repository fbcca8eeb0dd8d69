import { formsInRow } from "../../../text/languages/forms.ts";
import { indexedWords } from "../../../text/words/terms.ts";
import { addsWords, wordedText } from "../../common/title-words.ts";
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
    .run(
      indexedWords(row.title !== null && addsWords(row.title, row.content) ? row.title : ""),
      [indexedWords(row.content), ...formsInRow(wordedText(row))].join(" "),
      row.seq,
    );
}

/** Takes a row out of the keyword index; before its readers change, for its words stand under those. */
export function removeWords(db: Connections, seq: number): void {
  db.writeConnection
    .query("delete from memory_words where rowid = (select words_row from memories where seq = ?)")
    .run(seq);
}
