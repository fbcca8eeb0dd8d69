import type { Clock } from "../../core/kernel/clock.ts";
import type { EntityStore } from "../../core/ports/entity-store.ts";
import { changedBy } from "../common/changed-by.ts";
import type { Runner } from "../units/work.ts";
import { entitiesAround } from "./around.ts";
import { renameEntity } from "./change.ts";
import { deleteOrphanedNames } from "./delete-orphans.ts";
import { linkMemories } from "./link.ts";
import { matchEntities, neighbourNames } from "./match.ts";
import { mergeEntities } from "./merge.ts";
import { describeEntities, entityGraph, getEntity, listEntities } from "./read.ts";
import { upsertEntity, upsertRelation } from "./write.ts";

/** The entity store, over whichever engine runs its units of work. */
export function entityStore(runner: Runner, clock: Clock): EntityStore {
  const { snapshot, write } = runner;
  return {
    link: (tenant_id, rows) => write(tenant_id, (work) => linkMemories(work, rows, clock.now())),
    rename: (change, actor) => write(change.tenant_id, (work) => renameEntity(work, change, changedBy(clock, actor))),
    merge: (merge, actor) => write(merge.tenant_id, (work) => mergeEntities(work, merge, changedBy(clock, actor))),
    deleteOrphanedNames: (after) => deleteOrphanedNames(runner, after),
    neighbours: (owners, names) => snapshot((work) => neighbourNames(work, owners, names)),
    describe: (read_scope, wanted) => snapshot((work) => describeEntities(work, read_scope, wanted)),
    get: (key, read_scope) => snapshot((work) => getEntity(work, key, read_scope)),
    list: (filter) => snapshot((work) => listEntities(work, filter)),
    graph: (filter) => snapshot((work) => entityGraph(work, filter)),
    around: (key, read_scope, bounds) => snapshot((work) => entitiesAround(work, key, { ...bounds, read_scope })),
    upsert: (change, actor, guard) =>
      write(change.tenant_id, (work) => upsertEntity(work, change, { ...changedBy(clock, actor), guard })),
    relate: (change, actor, guard) =>
      write(change.tenant_id, (work) => upsertRelation(work, change, { ...changedBy(clock, actor), guard, clock })),
    match: (read_scope, keys, limit) => runner.look((work) => matchEntities(work, read_scope, { keys, limit })),
  };
}
