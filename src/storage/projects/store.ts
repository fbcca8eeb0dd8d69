import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { newId } from "../../core/kernel/ids.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { FleetDoubts, ProjectStore } from "../../core/ports/projects/project-store.ts";
import { ProjectRegistry } from "../../core/schema/projects/registry.ts";
import { eraseAudit, insertAudit } from "../accounts/audit.ts";
import { audienceOwner } from "../common/audiences.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { AuditEvent, Runner, TenantWork, Work } from "../units/work.ts";
import { take } from "./take.ts";

interface Read {
  readonly version: string;
  readonly registry: ProjectRegistry;
}

type Noted = Omit<AuditEvent, "at" | "reason">;

/** Registries of so many tenants are remembered as they were read last. */
const REMEMBERED = 64;
const NONE: Read = { version: "", registry: { projects: [] } };

/** The registries of projects: one of each tenant, read as a whole, for most calls that name a fleet ask it. */
export function projectStore({ look, write }: Runner, clock: Clock): ProjectStore {
  const remembered = new Map<string, Read>();
  function* read(tenant_id: string): Unit<Read> {
    const named = sql`project_registries where tenant_id = ${tenant_id}`;
    const stored = yield* row<{ version: string }>(sql`select version from ${named}`);
    if (!stored) return NONE;
    const known = remembered.get(tenant_id);
    if (known?.version === stored.version) return known;
    const found = yield* row<{ version: string; tree: unknown }>(sql`select version, tree from ${named}`);
    if (!found) return NONE;
    const now = { version: found.version, registry: ProjectRegistry.parse(jsonIn(found.tree)) };
    remembered.delete(tenant_id);
    remembered.set(tenant_id, now);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    return now;
  }
  // No version is used twice, so that what is remembered of a transaction that was rolled back is never taken for another.
  const put = ({ tenant_id, dialect }: TenantWork, registry: ProjectRegistry) =>
    run(sql`insert into project_registries (tenant_id, version, tree)
      values (${tenant_id}, ${newId(clock)}, ${dialect.json(registry)})
      on conflict (tenant_id) do update set version = excluded.version, tree = excluded.tree`);
  const note = (work: TenantWork, actor: Actor, event: Noted) =>
    insertAudit(work, actor, [{ ...event, at: toTimestamp(clock.now()), reason: null }]);
  return {
    registry: (tenant_id) =>
      look(function* () {
        return (yield* read(tenant_id)).registry;
      }),
    change: (tenant_id, actor, decide) =>
      write(tenant_id, function* (work) {
        const { registry } = yield* read(tenant_id);
        const { result, registry: after, audit } = decide(registry);
        if (after !== undefined) yield* put(work, after);
        if (after !== undefined && audit) yield* note(work, actor, audit);
        return result;
      }),
    forget: (tenant_id, id, actor) =>
      write(tenant_id, function* (work) {
        const { registry } = yield* read(tenant_id);
        const left = registry.projects.filter((project) => project.id !== id);
        if (left.length === registry.projects.length) return;
        yield* put(work, { projects: left });
        yield* eraseAudit(work, [id]);
        yield* note(work, actor, { action: "project.forget", target_id: id, before: null, after: null });
      }),
    occupied: (tenant_id, fleets) =>
      look(function* (work) {
        const held = new Set<string>();
        for (const fleet_id of fleets) if (yield* holds(work, tenant_id, fleet_id)) held.add(fleet_id);
        return held;
      }),
    take: (taking, limit) => write(taking.tenant_id, (work) => take(work, taking, limit)),
    shared: (tenant_id, fleet_id) => look((work) => sharedOf(work, tenant_id, fleet_id)),
    doubts: (tenant_id, fleet_id, before) => look(() => doubtsOf(tenant_id, fleet_id, before)),
  };
}

/** Whether anything was ever written for a fleet: it has a set of readers, or rows of others. Each is found by an index. */
function* holds({ dialect }: Work, tenant_id: string, fleet_id: string): Unit<boolean> {
  const found = yield* rows<{
    one: number;
  }>(sql`select 1 as one where exists (${sharedBy(dialect, tenant_id, fleet_id)})
    or exists (select 1 from memories
      where tenant_id = ${tenant_id} and fleet_id = ${fleet_id} and visibility <> 'scope_team')
    or exists (select 1 from documents where tenant_id = ${tenant_id} and fleet_id = ${fleet_id})`);
  return found.length > 0;
}

/** What a fleet shares: its set of readers, with how many rows that has. */
const sharedBy = (dialect: SqlDialect, tenant_id: string, fleet_id: string): SQL => sql`
  select coalesce(r.stored, 0) as stored from audiences a
    left join audience_rows r on ${dialect.tenant("r", tenant_id)} and r.audience = a.id
  where a.tenant_id = ${tenant_id} and a.kind = 'scope_team'
    and a.owner = ${audienceOwner({ visibility: "scope_team", fleet_id, agent_id: "" })}`;

function* sharedOf({ dialect }: Work, tenant_id: string, fleet_id: string): Unit<number> {
  const found = yield* row<{ stored: number }>(sharedBy(dialect, tenant_id, fleet_id));
  return Number(found?.stored ?? 0);
}

/** Walks through the rows of the tenant. */
function* doubtsOf(tenant_id: string, fleet_id: string, before: string): Unit<FleetDoubts> {
  const counted = (condition: SQL) => sql`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
  const found = yield* row<{ earlier: number; shared: number }>(sql`select
      ${counted(sql`true`)} as earlier, ${counted(sql`visibility = 'scope_org'`)} as shared
    from memories where tenant_id = ${tenant_id} and fleet_id = ${fleet_id} and created_at < ${before}
      and deleted_at is null`);
  return { before: Number(found?.earlier ?? 0), shared_before: Number(found?.shared ?? 0) };
}
