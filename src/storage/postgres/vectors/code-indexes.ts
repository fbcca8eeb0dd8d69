import { sql } from "drizzle-orm";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import { lockShape } from "../engine/shape-lock.ts";
import { textArray } from "../engine/values.ts";
import type { Engine } from "../engine/work.ts";

type Coded = Pick<EmbedderSpace, "dimensions" | "side">;

/**
 * Makes the indexes that find codes of a space, where the server has such and they are not there yet; of processes that start
 * at the same moment one makes them. In a large table that takes longer than any other statement may.
 */
export async function ensureCodeIndexes(engine: Engine, space: Coded): Promise<void> {
  if (!engine.dialect.hasCodeIndex) return;
  const wanted = indexesOf(space);
  const names = textArray(Object.keys(wanted));
  const known = await engine.look((work) =>
    work.rows(sql`select 1 as one from unnest(${names}) as name where to_regclass(name) is not null`),
  );
  if (known.length === Object.keys(wanted).length) return;
  await engine.change(async (work) => {
    await lockShape(work);
    await work.run(sql`set local statement_timeout = 0`);
    for (const [name, on] of Object.entries(wanted))
      await work.run(sql.raw(`create index if not exists ${name} on ${on}`));
  });
}

/** What each index is on, by its name; documents' codes are as long as their vectors. */
function indexesOf({ dimensions, side }: Coded): Readonly<Record<string, string>> {
  const { memory_codes, document_codes } = tablesOf({ side });
  return {
    [`${memory_codes}_near`]: `${memory_codes} using hnsw (code bit_hamming_ops)`,
    [`${document_codes}_near_${dimensions}`]: `${document_codes}
      using hnsw ((code::bit(${dimensions})) bit_hamming_ops) where length(code) = ${dimensions}`,
  };
}
