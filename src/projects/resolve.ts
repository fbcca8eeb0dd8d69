import { actorOf } from "../access/actor.ts";
import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import { ADMINISTER } from "../access/trust.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { ProjectResolve, ProjectResolved, ResolvedProject } from "../core/schema/projects/project.ts";
import type { ProjectRegistry, StoredProject } from "../core/schema/projects/registry.ts";
import type { Facts, Identity } from "./identity.ts";
import { identify, idsInQuestion } from "./identity.ts";
import { namesOf, shownName } from "./names.ts";

/**
 * Which project somebody works in. What the evidence adds to what is known is kept, where the caller may write. Throws CONFLICT
 * for a name that several projects have.
 */
export async function resolveProject(
  ctx: Ctx,
  { tenant_id, save, ...evidence }: ProjectResolve,
): Promise<ProjectResolved> {
  requireTenant(ctx, tenant_id);
  const { projects: store } = ctx.storage;
  const registry = await store.registry(tenant_id);
  const held = await store.occupied(tenant_id, idsInQuestion(registry, evidence));
  const facts: Facts = { isHeld: (id) => held.has(id), save, now: toTimestamp(ctx.clock.now()) };
  let found = identify(registry, evidence, facts);
  if (found !== null && found.registry !== registry && mayTell(ctx, found.project)) {
    found = await store.change(tenant_id, actorOf(ctx), (current) => {
      const again = identify(current, evidence, facts);
      return again === null || again.registry === current
        ? { result: again }
        : { result: again, registry: again.registry, audit: auditOf(current, again.project) };
    });
  }
  if (found === null) return { project: null, warnings: [] };
  const { id } = found.project;
  const isHeld = held.has(id) || (await store.occupied(tenant_id, [id])).has(id);
  return { project: shown(ctx, found, isHeld), warnings: [...found.warnings] };
}

/** Whoever may write there may tell of a project. */
export const mayTell = ({ principal: { trust, fleet_id } }: Ctx, { id }: Pick<StoredProject, "id">): boolean =>
  trust >= ADMINISTER || (trust >= 1 && (fleet_id === null || fleet_id === id));

/** Whoever may not read it is told no more than what that caller knew. */
function shown(ctx: Ctx, { project, registry, source, is_trusted }: Identity, isHeld: boolean): ResolvedProject {
  const { id, remotes } = project;
  const { fleets } = readScopeOf(ctx);
  const isReadable = fleets === "all" || fleets.includes(id);
  return {
    id,
    name: shownName(registry, project),
    names: isReadable ? namesOf(project) : [id],
    remotes: isReadable ? [...remotes] : [],
    source,
    is_new: !isHeld,
    is_trusted,
    unsettled_before: project.unsettled ? project.created_at : null,
  };
}

/** What the audit log keeps of a change to one project. */
export function auditOf(before: ProjectRegistry, project: StoredProject, action?: string) {
  const was = before.projects.find(({ id }) => id === project.id) ?? null;
  return {
    action: action ?? (was ? "project.learn" : "project.create"),
    target_id: project.id,
    before: was && { ...was },
    after: { ...project },
  };
}
