import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { CODED_VALUES } from "../../common/index-codes.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Dialect } from "../engine/dialect.ts";
import { lockShape } from "../engine/shape-lock.ts";
import { textArray } from "../engine/values.ts";
import type { Engine } from "../engine/work.ts";

type Coded = Pick<EmbedderSpace, "dimensions" | "side">;

/**
 * Makes the indexes that find what is nearest in a space, where the server has such and they are not there yet; of processes
 * that start at the same moment one makes them. In a large table that takes longer than any other statement may.
 */
export async function ensureCodeIndexes(engine: Engine, space: Coded): Promise<void> {
  const wanted = indexesOf(engine.dialect, space);
  const names = textArray(Object.keys(wanted));
  const known = await engine.look((work) =>
    work.rows(sql`select 1 as one from unnest(${names}) as name where to_regclass(name) is not null`),
  );
  if (known.length === Object.keys(wanted).length) return;
  await engine.change(async (work) => {
    await lockShape(work);
    await work.run(sql`set local statement_timeout = 0`);
    // What an older pgvector had to do with.
    if (engine.dialect.nearType === "halfvec")
      await work.run(sql.raw(`drop index if exists ${nearIndex(tablesOf(space).memory_vectors, "vector")}`));
    for (const [name, on] of Object.entries(wanted))
      await work.run(sql.raw(`create index if not exists ${name} on ${on}`));
  });
}

/** SQL of what the index of memories is on, of a column of the values of a row. */
export const indexedValues = ({ nearType }: Dialect, column: string): SQL =>
  sql.raw(`(${column}::${nearType}(${CODED_VALUES}))`);

const nearIndex = (table: string, type: Dialect["nearType"]): string => `${table}_near_${type}`;

/** What each index is on, by its name; documents' codes are as long as their vectors. */
function indexesOf(dialect: Dialect, { dimensions, side }: Coded): Readonly<Record<string, string>> {
  const { memory_vectors, document_codes } = tablesOf({ side });
  const { nearType, hasCodeIndex } = dialect;
  const memories = {
    [nearIndex(memory_vectors, nearType)]: `${memory_vectors}
      using hnsw ((near::${nearType}(${CODED_VALUES})) ${nearType}_ip_ops)`,
  };
  if (!hasCodeIndex) return memories;
  return {
    ...memories,
    [`${document_codes}_near_${dimensions}`]: `${document_codes}
      using hnsw ((code::bit(${dimensions})) bit_hamming_ops) where length(code) = ${dimensions}`,
  };
}
