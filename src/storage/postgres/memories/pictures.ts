import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { PageEdge } from "../../../core/kernel/cursor.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type {
  AgedRow,
  PictureRows,
  PlacedRow,
  RowsAfter,
  WrittenBy,
} from "../../../core/ports/observing/picture-rows.ts";
import { comparedColumn, tablesOf } from "../../common/sides.ts";
import { vectorIn } from "../../units/vectors.ts";
import { recordsValue, sentVector } from "../engine/values.ts";
import type { Engine, Work } from "../engine/work.ts";
import { memoryWhere } from "./filters.ts";

/** What pictures are drawn from, over Postgres. */
export const postgresPictureRows = (engine: Engine): PictureRows => ({
  writtenBetween: (filter, instants) => engine.look((work) => writtenBetween(work, filter, instants)),
  aged: (filter, part) => engine.look((work) => agedRows(work, filter, part)),
  placed: (filter, part) => engine.look((work) => placedRows(work, filter, part)),
});

/** Each span is counted by itself: sorting few rows by their authors takes less than sorting all of them by span and author. */
async function writtenBetween(work: Work, filter: MemoryFilter, instants: readonly string[]): Promise<WrittenBy[][]> {
  const spans = instants.slice(1).map((until, span) => ({ span, since: instants[span] ?? until, until }));
  const counted = await work.rows<WrittenBy & { span: number }>(sql`
    select s.span, agents.agent_id, written.memory_count
    from json_to_recordset(${recordsValue(spans)}) as s (span integer, since text, until text)
      cross join lateral (
        select memories.author, count(*) as memory_count from memories
        where ${memoryWhere(filter)} and memories.created_at >= s.since and memories.created_at < s.until
        group by memories.author
      ) written
      join agents on agents.tenant_id = ${filter.tenant_id} and agents.seq = written.author
    order by s.span, written.author`);
  const bySpan = Map.groupBy(counted, ({ span }) => span);
  return spans.map(({ span }) =>
    (bySpan.get(span) ?? []).map(({ agent_id, memory_count }) => ({ agent_id, memory_count })),
  );
}

const agedRows = (work: Work, filter: MemoryFilter, { after, limit }: RowsAfter): Promise<AgedRow[]> =>
  work.rows<AgedRow>(sql`
    select memories.id, memory_type, created_at, ts_valid_start, ts_valid_end, recall_count from memories
    where ${memoryWhere(filter)} ${afterEdge(after)} ${newestFirst(limit)}`);

async function placedRows(
  work: Work,
  filter: MemoryFilter,
  { after, limit, characters }: RowsAfter & { readonly characters: number },
): Promise<PlacedRow[]> {
  const { space } = work;
  const column = sql.raw(`v.${comparedColumn(space)}`);
  const rows = await work.rows<Omit<PlacedRow, "vector"> & { vector: string }>(sql`
    select memories.id, title, memory_type, created_at, substr(content, 1, ${characters}::int) as content,
      ${sentVector(column)} as vector
    from memories
      join ${sql.raw(tablesOf(space).memory_vectors)} v on v.tenant_id = memories.tenant_id and v.seq = memories.seq
    where ${memoryWhere(filter)} ${afterEdge(after)} and v.embedder_id = ${space.id} and ${column} is not null
    ${newestFirst(limit)}`);
  return rows.flatMap(({ vector, ...row }) => {
    const values = vectorIn(vector);
    return values ? [{ ...row, vector: values }] : [];
  });
}

const newestFirst = (limit: number): SQL => sql`order by memories.created_at desc, memories.id desc limit ${limit}`;

const afterEdge = (after: PageEdge | null): SQL =>
  after === null ? sql`` : sql`and (memories.created_at, memories.id) < (${after.created_at}, ${after.id})`;
