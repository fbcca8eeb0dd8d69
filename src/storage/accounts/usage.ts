import { sql } from "drizzle-orm";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import { storedAmong } from "../common/audiences.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import type { TenantWork, Work } from "../units/work.ts";
import { audiencesOf } from "./audiences.ts";

/** Memories of a tenant that are not deleted; kept as a counter because every write reply reports it. */
export function* storedMemories(tenant_id: string): Unit<number> {
  const found = yield* row<{ n: number }>(
    sql`select memories_stored as n from tenant_usage where tenant_id = ${tenant_id}`,
  );
  return found?.n ?? 0;
}

/** How many of them a reader sees. */
export function* storedForReader(work: Work, read_scope: ReadScope): Unit<number> {
  return storedAmong(yield* audiencesOf(work, read_scope.tenant_id), read_scope);
}

/** Moves the counter inside the transaction that adds or removes the rows. */
export function* changeUsage({ tenant_id }: TenantWork, by: number): Unit<void> {
  yield* run(sql`insert into tenant_usage (tenant_id, memories_stored) values (${tenant_id}, ${by})
    on conflict (tenant_id) do update set memories_stored = tenant_usage.memories_stored + excluded.memories_stored`);
}
