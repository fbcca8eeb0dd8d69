import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { memoryRecord } from "../../common/transfer/records.ts";
import type { RawMemory } from "../memories/rows.ts";
import { MEMORY_COLUMNS, parseMemory } from "../memories/rows.ts";

interface MemoryRow extends RawMemory {
  readonly checked_at: string | null;
  readonly former_status: MemoryStatus | null;
  readonly subject_name: string | null;
}

/**
 * The memories after the moment and id of the last one read, up to another moment. What another agent or fleet has, and what is
 * deleted, is walked past, not looked for, so that no part takes long.
 */
const WITHIN = `memories.tenant_id = ?1 and (memories.created_at, memories.id) > (?2, ?3) and memories.created_at < ?4`;
/** After any moment that there is. */
const END = "~";

/** Memories in the order in which they were written; what was compared as it is now says so. */
const MEMORIES = `select ${MEMORY_COLUMNS}, c.former_status,
    case when c.content_hash = memories.content_hash and (c.embedded = 1 or memories.embedded_by is null)
      then c.checked_at end as checked_at,
    (select canonical_name from entities e where e.tenant_id = memories.tenant_id and e.id = memories.subject_entity_id)
      as subject_name
  from memories left join memory_checks c on c.memory_seq = memories.seq
  where ${WITHIN} order by memories.created_at, memories.id`;

const NAME = "select canonical_name as name from entities where tenant_id = ? and id = ?";

/** The memories of the filter, a part at a time. */
export function* readMemories(
  db: Database,
  { tenant_id, fleet_id, agent_id, created_after, created_before }: ExportFilter,
  rowsPerPart: number,
): Generator<readonly TransferRecord[]> {
  const some = db.query<MemoryRow, SQLQueryBindings[]>(`${MEMORIES} limit ${rowsPerPart}`);
  const isWanted = (row: MemoryRow): boolean =>
    row.deleted_at === null &&
    (fleet_id === undefined || row.fleet_id === fleet_id) &&
    (agent_id === undefined || row.agent_id === agent_id);
  const named = db.query<{ name: string }, [string, string]>(NAME);
  const nameOf = (entity_id: string) => named.get(tenant_id, entity_id)?.name ?? null;
  for (let last: Pick<MemoryRow, "created_at" | "id"> | null = { created_at: created_after ?? "", id: "" }; last; ) {
    const rows = some.all(tenant_id, last.created_at, last.id, created_before ?? END);
    yield rows.filter(isWanted).map((row) => memoryRecord({ ...row, ...parseMemory(row) }, nameOf));
    last = rows.length < rowsPerPart ? null : (rows.at(-1) ?? null);
  }
}
