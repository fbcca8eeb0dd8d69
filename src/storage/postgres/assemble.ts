import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import type { Storage } from "../../core/ports/storage.ts";
import { activeSide } from "../generations/rows.ts";
import type { EmbedderSpace, StorageOptions } from "../options.ts";
import { nounStores } from "../stores.ts";
import { createExports, type Exports } from "../transfer/exports.ts";
import { findDocumentHits } from "./documents/hits.ts";
import type { Dialect } from "./engine/dialect.ts";
import type { Driver } from "./engine/driver.ts";
import { createEngine } from "./engine/engine.ts";
import { proveReads, proveWrites } from "./engine/prove.ts";
import { createStatistics } from "./engine/statistics.ts";
import type { Engine } from "./engine/work.ts";
import { followingModel, postgresModels } from "./generations/models.ts";
import { postgresIndexStore } from "./integrity/store.ts";
import { JOBS_CHANNEL } from "./jobs/queue.ts";
import { LEFT_TO_SERVER } from "./keeping/left-room.ts";
import { findHits } from "./search/hits.ts";
import { postgresCandidates } from "./search/nearby.ts";
import { openSharedStores, type SharedStores } from "./shared-stores.ts";
import { openMoment } from "./units/moment.ts";
import { postgresRunner } from "./units/run.ts";
import { ensureCodeIndexes } from "./vectors/code-indexes.ts";

/** The storage over a database of the newest shape: of the model that answers, which another may take the place of. */
export async function assemble(driver: Driver, dialect: Dialect, options: StorageOptions): Promise<Storage> {
  const { space, policies, clock } = options;
  const statistics = createStatistics(driver.db);
  const engineOf = (space: EmbedderSpace) => createEngine(driver, { space, policies, dialect }, statistics.changed);
  const any = engineOf(space);
  let jobAdded = () => {};
  await driver.listen(JOBS_CHANNEL, () => jobAdded());
  const shared = openSharedStores(any, clock);
  const exports = createExports(() => openMoment(any, driver));
  let isAlone = true;
  const open = async (space: EmbedderSpace): Promise<Storage> => {
    const engine = followingModel(engineOf(space), clock, () => !isAlone);
    await ensureCodeIndexes(engine, space);
    return storageOver(
      { engine, clock, driver, open: openBeside, shared: shared.stores, exports },
      {
        onJobAdded: (listener) => {
          jobAdded = listener;
        },
        close: async () => {
          exports.close();
          await shared.close();
          await statistics.close();
          await driver.close();
        },
      },
    );
  };
  const openBeside = (space: EmbedderSpace): Promise<Storage> => {
    isAlone = false;
    return open(space);
  };
  return open({ ...space, side: await postgresRunner(any).look(activeSide) });
}

interface Parts {
  readonly engine: Engine;
  readonly driver: Driver;
  readonly clock: Clock;
  /** Opens the same database as it answers by another space. */
  open(space: EmbedderSpace): Promise<Storage>;
  /** What no model has a part in. */
  readonly shared: SharedStores;
  readonly exports: Exports;
}

function storageOver(
  { engine, clock, driver, open, shared, exports }: Parts,
  { onJobAdded, close }: Pick<Storage, "onJobAdded" | "close">,
): Storage {
  const { space } = engine;
  const runner = postgresRunner(engine);
  return {
    ...shared,
    engine: "postgres",
    ephemeral: false,
    ...nounStores(runner, {
      space,
      clock,
      exports,
      hits: (query) => findHits(engine, space, query),
      candidates: postgresCandidates(engine),
      documentHits: (query) => engine.snapshot((work) => findDocumentHits(work, query)),
      leftRoom: LEFT_TO_SERVER,
      models: postgresModels(engine, { driver, open }),
      tenantTables: TENANT_TABLES,
    }),
    indexes: postgresIndexStore(runner, space, clock),
    snapshots: null,
    ping: () => proveWrites(engine),
    pingReads: () => proveReads(engine),
    damage: () => ({ seen: false, in_doubt: false, damaged: [] }),
    whenWritable: (listener) => listener(),
    diskUse: async () => null,
    searchIndex: () => ({ state: "off", rows: 0, bytes: 0, ready_ms: null, fault: null }),
    readerTicket: () => null,
    emptyLog: async () => {},
    onJobAdded,
    shrink: async () => {},
    close,
  };
}

/** Names all tables that name a tenant. */
const TENANT_TABLES = sql`select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`;
