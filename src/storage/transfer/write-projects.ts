import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { newId } from "../../core/kernel/ids.ts";
import type { ImportOutcome } from "../../core/ports/keeping/transfer.ts";
import type { StoredProject } from "../../core/schema/projects/registry.ts";
import { ProjectRegistry } from "../../core/schema/projects/registry.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import { beside, CREATED } from "./outcomes.ts";

/** Takes projects in that nobody knows here; what is here stays, and so do the names and repositories that it has. */
export function* writeProjects(
  { tenant_id, dialect }: TenantWork,
  clock: Clock,
  projects: readonly StoredProject[],
): Unit<ImportOutcome> {
  const stored = yield* row<{ tree: unknown }>(sql`select tree from project_registries where tenant_id = ${tenant_id}`);
  const there = stored ? ProjectRegistry.parse(jsonIn(stored.tree)).projects : [];
  const fresh = projects.filter(({ id }) => !there.some((one) => one.id === id || one.aliases.includes(id)));
  if (fresh.length === 0) return beside({ projects: [] }, { projects: [] });
  const all = [...there, ...fresh.map((project) => withoutTaken(project, there))];
  yield* run(sql`insert into project_registries (tenant_id, version, tree)
    values (${tenant_id}, ${newId(clock)}, ${dialect.json({ projects: all })})
    on conflict (tenant_id) do update set version = excluded.version, tree = excluded.tree`);
  return CREATED;
}

const LISTS = ["remotes", "kept", "folders", "places"] as const;

/** A project without what another one here has. */
function withoutTaken(project: StoredProject, there: readonly StoredProject[]): StoredProject {
  const own = LISTS.map((list) => [
    list,
    project[list].filter((value) => list === "places" || !there.some((one) => one[list].includes(value))),
  ]);
  const isTaken = (name: string) => there.some(({ id, aliases }) => id === name || aliases.includes(name));
  return { ...project, ...Object.fromEntries(own), aliases: project.aliases.filter((name) => !isTaken(name)) };
}
