import { sql } from "drizzle-orm";
import type { StoredVectors } from "../../common/index-codes.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { RowToCode } from "../../units/memory-index.ts";
import { vectorIn } from "../../units/vectors.ts";
import { intArray, sentVector } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { putVectors } from "../vectors/vectors.ts";

interface Filed {
  readonly seq: number;
  readonly own: string;
  readonly context: string | null;
  readonly second: string | null;
}

/**
 * Files the vectors that rows have of a model again, inside the caller's transaction; `keep` tells which, and what of them.
 * Returns the numbers of those that were filed.
 */
export async function refileVectors(
  work: TenantWork,
  space: EmbedderSpace,
  rows: readonly MemoryRow[],
  keep: (row: MemoryRow, vectors: StoredVectors) => StoredVectors | null,
): Promise<Set<number>> {
  const filed = await work.rows<Filed>(sql`
    select seq, ${sentVector(sql`vector`)} as own, ${sentVector(sql`context`)} as context,
      ${sentVector(sql`second`)} as second
    from ${sql.raw(tablesOf(space).memory_vectors)} where tenant_id = ${work.tenant_id}
      and seq = any(${intArray(rows.map(({ seq }) => seq))}) and embedder_id = ${space.id}`);
  const rowOf = new Map(rows.map((row) => [row.seq, row]));
  const coded = filed.flatMap(({ seq, own, context, second }): RowToCode[] => {
    const [row, vector] = [rowOf.get(seq), vectorIn(own)];
    if (!row || !vector) return [];
    const vectors = keep(row, { own: vector, context: vectorIn(context), secondary: vectorIn(second) });
    return vectors ? [{ row, vectors }] : [];
  });
  await putVectors(work, space, coded);
  return new Set(coded.map(({ row }) => row.seq));
}
