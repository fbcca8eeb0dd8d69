import type { Clock } from "../../../core/kernel/clock.ts";
import type { EntityStore } from "../../../core/ports/entity-store.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { forgetUnheard } from "./forget.ts";
import { linkMemories } from "./link.ts";
import { matchEntities, neighbourNames } from "./match.ts";
import { describeEntities, entityGraph, getEntity, hiddenEntities, listEntities } from "./read.ts";
import { upsertEntity, upsertRelation } from "./write.ts";

/** The entity store over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteEntityStore(at: Connections, clock: Clock, jobAdded: () => void): EntityStore {
  const change = <T>(body: () => T) => guarded(() => at.transaction(body));
  return {
    link: async (tenant_id, rows) => {
      await change(() => linkMemories(at, clock, tenant_id, rows));
      jobAdded();
    },
    forgetUnheard: (after) => change(() => forgetUnheard(at, after)),
    neighbours: (owners, names) => guarded(() => neighbourNames(at, owners, names)),
    describe: (read_scope, wanted) => guarded(() => describeEntities(at, read_scope, wanted)),
    hidden: (read_scope, ids) => guarded(() => hiddenEntities(at, read_scope, ids)),
    get: (key, read_scope) => guarded(() => getEntity(at, key, read_scope)),
    list: (filter) => guarded(() => listEntities(at, filter)),
    graph: (filter) => guarded(() => entityGraph(at, filter)),
    upsert: (entity, actor, guard) => change(() => upsertEntity(at, clock, entity, { actor, guard })),
    relate: (relation, actor, guard) => change(() => upsertRelation(at, clock, relation, { actor, guard })),
    match: (read_scope, keys, limit) => guarded(() => matchEntities(at, read_scope, keys, limit)),
  };
}
