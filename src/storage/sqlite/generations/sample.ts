import { eq } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import { yieldToEventLoop } from "../../../core/kernel/event-loop.ts";
import { dot } from "../../../core/kernel/vectors.ts";
import type { SampledMemory } from "../../../core/ports/keeping/generations.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { toStoredMemory } from "../memories/rows.ts";
import { previousText } from "../memories/runs.ts";
import { ownVectors } from "../search/nearby.ts";
import { memoryVectorsOf } from "../vectors/tables.ts";
import { nearestCodes, storedVectors } from "../vectors/vectors.ts";

/** Rows that a search for one row's own vector looks at: twins of the row may stand before it. */
const POOL = 32;
/** Least cosine of two vectors that differ by rounding at most. */
const TWIN_MIN = 0.999;

/** Throws unless a model's entries are as many as its vectors: each of them is then found. */
export function requireWholeIndex(db: Connections, space: EmbedderSpace): void {
  const { memory_vectors, memory_codes, document_vectors, document_codes } = tablesOf(space);
  const lost = [
    `select count(*) as n from ${memory_vectors} v join memories m on m.seq = v.seq and m.deleted_at is null
      where v.seq not in (select rowid from ${memory_codes}_rowids)`,
    `select count(*) as n from ${memory_codes}_rowids where rowid > 0
      and rowid not in (select seq from ${memory_vectors})`,
    `select count(*) as n from ${document_vectors} where seq not in (select rowid from ${document_codes}_rowids)`,
  ].reduce((sum, sql) => sum + (db.readConnection.query<{ n: number }, []>(sql).get()?.n ?? 0), 0);
  if (lost === 0) return;
  const message = `${lost} entries of the new index do not fit its vectors. Give them up with \`cairn reembed --cancel\`, then \`--drop-old\` where they are kept, and begin again.`;
  throw new AppError("UNAVAILABLE", message);
}

/** Some memories from all over, as a model has read them. */
export async function sampleMemories(db: Connections, space: EmbedderSpace, count: number): Promise<SampledMemory[]> {
  const { first = null, last = null } =
    db.readConnection
      .query<{ first: number | null; last: number | null }, []>(
        `select min(seq) as first, max(seq) as last from ${tablesOf(space).memory_vectors}`,
      )
      .get() ?? {};
  if (first === null || last === null) return [];
  const next = db.readConnection.query<{ seq: number }, [number]>(
    `select v.seq from ${tablesOf(space).memory_vectors} v join memories m on m.seq = v.seq and m.deleted_at is null
      where v.seq >= ? order by v.seq limit 1`,
  );
  const places = Array.from({ length: count }, (_, i) => first + Math.floor(((last - first) * i) / count));
  const seqs = new Set(places.flatMap((place) => next.get(place)?.seq ?? []));
  const sampled: SampledMemory[] = [];
  for (const seq of seqs) {
    sampled.push(...sampleOne(db, space, seq));
    // Each of them looks through all codes; requests have their turn between two.
    await yieldToEventLoop();
  }
  return sampled;
}

function sampleOne(db: Connections, space: EmbedderSpace, seq: number): SampledMemory[] {
  const vectors = memoryVectorsOf(space);
  const found = db.drizzleRead
    .select({ row: memories, stored: vectors })
    .from(memories)
    .innerJoin(vectors, eq(vectors.seq, memories.seq))
    .where(eq(memories.seq, seq))
    .get();
  if (!found) return [];
  const { own, context, secondary } = storedVectors(found.stored);
  const values = context ? own.map((value, i) => (value + (context[i] ?? 0)) / 2) : own;
  const filter = { tenant_id: found.row.tenant_id };
  const near = nearestCodes(db, space, { filter, pool: POOL }, { values, secondary });
  const row = { memory: toStoredMemory(found.row), previous: previousText(db, found.row.previous_seq) };
  return [
    { row, own, is_alone: row.previous === null, is_found: near.includes(seq) || areTwins(db, space, near, own) },
  ];
}

/** Whether so many rows that stand before one have its very vector that it has no place among the nearest. */
function areTwins(db: Connections, space: EmbedderSpace, near: readonly number[], own: Float32Array): boolean {
  const twins = ownVectors(db, space, near).filter(({ values }) => dot(values, own) > TWIN_MIN);
  return twins.length === POOL;
}
