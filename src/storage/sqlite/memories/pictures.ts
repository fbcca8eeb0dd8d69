import type { SQLQueryBindings } from "bun:sqlite";
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
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { memoryWhereText } from "./filters.ts";
import { blobVector } from "./rows.ts";

/** What pictures are drawn from, over SQLite: all of it walks the index by time. */
export const sqlitePictureRows = (db: Connections, space: EmbedderSpace): PictureRows => ({
  writtenBetween: (filter, instants) => guarded(() => writtenBetween(db, filter, instants)),
  aged: (filter, part) => guarded(() => agedRows(db, filter, part)),
  placed: (filter, part) => guarded(() => placedRows(db, space, filter, part)),
});

/** One statement a span: sorting few rows by their authors takes less than sorting all of them by span and author. */
function writtenBetween(db: Connections, filter: MemoryFilter, instants: readonly string[]): WrittenBy[][] {
  const where = memoryWhereText(filter);
  const counted = db.readConnection.query<WrittenBy, SQLQueryBindings[]>(`
    select agents.agent_id, written.memory_count from (
      select memories.author, count(*) as memory_count from memories indexed by memories_by_time
      where ${where.sql} and memories.created_at >= ? and memories.created_at < ? group by memories.author
    ) written join agents on agents.seq = written.author`);
  return instants.slice(1).map((until, i) => counted.all(...where.params, instants[i] ?? until, until));
}

function agedRows(db: Connections, filter: MemoryFilter, part: RowsAfter): AgedRow[] {
  const where = memoryWhereText(filter);
  const edge = afterEdge(part.after);
  const rows = db.readConnection.query<AgedRow, SQLQueryBindings[]>(`
    select memories.id, memory_type, created_at, ts_valid_start, ts_valid_end, recall_count
    from memories indexed by memories_by_time where ${where.sql} ${edge.sql} ${NEWEST_FIRST}`);
  return rows.all(...where.params, ...edge.params, part.limit);
}

function placedRows(
  db: Connections,
  space: EmbedderSpace,
  filter: MemoryFilter,
  { after, limit, characters }: RowsAfter & { readonly characters: number },
): PlacedRow[] {
  const where = memoryWhereText(filter);
  const edge = afterEdge(after);
  const column = `v.${comparedColumn(space)}`;
  const rows = db.readConnection.query<Omit<PlacedRow, "vector"> & { vector: Uint8Array }, SQLQueryBindings[]>(`
    select memories.id, title, memory_type, created_at, substr(content, 1, ?) as content, ${column} as vector
    from memories indexed by memories_by_time cross join ${tablesOf(space).memory_vectors} v on v.seq = memories.seq
    where ${where.sql} ${edge.sql} and v.embedder_id = ? and ${column} is not null ${NEWEST_FIRST}`);
  return rows
    .all(characters, ...where.params, ...edge.params, space.id, limit)
    .map((row) => ({ ...row, vector: blobVector(row.vector) }));
}

const NEWEST_FIRST = "order by memories.created_at desc, memories.id desc limit ?";

const afterEdge = (after: PageEdge | null) =>
  after === null
    ? { sql: "", params: [] }
    : { sql: "and (memories.created_at, memories.id) < (?, ?)", params: [after.created_at, after.id] };
