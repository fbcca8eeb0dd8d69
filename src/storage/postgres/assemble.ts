import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { EmbedderSpace, StorageOptions } from "../options.ts";
import { postgresBackupStore } from "./backups.ts";
import type { Dialect } from "./engine/dialect.ts";
import type { Driver } from "./engine/driver.ts";
import { createEngine } from "./engine/engine.ts";
import type { Engine } from "./engine/work.ts";
import { activeSide } from "./generations/rows.ts";
import { followingModel } from "./generations/settle.ts";
import { postgresJobStore } from "./jobs/jobs.ts";
import { JOBS_CHANNEL } from "./jobs/queue.ts";
import { postgresMemoryStore } from "./memories/store.ts";
import { unbuilt } from "./unbuilt.ts";
import { ensureCodeIndexes } from "./vectors/vectors.ts";

/** The storage over a database of the newest shape: of the model that answers, which another may take the place of. */
export async function assemble(driver: Driver, dialect: Dialect, options: StorageOptions): Promise<Storage> {
  const { space, policies, clock } = options;
  const any = createEngine(driver, { space, policies, dialect });
  /** Tells what this process has in hand from what others have. */
  const holder = crypto.randomUUID();
  const jobs = postgresJobStore(engine, holder, clock);
  const replies = postgresReplyStore(engine, holder);
  let jobAdded = () => {};
  await driver.listen(JOBS_CHANNEL, () => jobAdded());
  /** What no model has a part in. */
  const shared = sharedStores(any, clock);
  let isAlone = true;
  const open = async (space: EmbedderSpace): Promise<Storage> => {
    const engine = followingModel(createEngine(driver, { space, policies, dialect }), clock, () => !isAlone);
    await engine.look((work) => ensureCodeIndexes(work, space));
    const parts: Parts = { engine, driver, clock, open: openBeside, onJobAdded: (listener) => (jobAdded = listener) };
    return storageOver(parts, shared);
  };
  const openBeside = (space: EmbedderSpace): Promise<Storage> => {
    isAlone = false;
    return open(space);
  };
  return open({ ...space, side: await any.look(activeSide) });
}

interface Parts {
  readonly engine: Engine;
  readonly driver: Driver;
  readonly clock: Clock;
  /** Opens the same database as it answers by another space. */
  open(space: EmbedderSpace): Promise<Storage>;
  onJobAdded(listener: () => void): void;
}

type Shared = Pick<Storage, "settings" | "jobs" | "keys" | "agents" | "replies" | "audit" | "backups">;

const sharedStores = (engine: Engine, clock: Clock): Shared => ({
  settings: postgresSettingsStore(engine, clock),
  jobs,
  keys: postgresKeyStore(engine),
  agents: postgresAgentStore(engine, clock),
  replies,
  audit: postgresAuditStore(engine),
  backups: postgresBackupStore(),
});

function storageOver({ engine, driver, clock, onJobAdded }: Parts, shared: Shared): Storage {
  const prove = () => engine.look(async (work) => void (await work.row(sql`select 1 as one`)));
  return {
    ...shared,
    engine: "postgres",
    ephemeral: false,
    memories: postgresMemoryStore(engine, clock),
    pictures: unbuilt("pictures"),
    contradictions: unbuilt("contradictions"),
    documents: unbuilt("documents"),
    entities: unbuilt("entities"),
    skills: unbuilt("skills"),
    forge: unbuilt("forge"),
    trials: unbuilt("trials"),
    indexes: unbuilt("indexes"),
    transfer: unbuilt("transfer"),
    retention: unbuilt("retention"),
    forgetting: unbuilt("forgetting"),
    snapshots: null,
    generations: unbuilt("generations"),
    ping: prove,
    pingReads: prove,
    damage: () => ({ seen: false, in_doubt: false, damaged: [] }),
    whenWritable: (listener) => listener(),
    diskUse: async () => null,
    searchIndex: () => ({ state: "off", rows: 0, bytes: 0, ready_ms: null, fault: null }),
    readerTicket: () => null,
    emptyLog: async () => {},
    onJobAdded,
    shrink: async () => {},
    close: () => driver.close(),
  };
}
