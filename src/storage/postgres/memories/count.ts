import { sql } from "drizzle-orm";
import type { MemoryFilter, ReadScope } from "../../../core/ports/memory-filter.ts";
import type { FleetCount } from "../../../core/ports/memory-store.ts";
import type { MemoryStats } from "../../../core/schema/memory-query.ts";
import type { Work } from "../engine/work.ts";
import { memoryWhere } from "./filters.ts";

/** How many rows a filter has. */
export async function countMemories(work: Work, filter: MemoryFilter): Promise<number> {
  const row = await work.row<{ n: number }>(sql`select count(*) as n from memories where ${memoryWhere(filter)}`);
  return row?.n ?? 0;
}

/** A count of the rows that have one value of one column; of all of them without a column. */
interface Tally {
  readonly memory_type: string | null;
  readonly agent_id: string | null;
  readonly status: string | null;
  readonly n: number;
}

/** Rows of a filter counted by type, agent and status, all of one reading. */
export async function memoryStats(work: Work, filter: MemoryFilter): Promise<MemoryStats> {
  const tallies = await work.rows<Tally>(sql`select memory_type, agent_id, status, count(*) as n from memories
    where ${memoryWhere({ ...filter, include_deleted: false })}
    group by grouping sets ((memory_type), (agent_id), (status), ()) order by memory_type, agent_id, status`);
  const by = (column: "memory_type" | "agent_id" | "status") =>
    Object.fromEntries(tallies.flatMap((tally) => (tally[column] === null ? [] : [[tally[column], tally.n]])));
  const all = tallies.find((tally) => tally.memory_type === null && tally.agent_id === null && tally.status === null);
  const total = all?.n ?? 0;
  const withDeleted = await countMemories(work, { ...filter, include_deleted: true });
  return {
    total,
    by_type: by("memory_type"),
    by_agent: by("agent_id"),
    by_status: by("status"),
    by_tenant: total > 0 ? { [filter.tenant_id]: total } : {},
    deleted: withDeleted - total,
    total_including_deleted: withDeleted,
  };
}

/** Public and open to everyone, so it must cost little: sums counters, and looks each author up by itself. */
export async function counters(work: Work) {
  const row = await work.row<{ tenant_count: number; memory_count: number; agent_count: number }>(sql`
    select
      (select count(*) from tenant_usage where memories_stored > 0) as tenant_count,
      (select coalesce(sum(memories_stored), 0)::bigint from tenant_usage) as memory_count,
      (select count(*) from agents a where (
        select true from memories m
        where m.tenant_id = a.tenant_id and m.author = a.seq and m.deleted_at is null limit 1
      )) as agent_count`);
  return row ?? { tenant_count: 0, memory_count: 0, agent_count: 0 };
}

/** Tenants that have memories, sorted. */
export async function listTenants(work: Work): Promise<string[]> {
  const rows = await work.rows<{ tenant_id: string }>(
    sql`select tenant_id from tenant_usage where memories_stored > 0 order by tenant_id`,
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Walks from tenant to tenant along the index of deleted rows. */
export async function tenantsWithDeleted(work: Work): Promise<string[]> {
  const rows = await work.rows<{ tenant_id: string }>(sql`
    with recursive walked as (
      (select tenant_id from memories where deleted_at is not null order by tenant_id limit 1)
      union all
      select (
        select m.tenant_id from memories m
        where m.deleted_at is not null and m.tenant_id > walked.tenant_id order by m.tenant_id limit 1
      ) from walked where walked.tenant_id is not null
    )
    select tenant_id from walked where tenant_id is not null order by tenant_id`);
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Fleets with what their readers share, counted, largest first. */
export const listFleets = (work: Work, read_scope: ReadScope): Promise<FleetCount[]> =>
  work.rows<FleetCount>(sql`
    select fleet_id, count(*) as memory_count, count(distinct agent_id) as agent_count from memories
    where ${memoryWhere({ tenant_id: read_scope.tenant_id, read_scope })}
      and fleet_id is not null and visibility <> 'scope_agent'
    group by fleet_id order by memory_count desc, fleet_id`);
