import { sql } from "drizzle-orm";
import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import type { ExportedMemory } from "../../common/transfer/records.ts";
import { memoryRecord } from "../../common/transfer/records.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { MEMORY_COLUMNS } from "../memories/rows.ts";
import type { Read } from "./moment.ts";

/** A place in the order in which memories were written. */
interface Place {
  readonly created_at: string;
  readonly id: string;
}

/** After any moment that there is. */
const END = "~";

/** The memories of the filter, a part at a time. */
export async function* readMemories(
  read: Read,
  filter: ExportFilter,
  rowsPerPart: number,
): AsyncGenerator<readonly TransferRecord[]> {
  for (let after: Place | null = { created_at: filter.created_after ?? "", id: "" }; after; ) {
    const from: Place = after;
    const part = await read(async (work) => {
      const rows = await someMemories(work, filter, from, rowsPerPart);
      return { rows, nameOf: await namesOf(work, filter, rows) };
    });
    yield part.rows.map((row) => memoryRecord(row, part.nameOf));
    after = part.rows.length < rowsPerPart ? null : (part.rows.at(-1) ?? null);
  }
}

/** Memories in the order in which they were written; what was compared as it is now says so. */
const someMemories = (
  work: Work,
  { tenant_id, fleet_id, agent_id, created_before }: ExportFilter,
  { created_at, id }: Place,
  limit: number,
): Promise<ExportedMemory[]> =>
  work.rows<ExportedMemory>(sql`select ${MEMORY_COLUMNS}, c.former_status,
      case when c.content_hash = memories.content_hash and (c.embedded or memories.embedded_by is null)
        then c.checked_at end as checked_at,
      (select canonical_name from entities e where e.tenant_id = memories.tenant_id and e.id = memories.subject_entity_id)
        as subject_name
    from memories
    left join memory_checks c on c.tenant_id = memories.tenant_id and c.memory_seq = memories.seq
    where memories.tenant_id = ${tenant_id} and (memories.created_at, memories.id) > (${created_at}, ${id})
      and memories.created_at < ${created_before ?? END} and memories.deleted_at is null
      and ${fleet_id === undefined ? sql`true` : sql`memories.fleet_id = ${fleet_id}`}
      and ${agent_id === undefined ? sql`true` : sql`memories.agent_id = ${agent_id}`}
    order by memories.created_at, memories.id limit ${limit}`);

/** Tells the names of the entities that rows are linked to. */
async function namesOf(work: Work, { tenant_id }: ExportFilter, rows: readonly ExportedMemory[]) {
  const ids = new Set(rows.flatMap(({ entity_links }) => entity_links.map(({ entity_id }) => entity_id)));
  if (ids.size === 0) return () => null;
  const found = await work.rows<{ id: string; name: string }>(sql`select id, canonical_name as name from entities
    where tenant_id = ${tenant_id} and id = any(${textArray([...ids])})`);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return (entity_id: string) => names.get(entity_id) ?? null;
}
