import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { documents, memories } from "../engine/tables.ts";

/** The durable vectors, exact; the coarse codes that find them fast lie in the sqlite-vec table `memory_codes`. */
export const memoryVectors = sqliteTable("memory_vectors", {
  seq: integer()
    .primaryKey()
    .references(() => memories.seq),
  embedder_id: text().notNull(),
  vector: blob({ mode: "buffer" }).notNull(),
  context: blob({ mode: "buffer" }),
  second: blob({ mode: "buffer" }),
});

export const documentVectors = sqliteTable("document_vectors", {
  seq: integer()
    .primaryKey()
    .references(() => documents.seq),
  embedder_id: text().notNull(),
  vector: blob({ mode: "buffer" }).notNull(),
});
