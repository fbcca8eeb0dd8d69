import { sql } from "drizzle-orm";
import type { Storage } from "../../core/ports/storage.ts";
import type { StorageOptions } from "../options.ts";
import type { Dialect } from "./engine/dialect.ts";
import type { Driver } from "./engine/driver.ts";
import { createEngine } from "./engine/engine.ts";
import { JOBS_CHANNEL } from "./jobs/queue.ts";
import { postgresMemoryStore } from "./memories/store.ts";
import { unbuilt } from "./unbuilt.ts";
import { ensureCodeIndexes } from "./vectors/vectors.ts";

/** The storage over a database of the newest shape. */
export async function assemble(driver: Driver, dialect: Dialect, options: StorageOptions): Promise<Storage> {
  const { space, policies, clock } = options;
  const engine = createEngine(driver, { space, policies, dialect });
  let jobAdded = () => {};
  await driver.listen(JOBS_CHANNEL, () => jobAdded());
  await engine.look((work) => ensureCodeIndexes(work, space));
  const prove = () => engine.look(async (work) => void (await work.row(sql`select 1 as one`)));
  return {
    engine: "postgres",
    ephemeral: false,
    memories: postgresMemoryStore(engine, clock),
    pictures: unbuilt("pictures"),
    contradictions: unbuilt("contradictions"),
    documents: unbuilt("documents"),
    entities: unbuilt("entities"),
    skills: unbuilt("skills"),
    settings: unbuilt("settings"),
    jobs: unbuilt("jobs"),
    keys: unbuilt("keys"),
    agents: unbuilt("agents"),
    replies: unbuilt("replies"),
    audit: unbuilt("audit"),
    forge: unbuilt("forge"),
    trials: unbuilt("trials"),
    indexes: unbuilt("indexes"),
    backups: unbuilt("backups"),
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
    onJobAdded: (listener) => {
      jobAdded = listener;
    },
    shrink: async () => {},
    close: () => driver.close(),
  };
}
