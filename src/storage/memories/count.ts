import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter, ReadScope } from "../../core/ports/memory-filter.ts";
import type { FleetCount } from "../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { MemoryStats } from "../../core/schema/memory-query.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import { memoryWhere } from "./filters.ts";

/** How many rows a filter has. */
export function* countMemories({ dialect }: Work, filter: MemoryFilter): Unit<number> {
  const found = yield* row<{ n: number }>(
    sql`select count(*) as n from memories where ${memoryWhere(dialect, filter)}`,
  );
  return found?.n ?? 0;
}

/** Rows of a filter counted by type, agent and status, all of one reading. */
export function* memoryStats(work: Work, filter: MemoryFilter): Unit<MemoryStats> {
  const kept = memoryWhere(work.dialect, { ...filter, include_deleted: false });
  const counted = yield* rows<Counted>(sql`select memory_type, agent_id, status, count(*) as n
    from memories where ${kept} group by memory_type, agent_id, status`);
  const total = sumOf(counted);
  const withDeleted = yield* countMemories(work, { ...filter, include_deleted: true });
  const by = (column: "memory_type" | "agent_id" | "status") =>
    Object.fromEntries(
      [...Map.groupBy(counted, (one) => one[column])]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, of]) => [key, sumOf(of)]),
    );
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

type Counted = Pick<StoredMemory, "memory_type" | "agent_id" | "status"> & { readonly n: number };
const sumOf = (counted: readonly Counted[]): number => counted.reduce((sum, { n }) => sum + n, 0);

/** Public and open to everyone, so it must cost little: sums counters, and looks each author up by itself. */
export function* counters({ dialect }: Work) {
  const counted = yield* row<{ tenant_count: number; memory_count: number; agent_count: number }>(sql`
    select
      (select count(*) from tenant_usage where memories_stored > 0) as tenant_count,
      (select cast(coalesce(sum(memories_stored), 0) as bigint) from tenant_usage) as memory_count,
      (select count(*) from agents a where (
        select true from memories m
        where ${dialect.belongs("m", sql`a.tenant_id`)} and m.author = a.seq and m.deleted_at is null limit 1
      )) as agent_count`);
  return counted ?? { tenant_count: 0, memory_count: 0, agent_count: 0 };
}

const namesOf = (found: readonly { readonly tenant_id: string }[]): string[] => found.map(({ tenant_id }) => tenant_id);

/** Tenants that have memories, sorted. */
export function* listTenants(): Unit<string[]> {
  return namesOf(yield* rows(sql`select tenant_id from tenant_usage where memories_stored > 0 order by tenant_id`));
}

/** Tenants that have deleted rows. */
export const tenantsWithDeleted = (): Unit<string[]> => tenantsOf(sql`memories t where t.deleted_at is not null`);

/** Walks from tenant to tenant along the index that a table `t` has of them. */
export function* tenantsOf(from: SQL): Unit<string[]> {
  const found = yield* rows<{ tenant_id: string }>(sql`
    with recursive walked (tenant_id) as (
      select * from (select t.tenant_id from ${from} order by t.tenant_id limit 1) first
      union all
      select (select t.tenant_id from ${from} and t.tenant_id > walked.tenant_id order by t.tenant_id limit 1)
      from walked where walked.tenant_id is not null
    )
    select tenant_id from walked where tenant_id is not null order by tenant_id`);
  return namesOf(found);
}

/** Fleets with what their readers share, counted, largest first. */
export const listFleets = ({ dialect }: Work, read_scope: ReadScope): Unit<FleetCount[]> =>
  rows<FleetCount>(sql`
    select fleet_id, count(*) as memory_count, count(distinct agent_id) as agent_count from memories
    where ${memoryWhere(dialect, { tenant_id: read_scope.tenant_id, read_scope })}
      and fleet_id is not null and visibility <> 'scope_agent'
    group by fleet_id order by memory_count desc, fleet_id`);
