import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { PageEdge } from "../../core/kernel/cursor.ts";
import type { MemoryFilter } from "../../core/ports/memory-filter.ts";
import type { AgedRow, PictureRows, PlacedRow, RowsAfter, WrittenBy } from "../../core/ports/observing/picture-rows.ts";
import { tablesOf } from "../common/sides.ts";
import type { EmbedderSpace } from "../options.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import { filedVectorIn } from "../units/vectors.ts";
import type { Runner, Work } from "../units/work.ts";
import { memoryWhere } from "./filters.ts";

/** What pictures are drawn from: all of it walks the index by time. */
export const pictureRows = ({ look }: Runner, space: EmbedderSpace): PictureRows => ({
  writtenBetween: (filter, instants) => look((work) => writtenBetween(work, filter, instants)),
  aged: (filter, part) => look((work) => agedRows(work, filter, part)),
  placed: (filter, part) => look((work) => placedRows(work, space, filter, part)),
});

/** Each span is counted by itself: sorting few rows by their authors takes less than sorting all of them by span and author. */
function* writtenBetween({ dialect }: Work, filter: MemoryFilter, instants: readonly string[]): Unit<WrittenBy[][]> {
  const spans = instants.slice(1).map((until, span) => ({ since: instants[span] ?? until, until }));
  const where = memoryWhere(dialect, filter);
  const counted = yield* dialect.each<WrittenBy>(
    spans,
    { since: "text", until: "text" },
    (span) => sql`
      select agents.agent_id, written.memory_count from (
        select memories.author, count(*) as memory_count from memories ${dialect.indexed("memories_by_time")}
        where ${where} and memories.created_at >= ${span.of("since")} and memories.created_at < ${span.of("until")}
        group by memories.author
      ) written join agents on ${dialect.belongs("agents", filter.tenant_id)} and agents.seq = written.author
      order by written.author`,
  );
  const bySpan = Map.groupBy(counted, ({ place }) => place);
  return spans.map((_, place) =>
    (bySpan.get(place) ?? []).map(({ agent_id, memory_count }) => ({ agent_id, memory_count })),
  );
}

const agedRows = ({ dialect }: Work, filter: MemoryFilter, { after, limit }: RowsAfter): Unit<AgedRow[]> =>
  rows<AgedRow>(sql`
    select memories.id, memory_type, created_at, ts_valid_start, ts_valid_end, recall_count
    from memories ${dialect.indexed("memories_by_time")}
    where ${memoryWhere(dialect, filter)} ${afterEdge(after)} ${newestFirst(limit)}`);

function* placedRows(
  { dialect }: Work,
  space: EmbedderSpace,
  filter: MemoryFilter,
  { after, limit, characters }: RowsAfter & { readonly characters: number },
): Unit<PlacedRow[]> {
  const found = yield* rows<Omit<PlacedRow, "vector"> & { readonly vector: Uint8Array | string }>(sql`
    select memories.id, title, memory_type, created_at, substr(content, 1, ${int(characters)}) as content,
      ${dialect.sent(sql`v.vector`)} as vector
    from memories ${dialect.indexed("memories_by_time")} ${dialect.nested} ${sql.raw(tablesOf(space).memory_vectors)} v
      on ${dialect.tenant("v", filter.tenant_id)} and v.seq = memories.seq
    where ${memoryWhere(dialect, filter)} ${afterEdge(after)} and v.embedder_id = ${space.id}
      and not ${dialect.isSilent(sql`v.vector`)}
    ${newestFirst(limit)}`);
  return found.map((row) => ({ ...row, vector: filedVectorIn(row.vector) }));
}

const newestFirst = (limit: number): SQL =>
  sql`order by memories.created_at desc, memories.id desc limit ${int(limit)}`;

const afterEdge = (after: PageEdge | null): SQL =>
  after === null ? sql`` : sql`and (memories.created_at, memories.id) < (${after.created_at}, ${after.id})`;
