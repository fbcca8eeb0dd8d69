import type { SQLQueryBindings } from "bun:sqlite";
import { and, asc, eq, sql } from "drizzle-orm";
import type {
  FoundMemory,
  StoredFinding,
  Successor,
  Superseded,
  UncheckedMemory,
} from "../../../core/ports/contradiction-store.ts";
import type { DemotedStatus } from "../../../core/ports/finding.ts";
import type { MemoryFilter, ReadScope } from "../../../core/ports/memory-filter.ts";
import type { MemoryKey } from "../../../core/ports/stored-memory.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import type { Connections } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { memoryWhere, memoryWhereText } from "../memories/filters.ts";
import { toStoredMemory } from "../memories/rows.ts";
import { memoryChecks } from "./tables.ts";

/** Findings shown of one row, on either side. */
const FINDINGS_MAX = 100;
/** Links followed from superseded rows to their successors in one read. */
const LINKS_MAX = 256;
/** Characters shown of a superseded row. */
const PREVIEW_LENGTH = 200;

/** The rows among `ids` that were not checked as they are, oldest first; read past the reader, whose view may be behind. */
export function uncheckedMemories(
  db: Connections,
  tenant_id: string,
  ids: readonly string[],
  embedder_id: string,
): UncheckedMemory[] {
  const { content_hash, embedded, former_status } = memoryChecks;
  const isStale = sql`${content_hash} is not ${memories.content_hash}
    or (${embedded} = 0 and ${memories.embedded_by} is ${embedder_id})`;
  const rows = db.drizzleWrite
    .select({ row: memories, previous: former_status })
    .from(memories)
    .leftJoin(memoryChecks, eq(memoryChecks.memory_seq, memories.seq))
    .where(and(memoryWhere({ tenant_id, ids }), sql`(${isStale})`))
    .orderBy(asc(memories.seq))
    .all();
  return rows.map(({ row, previous }) => ({ memory: toStoredMemory(row), demoted: previous !== null }));
}

/** When the detector checked a row as it is now; null when it has not yet. */
export function checkedAt(db: Connections, { tenant_id, id }: MemoryKey): string | null {
  const found = db.drizzleRead
    .select({ checked_at: memoryChecks.checked_at })
    .from(memories)
    .innerJoin(memoryChecks, eq(memoryChecks.memory_seq, memories.seq))
    .where(
      and(eq(memories.id, id), eq(memories.tenant_id, tenant_id), eq(memoryChecks.content_hash, memories.content_hash)),
    );
  return found.get()?.checked_at ?? null;
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
export function findingsOf(db: Connections, { tenant_id, id }: MemoryKey, read_scope: ReadScope): StoredFinding[] {
  const visible = memoryWhereText({ tenant_id, read_scope });
  const side = (direction: StoredFinding["direction"], own: "newer" | "older", other: "newer" | "older") => `
    select memories.id, memories.content, memories.status, memories.created_at, memories.supersedes_id, '${direction}' as direction, f.status as found_status, f.rule, f.confidence as certainty,
      f.${own}_start as own_start, f.${own}_end as own_end, f.${other}_start as other_start, f.${other}_end as other_end
    from (select seq from memories where id = ?) own
    cross join findings f on f.${own}_seq = own.seq and f.retracted_at is null
    cross join memories on memories.seq = f.${other}_seq
    where ${visible.sql}`;
  return db.readConnection
    .query<RawFinding, SQLQueryBindings[]>(`
      select * from (${side("supersedes", "newer", "older")} union all ${side("superseded_by", "older", "newer")})
      order by certainty desc, created_at desc limit ${FINDINGS_MAX}`)
    .all(id, ...visible.params, id, ...visible.params)
    .map(toFinding);
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
export function supersededBy(
  db: Connections,
  tenant_id: string,
  ids: readonly string[],
  read_scope: ReadScope,
): Superseded[] {
  const visible = memoryWhereText({ tenant_id, read_scope });
  return db.readConnection
    .query<RawSuperseded, SQLQueryBindings[]>(`
      select found.newer_id, older.id, older.status, found.status as found_status,
        substr(older.content, 1, ${PREVIEW_LENGTH}) as preview
      from (
        select wanted.key, newer.id as newer_id, f.older_seq, f.status,
          row_number() over (partition by wanted.key order by f.confidence desc, f.id) as place
        from json_each(?) wanted
        cross join memories newer on newer.id = wanted.value
        cross join findings f on f.newer_seq = newer.seq and f.retracted_at is null
        cross join memories on memories.seq = f.older_seq
        where ${visible.sql}) found
      cross join memories older on older.seq = found.older_seq
      where found.place <= ${FINDINGS_MAX}
      order by found.key, found.place`)
    .all(JSON.stringify(ids), ...visible.params)
    .map(({ newer_id, id, status, found_status, preview }) => ({
      newer_id,
      older: { id, status },
      status: found_status,
      preview,
    }));
}

/** Follows the findings from superseded rows to the rows that stand in their place. */
export function successorsOf(db: Connections, ids: readonly string[], filter: MemoryFilter): Successor[] {
  const wanted = memoryWhereText(filter);
  return db.readConnection
    .query<Successor, SQLQueryBindings[]>(`
      with recursive chain (older_id, seq) as (
        select older.id, f.newer_seq from json_each(?) given
          cross join memories older on older.id = given.value
          cross join findings f indexed by findings_open on f.older_seq = older.seq and f.retracted_at is null
        union
        select chain.older_id, f.newer_seq from chain
          cross join findings f indexed by findings_open on f.older_seq = chain.seq and f.retracted_at is null
        limit ${LINKS_MAX}
      )
      select chain.older_id, memories.id as newer_id from chain
      cross join memories on memories.seq = chain.seq
      where ${wanted.sql}
      order by memories.created_at desc, memories.id desc`)
    .all(JSON.stringify(ids), ...wanted.params);
}
