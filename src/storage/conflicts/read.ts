import { sql } from "drizzle-orm";
import type {
  FoundMemory,
  StoredFinding,
  Successor,
  Superseded,
  UncheckedMemory,
} from "../../core/ports/contradiction-store.ts";
import type { DemotedStatus, FoundStatus } from "../../core/ports/finding.ts";
import type { MemoryFilter, ReadScope } from "../../core/ports/memory-filter.ts";
import type { MemoryKey } from "../../core/ports/stored-memory.ts";
import type { MemoryStatus } from "../../core/schema/memory.ts";
import { POSSIBLE } from "../../core/schema/observing/possible-change.ts";
import { isReadAnew } from "../jobs/reembed.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { ReadMemory } from "../memories/rows.ts";
import { MEMORY_COLUMNS, toMemory } from "../memories/rows.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";

/** Findings shown of one row, on either side. */
const FINDINGS_MAX = 100;
/** Links followed from superseded rows to their successors in one read. */
const LINKS_MAX = 256;
/** Characters shown of a superseded row, and of one by which another may have changed. */
export const PREVIEW_LENGTH = 200;

/** The rows among `ids` that were not checked as they are, oldest first. */
export function* uncheckedMemories(
  { dialect }: Work,
  tenant_id: string,
  ids: readonly string[],
  embedder_id: string,
): Unit<UncheckedMemory[]> {
  type Found = ReadMemory & { readonly [K in "demoted" | "is_partial"]: boolean | number };
  const found = yield* rows<Found>(sql`
    select ${MEMORY_COLUMNS}, checked.former_status is not null as demoted, ${isReadAnew(dialect, tenant_id)} as is_partial
    from memories left join memory_checks checked
      on ${dialect.tenant("checked", tenant_id)} and checked.memory_seq = memories.seq
    where ${memoryWhere(dialect, { tenant_id, ids })} and (checked.content_hash is distinct from memories.content_hash
      or (not checked.embedded and memories.embedded_by = ${embedder_id}))
    order by memories.seq`);
  return found.map(({ demoted, is_partial, ...memory }) => ({
    memory: toMemory(memory),
    demoted: Boolean(demoted),
    is_partial: Boolean(is_partial),
  }));
}

/** When the detector checked a row as it is now; null when it has not yet. */
export function* checkedAt({ dialect }: Work, { tenant_id, id }: MemoryKey): Unit<string | null> {
  const found = yield* row<{ checked_at: string | null }>(sql`select c.checked_at
    from memories m ${dialect.nested} memory_checks c on ${dialect.tenant("c", tenant_id)} and c.memory_seq = m.seq
    where ${dialect.belongs("m", tenant_id)} and m.id = ${id} and c.content_hash = m.content_hash`);
  return found?.checked_at ?? null;
}

interface RawFinding extends FoundMemory {
  readonly direction: StoredFinding["direction"];
  readonly found_status: FoundStatus;
  readonly rule: string;
  readonly certainty: number;
  readonly why: string | null;
  readonly own_start: number;
  readonly own_end: number;
  readonly other_start: number;
  readonly other_end: number;
}

/** What stands about a row, surest first. */
export function* findingsOf(
  { dialect }: Work,
  { tenant_id, id }: MemoryKey,
  read_scope: ReadScope,
): Unit<StoredFinding[]> {
  const visible = memoryWhere(dialect, { tenant_id, read_scope });
  const side = (direction: StoredFinding["direction"], own: "newer" | "older", other: "newer" | "older") => sql`
    select memories.id, memories.content, memories.status, memories.created_at, memories.supersedes_id,
      ${sql.raw(`'${direction}' as direction, f.status as found_status, f.rule, f.confidence as certainty, f.why,
      f.${own}_start as own_start, f.${own}_end as own_end, f.${other}_start as other_start, f.${other}_end as other_end`)}
    from (select seq from memories where ${dialect.belongs("memories", tenant_id)} and id = ${id}) own
      ${dialect.nested} findings f on ${dialect.belongs("f", tenant_id)} and f.${sql.raw(own)}_seq = own.seq
        and f.retracted_at is null
      ${dialect.nested} memories on memories.seq = f.${sql.raw(other)}_seq
    where ${visible}`;
  const found = yield* rows<RawFinding>(sql`
    select * from (${side("supersedes", "newer", "older")} union all ${side("superseded_by", "older", "newer")}) found
    order by found_status = ${POSSIBLE}, certainty desc, created_at desc, id desc limit ${int(FINDINGS_MAX)}`);
  return found.map(toFinding);
}

function toFinding(raw: RawFinding): StoredFinding {
  const { direction, found_status, rule, certainty, why, own_start, own_end, other_start, other_end, ...other } = raw;
  return {
    direction,
    other,
    status: found_status,
    rule,
    confidence: certainty,
    why,
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
export function* supersededBy(
  { dialect }: Work,
  tenant_id: string,
  ids: readonly string[],
  read_scope: ReadScope,
): Unit<Superseded[]> {
  const wanted = ids.map((id, key) => ({ id, key }));
  const found = yield* rows<RawSuperseded>(sql`
    select found.newer_id, older.id, older.status, found.status as found_status,
      substr(older.content, 1, ${int(PREVIEW_LENGTH)}) as preview
    from (
      select wanted.key, newer.id as newer_id, f.older_seq, f.status,
        row_number() over (partition by wanted.key order by f.confidence desc, f.id) as place
      from ${dialect.records(wanted, "wanted", { id: "text", key: "int" })}
        ${dialect.nested} memories newer on ${dialect.belongs("newer", tenant_id)} and newer.id = wanted.id
        ${dialect.nested} findings f on ${dialect.belongs("f", tenant_id)} and f.newer_seq = newer.seq
          and f.retracted_at is null and f.status <> ${POSSIBLE}
        ${dialect.nested} memories on memories.seq = f.older_seq
      where ${memoryWhere(dialect, { tenant_id, read_scope })}) found
      ${dialect.nested} memories older on ${dialect.belongs("older", tenant_id)} and older.seq = found.older_seq
    where found.place <= ${int(FINDINGS_MAX)}
    order by found.key, found.place`);
  return found.map(({ newer_id, id, status, found_status, preview }) => ({
    newer_id,
    older: { id, status },
    status: found_status,
    preview,
  }));
}

/** Follows the findings from superseded rows to the rows that stand in their place. */
export function successorsOf({ dialect }: Work, ids: readonly string[], filter: MemoryFilter): Unit<Successor[]> {
  const { tenant_id } = filter;
  const newerOf = (seq: string) => sql`${dialect.nested} findings f ${dialect.indexed("findings_open")}
    on ${dialect.belongs("f", tenant_id)} and f.older_seq = ${sql.raw(seq)} and f.retracted_at is null
      and f.status <> ${POSSIBLE}`;
  // The limit stands with what is read of the chain: nothing more is followed than is asked for.
  return rows<Successor>(sql`
    with recursive chain (older_id, seq) as (
      select older.id, f.newer_seq from memories older ${newerOf("older.seq")}
        where ${dialect.belongs("older", tenant_id)} and ${dialect.isIn(sql`older.id`, ids)}
      union
      select chain.older_id, f.newer_seq from chain ${newerOf("chain.seq")}
    ),
    followed as materialized (select older_id, seq from chain limit ${int(LINKS_MAX)})
    select followed.older_id, memories.id as newer_id from followed
      ${dialect.nested} memories on memories.seq = followed.seq
    where ${memoryWhere(dialect, filter)}
    order by memories.created_at desc, memories.id desc`);
}
