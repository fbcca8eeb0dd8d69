import { sql } from "drizzle-orm";
import type { RowVectors } from "../../core/ports/memory-store.ts";
import type { Recoded, RowToCode } from "../units/memory-index.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";

/** A row in its run, and what an embedder made of its text. */
export interface ReadRow {
  readonly row: Recoded;
  readonly vectors: RowVectors;
}

/**
 * The vectors of rows as they may be stored: without what was read together with a text that the row before no longer has, as
 * it was changed or deleted meanwhile.
 */
export function* trueVectors({ dialect, tenant_id }: TenantWork, read: readonly ReadRow[]): Unit<RowToCode[]> {
  const before = read.flatMap(({ row: { previous_seq }, vectors }) =>
    previous_seq === null || vectors.context === null ? [] : [previous_seq],
  );
  const texts = before.length
    ? yield* rows<{ seq: number; content_hash: string }>(sql`select seq, content_hash from memories
        where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`seq`, before)} and deleted_at is null`)
    : [];
  const hashes = new Map<number | null, string>(texts.map(({ seq, content_hash }) => [seq, content_hash]));
  return read.map(({ row, vectors: { own, context, secondary } }) => {
    const isTrue = context !== null && hashes.get(row.previous_seq) === context.previous_hash;
    return { row, vectors: { own, context: isTrue ? context.values : null, secondary: secondary ?? null } };
  });
}
