import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Project, ProjectListQuery } from "../core/schema/projects/project.ts";
import type { ProjectRegistry, StoredProject } from "../core/schema/projects/registry.ts";
import { namesOf, shownName } from "./names.ts";

/** The projects that the caller may read, by their names; a fleet that only requests name is none. */
export async function listProjects(ctx: Ctx, { tenant_id, doubts }: ProjectListQuery): Promise<{ items: Project[] }> {
  requireTenant(ctx, tenant_id);
  const { fleets } = readScopeOf(ctx);
  const registry = await ctx.storage.projects.registry(tenant_id);
  const readable = registry.projects.filter(({ id }) => fleets === "all" || fleets.includes(id));
  const items = await Promise.all(readable.map((project) => viewOf(ctx, tenant_id, registry, project, doubts)));
  return { items: items.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))) };
}

/** One of them, with how much it holds. */
export async function viewOf(
  { storage }: Ctx,
  tenant_id: string,
  registry: ProjectRegistry,
  project: StoredProject,
  doubts = false,
): Promise<Project> {
  const { id, origin, created_at, remotes, places, folders, unsettled } = project;
  const isDoubted = unsettled || (doubts && origin === "legacy");
  const { before, shared_before } = isDoubted
    ? await storage.projects.doubts(tenant_id, id, created_at)
    : { before: 0, shared_before: 0 };
  return {
    id,
    name: shownName(registry, project),
    names: namesOf(project),
    remotes: [...remotes],
    places: [...places, ...folders],
    origin,
    created_at,
    memory_count: await storage.projects.shared(tenant_id, id),
    unsettled_before: unsettled ? created_at : null,
    unsettled_count: unsettled ? before : 0,
    shared_count: origin === "legacy" ? shared_before : 0,
    absorbing: await absorbingOf(storage, tenant_id, project),
  };
}

/** Projects that are not yet wholly part of one: also where something that was on its way while they were merged came to lie. */
async function absorbingOf(
  { projects }: Ctx["storage"],
  tenant_id: string,
  { absorbing, aliases }: StoredProject,
): Promise<string[]> {
  const shared = await Promise.all(aliases.map((alias) => projects.shared(tenant_id, alias)));
  return [...new Set([...absorbing, ...aliases.filter((_, i) => (shared[i] ?? 0) > 0)])];
}
