import type { Database } from "bun:sqlite";
import type { EmbedderSpace } from "../../options.ts";
import type { CodeStore } from "../vectors/code-tables.ts";
import { createCodes } from "../vectors/code-tables.ts";

interface Code {
  readonly space: string;
  readonly seq: number;
  readonly author: number;
  readonly audience: number;
  readonly kind: number;
  readonly code: Uint8Array;
}

/** Memories are read twice: beside each vector lies that of the secondary embedder, and a code has the signs of both. */
export const readTwice =
  ({ dimensions }: Pick<EmbedderSpace, "dimensions">, codes: CodeStore) =>
  (db: Database): void => {
    db.exec(`
      alter table memory_vectors add column second blob;
      create temp table codes_before as select space, seq, author, audience, kind, code from memory_codes;
      ${codes === "plain" ? "drop view memory_codes_rowids;" : ""}
      drop table memory_codes;
      ${createCodes("memory_codes", 2 * dimensions, codes)}
    `);
    const put = db.query<unknown, (string | number | Uint8Array)[]>(
      `insert into memory_codes (space, seq, author, audience, kind, code)
       values (?, ?, ?, ?, ?, ${codes === "plain" ? "?" : "vec_bit(?)"})`,
    );
    for (const { space, seq, author, audience, kind, code } of db
      .query<Code, []>("select * from codes_before")
      .iterate()) {
      const both = new Uint8Array((2 * dimensions) / 8);
      both.set(code);
      put.run(space, seq, author, audience, kind, both);
    }
    db.exec("drop table codes_before");
  };
