import { sql } from "drizzle-orm";
import type {
  FoundMemory,
  StoredFinding,
  Successor,
  Superseded,
  UncheckedMemory,
} from "../../../core/ports/contradiction-store.ts";
import type { DemotedStatus } from "../../../core/ports/finding.ts";
import type { MemoryFilter, ReadScope } from "../../../core/ports/memory-filter.ts";
import type { MemoryKey, StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { memoryWhere } from "../memories/filters.ts";
import { MEMORY_COLUMNS } from "../memories/rows.ts";

/** Findings shown of one row, on either side. */
const FINDINGS_MAX = 100;
/** Links followed from superseded rows to their successors in one read. */
const LINKS_MAX = 256;
/** Characters shown of a superseded row. */
const PREVIEW_LENGTH = 200;

/** The rows among `ids` that were not checked as they are, oldest first. */
export async function uncheckedMemories(
  work: Work,
  tenant_id: string,
  ids: readonly string[],
  embedder_id: string,
): Promise<UncheckedMemory[]> {
  const rows = await work.rows<StoredMemory & { readonly demoted: boolean }>(sql`
    select ${MEMORY_COLUMNS}, checked.former_status is not null as demoted
    from memories left join memory_checks checked
      on checked.tenant_id = memories.tenant_id and checked.memory_seq = memories.seq
    where ${memoryWhere({ tenant_id, ids })} and (checked.content_hash is distinct from memories.content_hash
      or (not checked.embedded and memories.embedded_by is not distinct from ${embedder_id}::text))
    order by memories.seq`);
  return rows.map(({ demoted, ...memory }) => ({ memory, demoted }));
}

/** When the detector checked a row as it is now; null when it has not yet. */
export async function checkedAt(work: Work, { tenant_id, id }: MemoryKey): Promise<string | null> {
  const found = await work.row<{ checked_at: string | null }>(sql`select c.checked_at
    from memories m join memory_checks c on c.tenant_id = m.tenant_id and c.memory_seq = m.seq
    where m.tenant_id = ${tenant_id} and m.id = ${id} and c.content_hash = m.content_hash`);
  return found?.checked_at ?? null;
}

interface RawFinding extends FoundMemory {
  readonly direction: StoredFinding["direction"];
  readonly found_status: DemotedStatus;
  readonly rule: string;
  readonly certainty: number;
  readonly own_start: number;
  readonly own_end: number;
  readonly other_start: number;
  readonly other_end: number;
}

/** What stands about a row, surest first. */
export async function findingsOf(
  work: Work,
  { tenant_id, id }: MemoryKey,
  read_scope: ReadScope,
): Promise<StoredFinding[]> {
  const visible = memoryWhere({ tenant_id, read_scope });
  const side = (direction: StoredFinding["direction"], own: "newer" | "older", other: "newer" | "older") => sql`
    select memories.id, memories.content, memories.status, memories.created_at, memories.supersedes_id,
      ${sql.raw(`'${direction}' as direction, f.status as found_status, f.rule, f.confidence as certainty,
      f.${own}_start as own_start, f.${own}_end as own_end, f.${other}_start as other_start, f.${other}_end as other_end`)}
    from memories own
      join findings f on f.tenant_id = own.tenant_id and f.${sql.raw(own)}_seq = own.seq and f.retracted_at is null
      join memories on memories.tenant_id = f.tenant_id and memories.seq = f.${sql.raw(other)}_seq
    where own.tenant_id = ${tenant_id} and own.id = ${id} and ${visible}`;
  const rows = await work.rows<RawFinding>(sql`
    select * from (${side("supersedes", "newer", "older")} union all ${side("superseded_by", "older", "newer")}) found
    order by certainty desc, created_at desc limit ${FINDINGS_MAX}`);
  return rows.map(toFinding);
}

function toFinding(raw: RawFinding): StoredFinding {
  const { direction, found_status, rule, certainty, own_start, own_end, other_start, other_end, ...other } = raw;
  return {
    direction,
    other,
    status: found_status,
    rule,
    confidence: certainty,
    own_span: { start: own_start, end: own_end },
    other_span: { start: other_start, end: other_end },
  };
}

interface RawSuperseded {
  readonly newer_id: string;
  readonly id: string;
  readonly status: MemoryStatus;
  readonly found_status: DemotedStatus;
  readonly preview: string;
}

/** The older rows of each of some rows, the surest of those that the reader sees. */
export async function supersededBy(
  work: Work,
  tenant_id: string,
  ids: readonly string[],
  read_scope: ReadScope,
): Promise<Superseded[]> {
  const visible = memoryWhere({ tenant_id, read_scope });
  const rows = await work.rows<RawSuperseded>(sql`
    select found.newer_id, older.id, older.status, found.status as found_status,
      left(older.content, ${sql.raw(String(PREVIEW_LENGTH))}) as preview
    from (
      select wanted.place as key, newer.id as newer_id, f.older_seq, f.status,
        row_number() over (partition by wanted.place order by f.confidence desc, f.id) as place
      from unnest(${textArray(ids)}) with ordinality as wanted (id, place)
        join memories newer on newer.tenant_id = ${tenant_id} and newer.id = wanted.id
        join findings f on f.tenant_id = newer.tenant_id and f.newer_seq = newer.seq and f.retracted_at is null
        join memories on memories.tenant_id = f.tenant_id and memories.seq = f.older_seq
      where ${visible}) found
      join memories older on older.tenant_id = ${tenant_id} and older.seq = found.older_seq
    where found.place <= ${sql.raw(String(FINDINGS_MAX))}
    order by found.key, found.place`);
  return rows.map(({ newer_id, id, status, found_status, preview }) => ({
    newer_id,
    older: { id, status },
    status: found_status,
    preview,
  }));
}

/** Follows the findings from superseded rows to the rows that stand in their place. */
export function successorsOf(work: Work, ids: readonly string[], filter: MemoryFilter): Promise<Successor[]> {
  const { tenant_id } = filter;
  // The limit stands with what is read of the chain: nothing more is followed than is asked for.
  return work.rows<Successor>(sql`
    with recursive chain (older_id, seq) as (
      select older.id, f.newer_seq from memories older
        join findings f on f.tenant_id = older.tenant_id and f.older_seq = older.seq and f.retracted_at is null
        where older.tenant_id = ${tenant_id} and older.id = any(${textArray(ids)})
      union
      select chain.older_id, f.newer_seq from chain
        join findings f on f.tenant_id = ${tenant_id} and f.older_seq = chain.seq and f.retracted_at is null
    ),
    followed as materialized (select older_id, seq from chain limit ${sql.raw(String(LINKS_MAX))})
    select followed.older_id, memories.id as newer_id from followed
      join memories on memories.tenant_id = ${tenant_id} and memories.seq = followed.seq
    where ${memoryWhere(filter)}
    order by memories.created_at desc, memories.id desc`);
}
