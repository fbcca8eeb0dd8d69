import type { Clock } from "../../../core/kernel/clock.ts";
import type { EntityStore } from "../../../core/ports/entity-store.ts";
import type { Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { entitiesAround } from "./around.ts";
import { renameEntity } from "./change.ts";
import { deleteOrphanedNames } from "./delete-orphans.ts";
import { linkMemories } from "./link.ts";
import { matchEntities, neighbourNames } from "./match.ts";
import { mergeEntities } from "./merge.ts";
import { describeEntities, entityGraph, getEntity, listEntities } from "./read.ts";
import { upsertEntity, upsertRelation } from "./write.ts";

/** The entity store over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteEntityStore(db: Engine, clock: Clock, jobAdded: () => void): EntityStore {
  const change = <T>(body: () => T) => guarded(() => db.write(body));
  const changeAndQueue = async <T>(body: () => T): Promise<T> => {
    const done = await change(body);
    jobAdded();
    return done;
  };
  return {
    link: (tenant_id, rows) => changeAndQueue(() => linkMemories(db, clock, tenant_id, rows)),
    rename: (renamed, actor) => changeAndQueue(() => renameEntity(db, clock, renamed, actor)),
    merge: (merged, actor) => changeAndQueue(() => mergeEntities(db, clock, merged, actor)),
    deleteOrphanedNames: (after) => change(() => deleteOrphanedNames(db, after)),
    neighbours: (owners, names) => guarded(() => neighbourNames(db, owners, names)),
    describe: (read_scope, wanted) => guarded(() => describeEntities(db, read_scope, wanted)),
    get: (key, read_scope) => guarded(() => getEntity(db, key, read_scope)),
    list: (filter) => guarded(() => listEntities(db, filter)),
    graph: (filter) => guarded(() => entityGraph(db, filter)),
    around: (key, read_scope, bounds) => guarded(() => entitiesAround(db, key, { ...bounds, read_scope })),
    upsert: (entity, actor, guard) => change(() => upsertEntity(db, clock, entity, { actor, guard })),
    relate: (relation, actor, guard) => change(() => upsertRelation(db, clock, relation, { actor, guard })),
    match: (read_scope, keys, limit) => guarded(() => matchEntities(db, read_scope, keys, limit)),
  };
}
