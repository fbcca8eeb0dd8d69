import { actorOf } from "../access/actor.ts";
import { requirePerson } from "../access/person.ts";
import { requireTenant } from "../access/tenant.ts";
import { ADMINISTER, requireAdmin, requireFleets, requireTrust } from "../access/trust.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type {
  Project,
  ProjectAlias,
  ProjectRename,
  ProjectSettle,
  ProjectTrust,
} from "../core/schema/projects/project.ts";
import type { ProjectRegistry, StoredProject } from "../core/schema/projects/registry.ts";
import { projectOfFleet } from "../core/schema/projects/registry.ts";
import { oneNamed, requireName } from "./identity.ts";
import { viewOf } from "./list.ts";
import { projectsNamed } from "./names.ts";
import { auditOf, mayTell } from "./resolve.ts";
import { replaced, withFleet } from "./with-project.ts";

// What people say about projects. Names are of all who share a tenant, so administrators alone say it.

interface Named {
  readonly tenant_id: string;
  readonly project: string;
}

/** Calls a project something else; what it was called goes on meaning it. Throws NOT_FOUND, CONFLICT for a name that is taken. */
export const renameProject = (ctx: Ctx, { name, ...named }: ProjectRename): Promise<Project> =>
  changeProject(
    ctx,
    named,
    "project.rename",
    (project, registry) => {
      requireFree(registry, project, name);
      return { ...project, name, aliases: withName(project, name) };
    },
    name,
  );

/** Gives a project another name, or takes one away. Throws NOT_FOUND, CONFLICT for a name that is taken. */
export const aliasProject = (ctx: Ctx, { alias, remove, ...named }: ProjectAlias): Promise<Project> =>
  changeProject(
    ctx,
    named,
    "project.alias",
    (project, registry) => {
      if (remove && !project.aliases.includes(alias)) throw new AppError("NOT_FOUND", `'${alias}' is no alias of it.`);
      if (remove) return { ...project, aliases: project.aliases.filter((one) => one !== alias) };
      requireFree(registry, project, alias);
      return { ...project, aliases: withName(project, alias) };
    },
    remove ? undefined : alias,
  );

/** Lets the `.cairn.json` of a folder name a project. Throws NOT_FOUND. */
export function trustProject(ctx: Ctx, { place, ...named }: ProjectTrust): Promise<Project> {
  requirePerson(ctx, "Folders are trusted");
  requireTrust(ctx, 1, "trust a folder");
  return changed(ctx, named, "project.trust", (project) => {
    if (!mayTell(ctx, project)) requireFleets(ctx, [project.id], ADMINISTER);
    return project.places.includes(place) ? project : { ...project, places: [...project.places, place] };
  });
}

/** Says that what is left of a project whose name two repositories shared is its own. Throws NOT_FOUND. */
export const settleProject = (ctx: Ctx, named: ProjectSettle): Promise<Project> =>
  changeProject(ctx, named, "project.settle", (project) =>
    project.unsettled ? { ...project, unsettled: false } : project,
  );

const withName = (project: StoredProject, name: string): string[] =>
  project.id === name || project.aliases.includes(name) ? project.aliases : [...project.aliases, name];

/** Throws CONFLICT where a name means another project. */
function requireFree(registry: ProjectRegistry, project: StoredProject, name: string): void {
  requireName(name);
  const other = projectsNamed(registry, name).find(({ id }) => id !== project.id);
  if (other)
    throw new AppError(
      "CONFLICT",
      `'${name}' means project '${other.id}' already. Choose another name, or merge the two.`,
    );
}

type Decide = (project: StoredProject, registry: ProjectRegistry) => StoredProject;

async function changeProject(
  ctx: Ctx,
  named: Named,
  action: string,
  decide: Decide,
  called?: string,
): Promise<Project> {
  requireTenant(ctx, named.tenant_id);
  requireAdmin(ctx);
  requirePerson(ctx, "Projects are named and joined");
  if (called !== undefined) await requireNoFleet(ctx, named, called);
  return changed(ctx, named, action, decide);
}

/** Throws CONFLICT for a name under which requests have stored something, which nobody could name any more. */
async function requireNoFleet({ storage }: Ctx, { tenant_id }: Named, name: string): Promise<void> {
  const isKnown = projectOfFleet(await storage.projects.registry(tenant_id), name) !== null;
  if (isKnown || !(await storage.projects.occupied(tenant_id, [name])).has(name)) return;
  throw new AppError(
    "CONFLICT",
    `Fleet '${name}' holds something, which would be out of reach under a name of another project. Choose another name, or move what it holds.`,
  );
}

async function changed(
  ctx: Ctx,
  { tenant_id, project: name }: Named,
  action: string,
  decide: Decide,
): Promise<Project> {
  requireTenant(ctx, tenant_id);
  const facts = await factsOf(ctx, tenant_id, [name]);
  const { project, registry } = await ctx.storage.projects.change(tenant_id, actorOf(ctx), (stored) => {
    const current = withFleet(stored, name, facts);
    const was = knownProject(current, name);
    const is = decide(was, current);
    const result = { project: is, registry: replaced(current, was, is) };
    return is === was ? { result } : { result, registry: result.registry, audit: auditOf(current, is, action) };
  });
  return viewOf(ctx, tenant_id, registry, project);
}

/** What is known beside the registry of some names, as far as they are fleets. */
export async function factsOf({ storage, clock }: Ctx, tenant_id: string, names: readonly string[]) {
  const held = await storage.projects.occupied(tenant_id, names);
  return { isHeld: (name: string) => held.has(name), now: toTimestamp(clock.now()) };
}

/** The project of a name, by its id first: that of one whose name is shared is meant by it here. Throws NOT_FOUND, CONFLICT. */
export function knownProject(registry: ProjectRegistry, name: string): StoredProject {
  const project = registry.projects.find(({ id }) => id === name) ?? oneNamed(registry, name);
  if (project) return project;
  throw new AppError("NOT_FOUND", `No project is called '${name}'. \`cairn project list\` shows them.`);
}
