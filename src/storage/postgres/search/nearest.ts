import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { Audience } from "../../common/audiences.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import { audiencesOf, authorNumber, passingAudiences } from "../accounts/audiences.ts";
import { intArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { Coded } from "../vectors/codes.ts";
import { codeOf } from "../vectors/codes.ts";
import { typeCode } from "../vectors/vectors.ts";

/** With fewer rows than this, to compare all of them takes less time than to go through an index. */
const INDEXED_ROWS_MIN = 5_000;

export interface NearestQuery {
  readonly filter: MemoryFilter;
  readonly pool: number;
  /** The tenant's sets of readers, where they are known already. */
  readonly audiences?: readonly Audience[];
}

/**
 * The numbers of the rows of a filter whose codes differ least from a question's, nearest first. The index is asked first
 * where there are many rows; where the filter leaves it short, all codes that may pass are compared.
 */
export async function nearestRows(
  work: Work,
  space: EmbedderSpace,
  query: NearestQuery,
  asked: Coded,
): Promise<number[]> {
  const { filter, pool } = query;
  const audiences = query.audiences ?? (await audiencesOf(work, filter.tenant_id));
  const passing = passingAudiences(audiences, filter);
  const stored = passing.reduce((sum, one) => sum + one.stored, 0);
  if (stored === 0) return [];
  const code = sql`${codeOf(space, asked)}::text::${sql.raw(`bit(${2 * space.dimensions})`)}`;
  const narrowed = passing.length === audiences.length ? null : passing.map(({ id }) => id);
  const clauses = await clausesOf(work, space, filter, narrowed);
  const look: Look = { work, space, code, where: and(clauses), filter, pool };
  if (work.dialect.hasCodeIndex && stored >= INDEXED_ROWS_MIN && isWide(filter)) {
    const found = await byIndex(look);
    if (found.length >= pool) return found;
  }
  return byComparison(look);
}

interface Look {
  readonly work: Work;
  readonly space: EmbedderSpace;
  readonly code: SQL;
  /** What the codes know of the filter. */
  readonly where: SQL;
  readonly filter: MemoryFilter;
  readonly pool: number;
}

const and = (clauses: readonly SQL[]): SQL => sql.join([...clauses], sql` and `);

/** Whether a filter may pass many rows: a run and a list of ids name few, which are compared at once. */
const isWide = ({ run_id, ids }: MemoryFilter): boolean => run_id === undefined && ids === undefined;

/** What the table of codes knows of what a filter asks. */
async function clausesOf(work: Work, space: EmbedderSpace, filter: MemoryFilter, audiences: readonly number[] | null) {
  const { tenant_id, written_by, memory_types = [] } = filter;
  const clauses = [sql`c.tenant_id = ${tenant_id}`, sql`c.embedder_id = ${space.id}`];
  if (written_by !== undefined) clauses.push(sql`c.author = ${await authorNumber(work, tenant_id, written_by)}`);
  if (audiences) clauses.push(sql`c.audience = any(${intArray(audiences)})`);
  if (memory_types.length > 0) clauses.push(sql`c.kind = any(${intArray(memory_types.map(typeCode))})`);
  return clauses;
}

/** As the index has them: rows that do not pass the whole filter are left out while it goes on. */
async function byIndex({ work, space, code, where, filter, pool }: Look): Promise<number[]> {
  const settings = work.dialect.searchSettings.map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
  await work.run(sql`select ${sql.join(settings, sql`, `)}`);
  const bits = 2 * space.dimensions;
  const rows = await work.rows<{ seq: number }>(sql`
    select c.seq from ${sql.raw(tablesOf(space).memory_codes)} c
      join memories on memories.tenant_id = c.tenant_id and memories.seq = c.seq
    where ${where} and length(c.code) = ${sql.raw(String(bits))} and ${memoryWhere(filter)}
    order by (c.code::${sql.raw(`bit(${bits})`)}) <~> ${code} limit ${pool}`);
  return rows.map(({ seq }) => seq);
}

/** All that pass, compared one by one. */
async function byComparison({ work, space, code, where, filter, pool }: Look): Promise<number[]> {
  const rows = await work.rows<{ seq: number }>(sql`
    select c.seq from ${sql.raw(tablesOf(space).memory_codes)} c
      join memories on memories.tenant_id = c.tenant_id and memories.seq = c.seq
    where ${where} and ${memoryWhere(filter)}
    order by bit_count(c.code # ${code}), c.seq limit ${pool}`);
  return rows.map(({ seq }) => seq);
}
