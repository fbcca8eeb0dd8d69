import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { ExportFilter } from "../../core/ports/keeping/transfer.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { RecordOf, TransferRecord } from "../../core/schema/keeping/transfer.ts";
import type { ReadMemory } from "../memories/rows.ts";
import { MEMORY_COLUMNS, toMemory } from "../memories/rows.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { Moment } from "./parts.ts";
import { isOfOwner, ROWS_PER_PART } from "./parts.ts";

/** A place in the order in which memories were written. */
interface Place {
  readonly created_at: string;
  readonly id: string;
}

/** What is told beside a memory. */
type Beside = Pick<RecordOf<"memory">, "subject_name" | "checked_at" | "former_status">;

/** After any moment that there is. */
const END = "~";

/**
 * The memories of the filter in the order in which they were written, a part at a time. What another agent or fleet has, and what is
 * deleted, is walked past, not looked for, so that no part takes long.
 */
export async function* readMemories(moment: Moment, filter: ExportFilter): AsyncGenerator<readonly TransferRecord[]> {
  const { tenant_id, created_before = END } = filter;
  const ofTenant = sql`memories.tenant_id = ${tenant_id} and memories.created_at < ${created_before}`;
  for (let after: Place | null = { created_at: filter.created_after ?? "", id: "" }; after; ) {
    const isAfter: SQL = sql`${ofTenant} and (memories.created_at, memories.id) > (${after.created_at}, ${after.id})`;
    const part = await moment.read(function* (work) {
      const last = yield* row<Place>(sql`select memories.created_at, memories.id from memories where ${isAfter}
        order by memories.created_at, memories.id limit 1 offset ${int(ROWS_PER_PART - 1)}`);
      const isWithin = last
        ? sql`${isAfter} and (memories.created_at, memories.id) <= (${last.created_at}, ${last.id})`
        : isAfter;
      return { last, records: yield* memories(work, filter, sql`${isWithin} and ${isOfOwner("memories", filter)}`) };
    });
    yield part.records;
    after = part.last;
  }
}

/** Links that were inferred from the text are inferred again where it is taken in. What was compared as it is now says so. */
function* memories({ dialect }: Work, { tenant_id }: ExportFilter, isWanted: SQL): Unit<TransferRecord[]> {
  const found = yield* rows<ReadMemory<StoredMemory & Beside>>(sql`
    select ${MEMORY_COLUMNS}, e.canonical_name as subject_name,
      case when c.content_hash = memories.content_hash
        and (c.embedded = ${dialect.truth(true)} or memories.embedded_by is null) then c.checked_at end as checked_at,
      nullif(c.former_status, 'deleted') as former_status
    from memories
    left join memory_checks c on ${dialect.tenant("c", sql`memories.tenant_id`)} and c.memory_seq = memories.seq
    left join entities e on ${dialect.belongs("e", sql`memories.tenant_id`)} and e.id = memories.subject_entity_id
    where ${isWanted} and memories.deleted_at is null order by memories.created_at, memories.id`);
  const told = found.map((one) => {
    const {
      tenant_id: _tenant,
      content_hash: _hash,
      deleted_at: _deleted,
      embedded_by: _model,
      ...others
    } = toMemory(one);
    return { ...others, entity_links: others.entity_links.filter(({ inferred }) => inferred !== true) };
  });
  const linked = new Set(told.flatMap(({ entity_links }) => entity_links.map(({ entity_id }) => entity_id)));
  const named = yield* rows<{ id: string; name: string }>(sql`select e.id, e.canonical_name as name from entities e
    where ${dialect.belongs("e", tenant_id)} and ${dialect.isIn(sql`e.id`, [...linked])}`);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return told.map(({ status, entity_links, ...others }) => ({
    record: "memory",
    ...others,
    // Deleted rows are not read.
    status: status === "deleted" ? null : status,
    entity_links: entity_links.map(({ entity_id, role }) => ({ entity_id, role, name: names.get(entity_id) ?? null })),
  }));
}
