import { sql } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import type { SampledMemory } from "../../../core/ports/keeping/generations.ts";
import { indexCodes, type StoredVectors } from "../../common/index-codes.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { TenantWork, Work } from "../engine/work.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { toStoredMemory } from "../memories/rows.ts";
import { previousText } from "../memories/runs.ts";
import { nearestRows } from "../search/nearest.ts";
import { BITS, rowCode } from "../vectors/codes.ts";
import { filedVectors } from "../vectors/vectors.ts";

/** Rows that a search for one row's own vector looks at. */
const POOL = 32;

/** Throws unless a model's entries are as many as its vectors: each of them is then found. */
export async function requireWholeIndex(work: Work, space: EmbedderSpace): Promise<void> {
  const tables = tablesOf(space);
  const [vectors, codes] = [sql.raw(tables.memory_vectors), sql.raw(tables.memory_codes)];
  const [documentVectors, documentCodes] = [sql.raw(tables.document_vectors), sql.raw(tables.document_codes)];
  const same = sql`v.tenant_id = c.tenant_id and v.seq = c.seq`;
  const found = await work.row<{ lost: number }>(sql`select
    (select count(*) from ${vectors} v
      join memories m on m.tenant_id = v.tenant_id and m.seq = v.seq and m.deleted_at is null
      where not exists (select 1 from ${codes} c where ${same}))
    + (select count(*) from ${codes} c where not exists (select 1 from ${vectors} v where ${same}))
    + (select count(*) from ${documentVectors} v where not exists (select 1 from ${documentCodes} c where ${same}))
    as lost`);
  if (!found || found.lost === 0) return;
  const message = `${found.lost} entries of the new index do not fit its vectors. Give them up with \`cairn reembed --cancel\`, then \`--drop-old\` where they are kept, and begin again.`;
  throw new AppError("UNAVAILABLE", message);
}

/** Numbers and tenants of some memories from all over that a model has read. */
export async function chooseSample(work: Work, space: EmbedderSpace, count: number): Promise<Chosen[]> {
  const ends = await work.row<{ first: number | null; last: number | null }>(
    sql`select min(seq) as first, max(seq) as last from memories where deleted_at is null`,
  );
  const { first = null, last = null } = ends ?? {};
  if (first === null || last === null) return [];
  const chosen = new Map<number, Chosen>();
  for (let i = 0; i < count; i++) {
    const place = first + Math.floor(((last - first) * i) / count);
    const next = await work.row<Chosen>(sql`select m.seq, m.tenant_id from memories m
      join ${sql.raw(tablesOf(space).memory_vectors)} v on v.tenant_id = m.tenant_id and v.seq = m.seq
      where m.seq >= ${place} and m.deleted_at is null order by m.seq limit 1`);
    if (next) chosen.set(next.seq, next);
  }
  return [...chosen.values()];
}

interface Chosen {
  readonly seq: number;
  readonly tenant_id: string;
}

/** One of them as a model has read it; none where it is gone by now. */
export async function sampleOne(
  anyWork: Work,
  space: EmbedderSpace,
  { seq, tenant_id }: Chosen,
): Promise<SampledMemory[]> {
  const work: TenantWork = { ...anyWork, tenant_id };
  const row = await work.row<MemoryRow>(
    sql`select * from memories where tenant_id = ${tenant_id} and seq = ${seq} and deleted_at is null`,
  );
  const stored = row && (await filedVectors(work, space, [seq])).get(seq);
  if (!stored) return [];
  const { own, context, secondary } = stored;
  const values = context ? own.map((value, i) => (value + (context[i] ?? 0)) / 2) : own;
  const near = await nearestRows(work, space, { filter: { tenant_id }, pool: POOL }, { values, secondary });
  const previous = await previousText(work, row.previous_seq);
  const is_found = near.includes(seq) || (await hasOwnCode(work, space, seq, stored));
  return [{ row: { memory: toStoredMemory(row), previous }, own, is_alone: previous === null, is_found }];
}

/** Whether a row's entry is made of its vectors: so many others are as like the question that it has no place among the nearest. */
async function hasOwnCode(
  work: TenantWork,
  space: EmbedderSpace,
  seq: number,
  vectors: StoredVectors,
): Promise<boolean> {
  const code = rowCode(space, indexCodes(space), vectors);
  const found = await work.row<{ is_own: boolean }>(sql`select code = ${code}::text::${BITS} as is_own
    from ${sql.raw(tablesOf(space).memory_codes)} where tenant_id = ${work.tenant_id} and seq = ${seq}`);
  return found?.is_own === true;
}
