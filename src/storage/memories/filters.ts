import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter, ReadScope, TimeSpan } from "../../core/ports/memory-filter.ts";
import type { SqlDialect } from "../units/dialect.ts";

type Clause = SQL | undefined;
const AND = sql.raw(" and ");
const NOTHING = sql.raw("");

/** The one place where a predicate over memories is built; the tenant always comes first. */
export function memoryWhere(dialect: SqlDialect, filter: MemoryFilter): SQL {
  const clauses: Clause[] = [
    filter.ids ? dialect.belongs("memories", filter.tenant_id) : sql`memories.tenant_id = ${filter.tenant_id}`,
    ...deletionClauses(filter),
    filter.read_scope && withinReach(dialect, filter.read_scope),
    compared("agent_id =", filter.written_by),
    fleetClause(dialect, filter.fleets),
    filter.no_fleet ? sql`memories.fleet_id is null` : undefined,
    filter.ids && dialect.isIn(sql`memories.id`, filter.ids),
    filter.exclude_ids && sql`not ${dialect.isIn(sql`memories.id`, filter.exclude_ids)}`,
    ...Object.entries(filter.metadata ?? {}).map(
      ([key, value]) => sql`${dialect.member(sql`memories.metadata`, key)} = ${value}`,
    ),
    ...fieldClauses(dialect, filter),
    ...timeClauses(dialect, filter),
  ];
  return sql.join(
    clauses.filter((clause) => clause !== undefined),
    AND,
  );
}

/** Compares a column with a value, where one is given. */
const compared = (column: string, value: string | number | undefined): Clause =>
  value === undefined ? undefined : sql`${sql.raw(`memories.${column}`)} ${value}`;

function deletionClauses({ deleted, include_deleted }: MemoryFilter): Clause[] {
  if (!deleted) return [include_deleted ? undefined : sql`memories.deleted_at is null`];
  return [
    sql`memories.deleted_at is not null`,
    compared("deleted_at >=", deleted.from),
    compared("deleted_at <=", deleted.until),
  ];
}

/** Callers may name words that are no type or status at all: those match nothing. */
function fieldClauses({ isIn }: SqlDialect, filter: MemoryFilter): Clause[] {
  const { memory_types, exclude_memory_types, statuses } = filter;
  return [
    memory_types && isIn(sql`memories.memory_type`, memory_types),
    exclude_memory_types && sql`not ${isIn(sql`memories.memory_type`, exclude_memory_types)}`,
    statuses && isIn(sql`memories.status`, statuses),
    compared("visibility =", filter.visibility),
    compared("run_id =", filter.run_id),
    compared("weight >=", filter.weight_min),
    compared("weight <=", filter.weight_max),
  ];
}

function timeClauses(dialect: SqlDialect, filter: MemoryFilter): Clause[] {
  const { created_after, created_before, unexpired_at, expired_by, valid_at } = filter;
  return [
    compared("created_at >=", created_after),
    compared("created_at <=", created_before),
    unexpired_at === undefined
      ? undefined
      : sql`(memories.expires_at is null or memories.expires_at > ${unexpired_at})`,
    compared("expires_at <=", expired_by),
    ...(valid_at === undefined ? [] : heldAt(dialect, filter.tenant_id, valid_at, filter.valid_since)),
    ...happenedIn(dialect, filter.happened),
  ];
}

/** Rows of what happened between two moments; the index `memories_by_happening` has them in order. */
const happenedIn = ({ happenedAt }: SqlDialect, { from, until }: TimeSpan = {}): Clause[] => [
  from === undefined ? undefined : sql`${happenedAt} >= ${from}`,
  until === undefined ? undefined : sql`${happenedAt} <= ${until}`,
];

/**
 * Rows that held at a moment: begun by then, for which the time of writing counts where none is named, not ended, and not yet
 * superseded. A row superseded by others held until the first of them began; one called outdated by hand, until then.
 */
function heldAt(dialect: SqlDialect, tenant_id: string, moment: string, since = moment): Clause[] {
  const overtakings = sql`select 1 from findings found
    ${dialect.nested} memories newer on ${dialect.belongs("newer", tenant_id)} and newer.seq = found.newer_seq
    where ${dialect.belongs("found", tenant_id)} and found.older_seq = memories.seq
      and found.retracted_at is null and found.status = 'outdated'`;
  return [
    sql`coalesce(memories.ts_valid_start, memories.created_at) <= ${moment}`,
    sql`(memories.ts_valid_end is null or memories.ts_valid_end >= ${since})`,
    sql`(memories.status <> 'outdated' or case
      when exists (${overtakings})
      then not exists (${overtakings} and coalesce(newer.ts_valid_start, newer.created_at) <= ${moment})
      else memories.ts_valid_end is not null or exists (
        select 1 from audit_log noted where noted.tenant_id = ${tenant_id} and noted.target_id = memories.id
          and noted.at > ${moment} and noted.after ->> 'status' = 'outdated') end)`,
  ];
}

function fleetClause({ isIn }: SqlDialect, fleets: MemoryFilter["fleets"]): Clause {
  if (!fleets) return undefined;
  const named = isIn(sql`memories.fleet_id`, fleets.ids);
  return fleets.orShared ? sql`(${named} or memories.fleet_id is null or memories.visibility = 'scope_org')` : named;
}

/** What a reader may see: the organisation's rows, its fleets' team rows, its own private rows. */
function withinReach({ isIn }: SqlDialect, { fleets, agent_id }: ReadScope): Clause {
  const ofFleets =
    fleets === "all" ? NOTHING : sql` and (memories.fleet_id is null or ${isIn(sql`memories.fleet_id`, fleets)})`;
  const own =
    agent_id === null ? NOTHING : sql` or (memories.visibility = 'scope_agent' and memories.agent_id = ${agent_id})`;
  return sql`(memories.visibility = 'scope_org' or (memories.visibility = 'scope_team'${ofFleets})${own})`;
}
