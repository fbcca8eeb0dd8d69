import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { AppError } from "../../core/kernel/errors.ts";
import type { PendingMemory } from "../../core/ports/memory-store.ts";
import { tablesOf } from "../common/sides.ts";
import { withPrevious } from "../memories/pending.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Unit } from "../units/unit.ts";
import { row } from "../units/unit.ts";
import type { Work } from "../units/work.ts";

/** Throws unless a model's entries are as many as its vectors that are not silent: each of them is then found. */
export function* requireWholeIndex({ dialect }: Work, space: EmbedderSpace): Unit<void> {
  const tables = tablesOf(space);
  /** Counts the rows of one table that lack those of another; only of them is asked whether they are meant to have one. */
  const without = (index: string, other: string, isMeant: SQL) => {
    const [of, among] = [dialect.entriesOf(index), dialect.entriesOf(other)];
    return sql`(select count(*) from ${sql.raw(of.table)} x where ${sql.raw(`x.${of.key} > 0`)}
      and case when exists (select 1 from ${sql.raw(among.table)} o
        where ${dialect.tenant("o", sql`x.tenant_id`)} and ${sql.raw(`o.${among.key} = x.${of.key}`)})
        then false else ${isMeant} end)`;
  };
  const tells = sql`not ${dialect.isSilent(sql`x.vector`)}`;
  const isLive = sql`x.seq not in (select seq from memories where deleted_at is not null)`;
  const found = yield* row<{ lost: number }>(sql`select
    ${without(tables.memory_vectors, tables.memory_codes, sql`(${isLive} and ${tells})`)}
    + ${without(tables.memory_codes, tables.memory_vectors, sql`true`)}
    + ${without(tables.document_vectors, tables.document_codes, tells)} as lost`);
  if (!found || found.lost === 0) return;
  const message = `${found.lost} entries of the new index do not fit its vectors. Give them up with \`cairn reembed --cancel\`, then \`--drop-old\` where they are kept, and begin again.`;
  throw new AppError("UNAVAILABLE", message);
}

/** A memory that is looked at. */
export interface Chosen {
  readonly seq: number;
  readonly tenant_id: string;
}

/** Some memories from all over of which a model has made something. */
export function* chooseSample({ dialect }: Work, space: EmbedderSpace, count: number): Unit<Chosen[]> {
  const ends = yield* row<{ first: number | null; last: number | null }>(
    sql`select (select min(seq) from memories where deleted_at is null) as first,
      (select max(seq) from memories where deleted_at is null) as last`,
  );
  const { first = null, last = null } = ends ?? {};
  if (first === null || last === null) return [];
  const chosen = new Map<number, Chosen>();
  for (let i = 0; i < count; i++) {
    const place = first + Math.floor(((last - first) * i) / count);
    const next = yield* row<Chosen>(sql`select m.seq, m.tenant_id from memories m
      ${dialect.nested} ${sql.raw(tablesOf(space).memory_vectors)} v
        on ${dialect.tenant("v", sql`m.tenant_id`)} and v.seq = m.seq
      where m.seq >= ${place} and m.deleted_at is null and not ${dialect.isSilent(sql`v.vector`)} order by m.seq limit 1`);
    if (next) chosen.set(next.seq, next);
  }
  return [...chosen.values()];
}

/** One of them with the text of the row before it; null where it is gone by now. */
export function* sampledMemory({ dialect }: Work, { seq, tenant_id }: Chosen): Unit<PendingMemory | null> {
  const [found] = yield* withPrevious(
    dialect,
    sql`${dialect.belongs("memories", tenant_id)} and memories.seq = ${seq} and memories.deleted_at is null`,
  );
  return found ?? null;
}
