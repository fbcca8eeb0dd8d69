import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SideTables } from "../../common/sides.ts";
import { SIDES, sideOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import { memories } from "../engine/tables.ts";

const vectorsOfMemories = (name: SideTables["memory_vectors"]) =>
  sqliteTable(name, {
    seq: integer()
      .primaryKey()
      .references(() => memories.seq),
    embedder_id: text().notNull(),
    vector: blob({ mode: "buffer" }).notNull(),
    context: blob({ mode: "buffer" }),
    second: blob({ mode: "buffer" }),
  });

const MEMORIES = { a: vectorsOfMemories(SIDES.a.memory_vectors), b: vectorsOfMemories(SIDES.b.memory_vectors) };

/** The durable vectors of a space, exact; the coarse codes that find them fast lie in tables of sqlite-vec. */
export const memoryVectorsOf = (space: Pick<EmbedderSpace, "side">) => MEMORIES[sideOf(space)];
