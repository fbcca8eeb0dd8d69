import type { SQL } from "drizzle-orm";
import { and, eq, gte, inArray, isNotNull, isNull, lte, not, notInArray, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { MemoryFilter, ReadScope, TimeSpan } from "../../../core/ports/memory-filter.ts";
import { memories } from "../engine/tables.ts";
import { happenedAt } from "../migrations/after-0.1.0/happened.ts";

type Clause = SQL | undefined;

/** The one place where a predicate over memories is built; the tenant always comes first. */
export function memoryWhere(filter: MemoryFilter): SQL {
  const clauses = [
    filter.ids ? besideIds(memories.tenant_id, filter.tenant_id) : eq(memories.tenant_id, filter.tenant_id),
    ...deletionClauses(filter),
    filter.read_scope && withinReach(filter.read_scope),
    filter.written_by === undefined ? undefined : eq(memories.agent_id, filter.written_by),
    fleetClause(filter.fleets),
    filter.ids && within(filter.ids),
    filter.exclude_ids && not(within(filter.exclude_ids)),
    ...Object.entries(filter.metadata ?? {}).map(metadataMember),
    ...fieldClauses(filter),
    ...timeClauses(filter),
  ];
  return and(...clauses) ?? sql`true`;
}

function deletionClauses({ deleted, include_deleted }: MemoryFilter): Clause[] {
  if (!deleted) return [include_deleted ? undefined : isNull(memories.deleted_at)];
  const { from, until } = deleted;
  return [
    isNotNull(memories.deleted_at),
    from === undefined ? undefined : gte(memories.deleted_at, from),
    until === undefined ? undefined : lte(memories.deleted_at, until),
  ];
}

const dialect = new SQLiteSyncDialect();

/** The same predicate as text and values, for statements that are written out. */
export const memoryWhereText = (filter: MemoryFilter): WhereText => whereText(memoryWhere(filter));

export interface WhereText {
  readonly sql: string;
  readonly params: (string | number)[];
}

/** A predicate as text and values, for statements that are written out. */
export function whereText(where: SQL): WhereText {
  const { sql, params } = dialect.sqlToQuery(where);
  // Safe: what filters hold are texts and numbers.
  return { sql, params: params as (string | number)[] };
}

function fieldClauses(filter: MemoryFilter): Clause[] {
  return [
    filter.memory_types && inArray(anyWord(memories.memory_type), [...filter.memory_types]),
    filter.exclude_memory_types && notInArray(anyWord(memories.memory_type), [...filter.exclude_memory_types]),
    filter.statuses && inArray(anyWord(memories.status), [...filter.statuses]),
    filter.visibility && eq(memories.visibility, filter.visibility),
    filter.run_id === undefined ? undefined : eq(memories.run_id, filter.run_id),
    filter.weight_min === undefined ? undefined : gte(memories.weight, filter.weight_min),
    filter.weight_max === undefined ? undefined : lte(memories.weight, filter.weight_max),
  ];
}

function timeClauses(filter: MemoryFilter): Clause[] {
  const { created_after, created_before, unexpired_at, expired_by } = filter;
  return [
    created_after === undefined ? undefined : gte(memories.created_at, created_after),
    created_before === undefined ? undefined : lte(memories.created_at, created_before),
    unexpired_at === undefined
      ? undefined
      : sql`(${memories.expires_at} is null or ${memories.expires_at} > ${unexpired_at})`,
    expired_by === undefined ? undefined : lte(memories.expires_at, expired_by),
    ...(filter.valid_at === undefined ? [] : heldAt(filter.valid_at, filter.valid_since)),
    ...happenedIn(filter.happened),
  ];
}

const HAPPENED_AT = sql.raw(happenedAt("memories."));

/** Rows of what happened between two moments; the index `memories_by_happening` has them in order. */
const happenedIn = ({ from, until }: TimeSpan = {}): Clause[] => [
  from === undefined ? undefined : sql`${HAPPENED_AT} >= ${from}`,
  until === undefined ? undefined : sql`${HAPPENED_AT} <= ${until}`,
];

/**
 * Rows that held at a moment: begun by then, for which the time of writing counts where none is named, not ended, and not yet
 * superseded. A row superseded by others held until the first of them began; one called outdated by hand, until then.
 */
const heldAt = (moment: string, since = moment): Clause[] => [
  sql`coalesce(${memories.ts_valid_start}, ${memories.created_at}) <= ${moment}`,
  sql`(${memories.ts_valid_end} is null or ${memories.ts_valid_end} >= ${since})`,
  sql`(${memories.status} <> 'outdated' or case
    when exists (${OVERTAKINGS})
    then not exists (${OVERTAKINGS} and coalesce(newer.ts_valid_start, newer.created_at) <= ${moment})
    else ${memories.ts_valid_end} is not null or exists (
      select 1 from audit_log noted where noted.tenant_id = ${memories.tenant_id} and noted.target_id = ${memories.id}
        and noted.at > ${moment} and noted.after ->> '$.status' = 'outdated') end)`,
];

/** What stands against a row. */
const OVERTAKINGS = sql`select 1 from findings found cross join memories newer on newer.seq = found.newer_seq
  where found.older_seq = ${memories.seq} and found.retracted_at is null and found.status = 'outdated'`;

/**
 * The tenant of rows that are looked up by their ids. The plus takes the column out of SQLite's choice of an index: it would
 * rather walk through all rows of the tenant than look up a handful of ids.
 */
export const besideIds = (tenant: SQLiteColumn, tenant_id: string): SQL => sql`+${tenant} = ${tenant_id}`;

/** A list as one bound value: a thousand ids are no thousand parameters. */
const within = (ids: readonly string[]): SQL =>
  sql`${memories.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/** Compares a member of the metadata with a text; keys are compared, never parsed as paths. */
const metadataMember = ([key, value]: [string, string]): SQL =>
  sql`exists (select 1 from json_each(${memories.metadata}) member where member.key = ${key} and
    case member.type when 'true' then 'true' when 'false' then 'false' else cast(member.value as text) end = ${value})`;

/** Callers may name words that are no type or status at all: those match nothing, so the column's narrow type is widened. */
const anyWord = (column: SQLiteColumn): SQL<string> => sql<string>`${column}`;

function fleetClause(fleets: MemoryFilter["fleets"]): Clause {
  if (!fleets) return undefined;
  const named = inArray(memories.fleet_id, [...fleets.ids]);
  return fleets.orShared ? or(named, isNull(memories.fleet_id), eq(memories.visibility, "scope_org")) : named;
}

/** What a reader may see: the organisation's rows, its fleets' team rows, its own private rows. */
function withinReach(read_scope: ReadScope): Clause {
  const team =
    read_scope.fleets === "all"
      ? eq(memories.visibility, "scope_team")
      : and(
          eq(memories.visibility, "scope_team"),
          or(isNull(memories.fleet_id), inArray(memories.fleet_id, [...read_scope.fleets])),
        );
  const own =
    read_scope.agent_id === null
      ? undefined
      : and(eq(memories.visibility, "scope_agent"), eq(memories.agent_id, read_scope.agent_id));
  return or(eq(memories.visibility, "scope_org"), team, own);
}
