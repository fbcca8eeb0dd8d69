import { fold } from "../../kernel/words.ts";
import type { Connections } from "./connection.ts";

/** Writes or replaces a row's keywords inside the caller's transaction. */
export function putWords(at: Connections, row: { seq: number; title: string | null; content: string }): void {
  at.writer
    .query("insert or replace into memory_words (rowid, title, content) values (?, ?, ?)")
    .run(row.seq, fold(row.title ?? ""), fold(row.content));
}

/** Takes a row out of the keyword index. */
export function removeWords(at: Connections, seq: number): void {
  at.writer.query("delete from memory_words where rowid = ?").run(seq);
}
