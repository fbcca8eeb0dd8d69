import { actorOf } from "../access/actor.ts";
import { requirePerson } from "../access/person.ts";
import { requireTenant } from "../access/tenant.ts";
import { requireAdmin } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import { contentHash } from "../core/kernel/hash.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { KEYSTONES } from "../core/schema/keystone.ts";
import { KEYSTONE_PROPOSALS } from "../core/schema/keystone-proposal.ts";
import type { ProjectMerge, ProjectMerged } from "../core/schema/projects/project.ts";
import type { ProjectRegistry, StoredProject } from "../core/schema/projects/registry.ts";
import { moveRules } from "../keystones/move.ts";
import { jobsFor } from "../memories/jobs.ts";
import { factsOf, knownProject } from "./change.ts";
import { viewOf } from "./list.ts";
import { auditOf } from "./resolve.ts";
import type { Known } from "./with-project.ts";
import { replaced, withFleet } from "./with-project.ts";

/** Rows of one step: some milliseconds each, and other callers get their turn between two requests. */
const STEP = 100;

/** Two projects, and what moves between them. */
interface Merging {
  readonly tenant_id: string;
  readonly from: string;
  readonly into: string;
}

/**
 * Makes one project of two: the names of the first mean the second from now on, and what it holds becomes the second one's, some
 * of it with each call. Until it is done the same call goes on. Throws NOT_FOUND, CONFLICT. Administrators alone.
 */
export async function mergeProjects(ctx: Ctx, { tenant_id, ...named }: ProjectMerge): Promise<ProjectMerged> {
  requireTenant(ctx, tenant_id);
  requireAdmin(ctx);
  requirePerson(ctx, "Projects are named and joined");
  const facts = await factsOf(ctx, tenant_id, [named.from, named.into]);
  const begun = await ctx.storage.projects.change(tenant_id, actorOf(ctx), (registry) => {
    const found = absorbed(registry, named, facts);
    const { after, project } = found;
    return after === registry
      ? { result: found }
      : { result: found, registry: after, audit: auditOf(registry, project, "project.merge") };
  });
  const merging = { tenant_id, from: begun.from, into: begun.project.id };
  const memories = await moveSome(ctx, merging);
  const left = STEP - memories.moved - memories.deleted;
  const rest = memories.isDone && left > 0 ? await moveRest(ctx, merging, left) : { moved: 0, isDone: false };
  const registry = rest.isDone ? await finished(ctx, merging) : begun.after;
  const project = knownProject(registry, merging.into);
  return {
    project: await viewOf(ctx, tenant_id, registry, project),
    moved: memories.moved + rest.moved,
    deleted: memories.deleted,
    is_done: rest.isDone && project.absorbing.length === 0,
  };
}

/** The registry with the first project in the second. */
function absorbed(stored: ProjectRegistry, { from, into }: Omit<Merging, "tenant_id">, facts: Known) {
  const registry = withFleet(withFleet(stored, into, facts), from, facts);
  const target = knownProject(registry, into);
  const source = knownProject(registry, from);
  if (source.id === target.id) {
    // What was on its way while it was merged may have come to lie there since.
    const [unfinished = from !== target.id && facts.isHeld(from) ? from : undefined] = target.absorbing;
    if (unfinished === undefined) throw new AppError("CONFLICT", `'${from}' is '${target.id}' already.`);
    return { from: unfinished, project: target, after: stored };
  }
  for (const one of [source, target])
    if (one.unsettled)
      throw new AppError(
        "CONFLICT",
        `It is not settled yet what of '${one.id}' is its own: \`cairn project split\` first.`,
      );
  const { id } = source;
  const both = <K extends "remotes" | "kept" | "folders" | "places" | "absorbing">(list: K): string[] => [
    ...new Set([...target[list], ...source[list]]),
  ];
  const others = { projects: registry.projects.filter((one) => one !== source) };
  const project: StoredProject = {
    ...target,
    aliases: [...new Set([...target.aliases, id, ...source.aliases])],
    remotes: both("remotes"),
    kept: both("kept"),
    folders: both("folders"),
    places: both("places"),
    absorbing: [...both("absorbing"), id],
  };
  return { from: id, project, after: replaced(others, target, project) };
}

/** Moves some memories; one that says what the other project says already is deleted, and can be restored. */
async function moveSome(ctx: Ctx, { tenant_id, from, into }: Merging) {
  const { memories } = ctx.storage;
  const filter = { tenant_id, fleets: { ids: [from], orShared: false } };
  const page = { filter, sort: "created_at", order: "asc", after: null, offset: 0, limit: STEP } as const;
  const ids = (await memories.list(page)).map(({ id }) => id);
  if (ids.length === 0) return { moved: 0, deleted: 0, isDone: true };
  const outcomes = await memories.move({
    filter: { ...filter, ids },
    actor: actorOf(ctx),
    jobsFor,
    dry_run: false,
    placing: (row: StoredMemory) => ({
      outcome: "moved",
      patch: {
        fleet_id: into,
        content_hash: contentHash(tenant_id, into, row.content),
        entity_links: row.entity_links.filter(({ inferred }) => inferred !== true),
      },
    }),
  });
  const twice = outcomes.filter(({ outcome }) => outcome === "duplicate").map(({ id }) => id);
  const deleted = twice.length === 0 ? 0 : await memories.remove({ ...filter, ids: twice }, actorOf(ctx), STEP);
  return { moved: outcomes.length - twice.length, deleted, isDone: ids.length < STEP };
}

/** Moves some of what else it holds: rules by their places, documents, skills, deleted memories, homes of agents. */
async function moveRest(ctx: Ctx, merging: Merging, limit: number): Promise<{ moved: number; isDone: boolean }> {
  const { tenant_id, from, into } = merging;
  const { projects, agents } = ctx.storage;
  const rules = await moveRules(ctx, merging);
  const taken = await projects.take({ ...merging, except: [KEYSTONES, KEYSTONE_PROPOSALS] }, limit);
  if (taken >= limit) return { moved: rules + taken, isDone: false };
  for (const { agent_id } of await agents.list(tenant_id, from))
    await agents.change({ tenant_id, agent_id }, { fleet_id: into }, actorOf(ctx));
  return { moved: rules + taken, isDone: true };
}

const finished = (ctx: Ctx, { tenant_id, from, into }: Merging): Promise<ProjectRegistry> =>
  ctx.storage.projects.change(tenant_id, actorOf(ctx), (registry) => {
    const project = knownProject(registry, into);
    if (!project.absorbing.includes(from)) return { result: registry };
    const after = { ...project, absorbing: project.absorbing.filter((one) => one !== from) };
    const whole = replaced(registry, project, after);
    return { result: whole, registry: whole, audit: auditOf(registry, after, "project.merged") };
  });
