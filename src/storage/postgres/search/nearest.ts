import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { Audience } from "../../common/audiences.ts";
import { passingAudiences } from "../../common/audiences.ts";
import { indexCodes, likeness } from "../../common/index-codes.ts";
import { tablesOf } from "../../common/sides.ts";
import { memoryWhere } from "../../memories/filters.ts";
import type { EmbedderSpace } from "../../options.ts";
import { typeCode } from "../../units/memory-index.ts";
import { audiencesOf, authorNumber } from "../accounts/audiences.ts";
import { settled } from "../engine/dialect.ts";
import { intArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { postgresDialect } from "../units/dialect.ts";
import { indexedValues } from "../vectors/code-indexes.ts";
import { BITS, bitText, codeFrom, valuesText } from "../vectors/codes.ts";

/** Rows whose signs are nearest, for each of the pool, that are ranked by the question's values. */
const SHORTLIST = 8;

export interface NearestQuery {
  readonly filter: MemoryFilter;
  readonly pool: number;
  /** The tenant's sets of readers, where they are known already. */
  readonly audiences?: readonly Audience[];
}

/**
 * The numbers of the rows of a filter that are likest to a question, likest first. The index of their values is asked first
 * where there are many rows; where there are few, or the filter leaves it short, the codes of all that may pass are compared,
 * and those that differ least ranked by the question's own values.
 */
export async function nearestRows(
  work: Work,
  space: EmbedderSpace,
  query: NearestQuery,
  asked: Float32Array,
): Promise<number[]> {
  const known = { ...query, audiences: query.audiences ?? (await audiencesOf(work, query.filter.tenant_id)) };
  const indexed = await indexedRows(work, space, known, asked);
  const near = indexed ? (await work.rows<{ seq: number }>(indexed)).map(({ seq }) => seq) : [];
  return near.length >= query.pool ? near : comparedRows(work, space, known, asked);
}

/** SQL of their numbers as the index of values has them, fewer where the filter leaves it short; null where none is to be asked. */
export async function indexedRows(
  work: Work,
  space: EmbedderSpace,
  query: NearestQuery,
  asked: Float32Array,
): Promise<SQL | null> {
  const { filter } = query;
  const { stored } = await passingOf(work, query);
  return stored >= work.dialect.indexedRowsMin && isWide(filter) ? byIndex(work, space, query, asked) : null;
}

/** Their numbers, as the codes of all that may pass are compared. */
export async function comparedRows(
  work: Work,
  space: EmbedderSpace,
  query: NearestQuery,
  asked: Float32Array,
): Promise<number[]> {
  const { filter, pool } = query;
  const { audiences, passing, stored } = await passingOf(work, query);
  if (stored === 0) return [];
  const narrowed = passing.length === audiences.length ? null : passing.map(({ id }) => id);
  const { code, mask, table } = indexCodes(space).question(asked);
  const where = and(await clausesOf(work, space, filter, narrowed));
  const look: Look = { work, space, code: bits(code), mask: bits(mask), where, filter };
  return likest(await byComparison(look, pool * SHORTLIST), table).slice(0, pool);
}

/** The sets of readers that a tenant's rows have, those whose rows may pass, and how many such rows there are. */
async function passingOf(work: Work, { filter, audiences: known }: NearestQuery) {
  const audiences = known ?? (await audiencesOf(work, filter.tenant_id));
  const passing = passingAudiences(audiences, filter);
  return { audiences, passing, stored: passing.reduce((sum, one) => sum + one.stored, 0) };
}

/** Whether a filter may pass many rows: a run and a list of ids name few, which are compared at once. */
const isWide = ({ run_id, ids }: MemoryFilter): boolean => run_id === undefined && ids === undefined;

/** As the index has them: rows that do not pass the filter are left out while it goes on. */
function byIndex(work: Work, space: EmbedderSpace, { filter, pool }: NearestQuery, asked: Float32Array): SQL {
  const values = sql`${valuesText(indexCodes(space), asked)}::text::${sql.raw(work.dialect.nearType)}`;
  return sql`
    select v.seq from ${sql.raw(tablesOf(space).memory_vectors)} v
      join memories on memories.tenant_id = v.tenant_id and memories.seq = v.seq
    where ${settled(work.dialect)} and v.tenant_id = ${filter.tenant_id} and v.embedder_id = ${space.id}
      and v.near is not null and ${memoryWhere(postgresDialect, filter)}
    order by ${indexedValues(work.dialect, "v.near")} <#> ${values} limit ${pool}`;
}

/** The rows of a shortlist by how much they are like the question by its own values, most first, newer ones first among equals. */
const likest = (shortlist: readonly Near[], table: Float32Array): number[] =>
  shortlist
    .map(({ seq, code }) => ({ seq, like: likeness(table, codeFrom(code)) }))
    .sort((a, b) => b.like - a.like || b.seq - a.seq)
    .map(({ seq }) => seq);

/** A row whose code is near to a question's. */
interface Near {
  readonly seq: number;
  readonly code: string;
}

const NEAR = sql`c.seq, encode(varbit_send(c.code), 'base64') as code`;

interface Look {
  readonly work: Work;
  readonly space: EmbedderSpace;
  readonly code: SQL;
  /** Set where a bit counts. */
  readonly mask: SQL;
  /** What the codes know of the filter. */
  readonly where: SQL;
  readonly filter: MemoryFilter;
}

const bits = (bytes: Uint8Array): SQL => sql`${bitText(bytes)}::text::${BITS}`;

const and = (clauses: readonly SQL[]): SQL => sql.join([...clauses], sql` and `);

/** What the table of codes knows of what a filter asks. */
async function clausesOf(work: Work, space: EmbedderSpace, filter: MemoryFilter, audiences: readonly number[] | null) {
  const { tenant_id, written_by, memory_types = [] } = filter;
  const clauses = [sql`c.tenant_id = ${tenant_id}`, sql`c.embedder_id = ${space.id}`];
  if (written_by !== undefined) clauses.push(sql`c.author = ${await authorNumber(work, tenant_id, written_by)}`);
  if (audiences) clauses.push(sql`c.audience = any(${intArray(audiences)})`);
  if (memory_types.length > 0) clauses.push(sql`c.kind = any(${intArray(memory_types.map(typeCode))})`);
  return clauses;
}

/** Of all that pass, compared one by one; newer ones first among equals. */
const byComparison = ({ work, space, code, mask, where, filter }: Look, wanted: number): Promise<Near[]> =>
  work.rows<Near>(sql`
    select ${NEAR} from ${sql.raw(tablesOf(space).memory_codes)} c
      join memories on memories.tenant_id = c.tenant_id and memories.seq = c.seq
    where ${where} and ${memoryWhere(postgresDialect, filter)}
    order by bit_count((c.code # ${code}) & ${mask}), c.seq desc limit ${wanted}`);
