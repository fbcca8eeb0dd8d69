import { sql } from "drizzle-orm";
import { isSilent } from "../../../core/kernel/vectors.ts";
import type { StoredVectors } from "../../common/index-codes.ts";
import { indexCodes } from "../../common/index-codes.ts";
import { otherSide, SIDES, sideOf, tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace, Side } from "../../options.ts";
import type { FiledVectors, Recoded, RowToCode } from "../../units/memory-index.ts";
import { typeCode } from "../../units/memory-index.ts";
import { filedVectorIn } from "../../units/vectors.ts";
import { intArray, recordsValue, sentVector, vectorText } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { BITS, rowCode, rowValues, VALUES } from "./codes.ts";

/** Writes or replaces the vectors of rows, exact and as codes, inside the caller's transaction; what is near to nothing has no code. */
export async function putVectors(work: TenantWork, space: EmbedderSpace, rows: readonly RowToCode[]): Promise<void> {
  if (rows.length === 0) return;
  for (const { vectors } of rows) requireFit(space, vectors);
  const tables = tablesOf(space);
  const { tenant_id } = work;
  const index = indexCodes(space);
  const exact = rows.map(({ row, vectors }) => ({
    seq: row.seq,
    vector: vectorText(vectors.own),
    context: vectors.context && vectorText(vectors.context),
    near: rowValues(index, vectors),
  }));
  await work.run(sql`
    insert into ${sql.raw(tables.memory_vectors)} (tenant_id, seq, embedder_id, vector, context, near)
    select ${tenant_id}, v.seq, ${space.id}, v.vector::vector, v.context::vector, v.near::${VALUES}
    from json_to_recordset(${recordsValue(exact)})
      as v (seq bigint, vector text, context text, near text)
    on conflict (tenant_id, seq) do update set embedder_id = excluded.embedder_id, vector = excluded.vector,
      context = excluded.context, near = excluded.near`);
  const silent = rows.filter(({ vectors }) => isSilent(vectors.own)).map(({ row }) => row.seq);
  if (silent.length > 0) await removeCodes(work, space, silent);
  const codes = rows.flatMap(({ row: { seq, author, audience, memory_type }, vectors }) => {
    const code = rowCode(space, index, vectors);
    return code === null ? [] : [{ seq, author, audience, kind: typeCode(memory_type), code }];
  });
  if (codes.length === 0) return;
  await work.run(sql`
    insert into ${sql.raw(tables.memory_codes)} (tenant_id, seq, embedder_id, author, audience, kind, code)
    select ${tenant_id}, c.seq, ${space.id}, c.author, c.audience, c.kind, c.code::${BITS}
    from json_to_recordset(${recordsValue(codes)})
      as c (seq bigint, author bigint, audience bigint, kind integer, code text)
    on conflict (tenant_id, seq) do update set embedder_id = excluded.embedder_id, author = excluded.author,
      audience = excluded.audience, kind = excluded.kind, code = excluded.code`);
}

/** Throws for a vector of another space: its column would take one of any length. */
function requireFit({ dimensions }: EmbedderSpace, { own, context }: StoredVectors): void {
  const other = [own, context].find((vector) => vector && vector.length !== dimensions);
  if (other) throw new Error(`A vector has ${other.length} dimensions, not ${dimensions}.`);
}

interface Filed {
  readonly seq: number;
  readonly embedder_id: string;
  readonly own: string;
  readonly context: string | null;
}

/** Rows' vectors as they were filed, by the rows' numbers; those without any are left out. */
export async function filedVectors(
  work: TenantWork,
  space: EmbedderSpace,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, FiledVectors>> {
  const rows = await work.rows<Filed>(sql`
    select seq, embedder_id, ${sentVector(sql`vector`)} as own, ${sentVector(sql`context`)} as context
    from ${sql.raw(tablesOf(space).memory_vectors)}
    where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)})`);
  const found = new Map<number, FiledVectors>();
  for (const { seq, embedder_id, own, context } of rows)
    found.set(seq, { embedder_id, own: filedVectorIn(own), context: context === null ? null : filedVectorIn(context) });
  return found;
}

/**
 * Files the vectors that rows have again, without the context that is no longer their own. Returns the numbers of those
 * rows; the others have none of this embedder.
 */
export async function recode(
  work: TenantWork,
  space: EmbedderSpace,
  rows: readonly Recoded[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const kept = await filedVectors(
    work,
    space,
    rows.map(({ seq }) => seq),
  );
  const coded = rows.flatMap((row): RowToCode[] => {
    const vectors = kept.get(row.seq);
    if (vectors?.embedder_id !== space.id) return [];
    return [{ row, vectors: { ...vectors, context: row.previous_seq === null ? null : vectors.context } }];
  });
  await putVectors(work, space, coded);
  return new Set(coded.map(({ row }) => row.seq));
}

/** Takes rows out of what search finds by meaning; their vectors stay. */
export const removeCodes = (work: TenantWork, space: Pick<EmbedderSpace, "side">, seqs: readonly number[]) =>
  work.run(sql`delete from ${sql.raw(tablesOf(space).memory_codes)}
    where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)})`);

/** Forgets the vectors of rows, exact and coded, of both sides. */
export async function removeVectors(work: TenantWork, seqs: readonly number[]): Promise<void> {
  for (const side of ["a", "b"] as const) await removeSide(work, side, seqs);
}

/** Forgets what the model beside the one of this space made of rows, which is no longer true: it is made again when it is wanted. */
export const removeOtherVectors = (work: TenantWork, space: Pick<EmbedderSpace, "side">, seqs: readonly number[]) =>
  removeSide(work, otherSide(sideOf(space)), seqs);

async function removeSide(work: TenantWork, side: Side, seqs: readonly number[]): Promise<void> {
  const of = sql`where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)})`;
  await work.run(sql`delete from ${sql.raw(SIDES[side].memory_codes)} ${of}`);
  await work.run(sql`delete from ${sql.raw(SIDES[side].memory_vectors)} ${of}`);
}
