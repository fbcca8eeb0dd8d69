import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { SnapshotStore } from "../../core/ports/keeping/snapshots.ts";
import type { Storage } from "../../core/ports/storage.ts";
import { activeSide } from "../generations/rows.ts";
import { settleEmbedded } from "../generations/settle.ts";
import { jobStore } from "../jobs/store.ts";
import type { EmbedderSpace, StorageOptions } from "../options.ts";
import { accountStores, nounStores } from "../stores.ts";
import { createExports } from "../transfer/exports.ts";
import { sqliteBackupStore } from "./backup/store.ts";
import { findDocumentHits } from "./documents/hits.ts";
import type { Connections, Engine, GroupedConnections } from "./engine/connection.ts";
import { reportingErrors, watchDamage } from "./engine/damage.ts";
import { diskUseOf, watchSpace } from "./engine/disk-use.ts";
import { guarded } from "./engine/faults.ts";
import { DATA_FILE } from "./engine/folder-files.ts";
import { groupCommits } from "./engine/group-commit.ts";
import type { UsedFolder } from "./engine/used-folder.ts";
import { sqliteModels } from "./generations/models.ts";
import { createChecker, sqliteIndexStore } from "./integrity/store.ts";
import { soleHands } from "./jobs/hands.ts";
import { sqliteLeftRoom } from "./keeping/left-room.ts";
import type { SqliteTicket } from "./open-reader.ts";
import { hitsOf } from "./search/hits.ts";
import { sqliteCandidates } from "./search/nearby.ts";
import { createRowCache } from "./search/row-cache.ts";
import { createWordCache } from "./search/word-cache.ts";
import { drive } from "./units/drive.ts";
import { openMoment } from "./units/moment.ts";
import { looking, sqliteRunner, wideWorkOf } from "./units/run.ts";
import { indexedRows } from "./vector-index/nearest.ts";
import type { VectorIndex } from "./vector-index/vector-index.ts";
import { createVectorIndex, followChanges, untilLoaded } from "./vector-index/vector-index.ts";

const fileIn = (folder: string | null): string | null => (folder === null ? null : join(folder, DATA_FILE));

/** The index in memory of one model's vectors; nothing is read yet. */
export const openIndex = (
  { folder, log, search_threads = 0 }: StorageOptions,
  space: EmbedderSpace,
  writer: () => Database,
): VectorIndex =>
  createVectorIndex({
    file: fileIn(folder),
    space,
    log,
    writer,
    rooms: search_threads + 1,
    elapsed: () => performance.now(),
  });

/** What storage in memory brings along: it is opened anew from a snapshot, with the index that it has. */
interface InMemory {
  readonly index: VectorIndex;
  readonly snapshots: SnapshotStore<Storage>;
  /** Throws where another model may not be opened. */
  beforeModelChange(): void;
}

/** The storage over what is open: stores of the model that answers, which another may take the place of. */
export function assemble(
  { at: db, check, whenWritable, close }: UsedFolder,
  options: StorageOptions,
  inMemory: InMemory | null = null,
): Storage {
  const { folder, clock, space: first, policies } = options;
  const file = fileIn(folder);
  let jobAdded = () => {};
  const nudge = () => jobAdded();
  const checker = createChecker(db, file);
  const damage = watchDamage(folder, checker.look);
  const indexes = new Set<VectorIndex>();
  const follow = () => followChanges(db.writeConnection, indexes);
  const grouped = groupCommits(db, { before: damage.requireSound, after: follow }, () => performance.now());
  const watched = watchSpace(folder);
  const noticed = <T extends object>(store: T): T =>
    reportingErrors(store, (error) => {
      damage.notice(error);
      watched.notice(error);
    });
  /** The model that answers: the stores of any other write for it as well. */
  let answering: Opened;
  const all = new Map<Storage, Opened>();
  const anyModel = sqliteRunner(Object.assign(Object.create(grouped), { policies, space: first }), nudge);
  const exports = createExports(() => openMoment(file, db));
  const shared = {
    ...accountStores(anyModel, clock, "this process", noticed),
    jobs: noticed(jobStore(anyModel, soleHands(), clock)),
    backups: sqliteBackupStore(folder, clock, db.extension),
  };

  const open = (space: EmbedderSpace, index = openIndex(options, space, () => db.writeConnection)): Opened => {
    indexes.add(index);
    // What a call that began before the model changed still writes is read by the new one as well.
    const write: Engine["write"] = async (body) => {
      let hasQueued = false;
      const done = await grouped.write(() => {
        const done = body();
        if (answering.space !== space) {
          const work = wideWorkOf(answering.engine, () => {
            hasQueued = true;
          });
          drive(db.writeConnection, settleEmbedded(work, answering.space, null, clock.now()));
        }
        return done;
      });
      if (hasQueued) nudge();
      return done;
    };
    const own: GroupedConnections = Object.create(grouped);
    const engine: Engine = Object.assign(own, { policies, space, write });
    const runner = sqliteRunner(engine, nudge);
    const hitIndex = {
      space,
      rows: indexedRows(index.shared, space, OWN_ROOM),
      words: createWordCache(index.shared),
      cache: createRowCache(index.shared, space),
    };
    const storage: Storage = {
      ...shared,
      engine: "sqlite",
      ephemeral: folder === null,
      ...nounStores(
        runner,
        {
          space,
          clock,
          exports,
          hits: hitsOf(engine, hitIndex),
          candidates: sqliteCandidates(engine, hitIndex),
          documentHits: (query) => guarded(() => findDocumentHits(engine, space, query)),
          leftRoom: sqliteLeftRoom(engine),
          models: sqliteModels(engine, { open: openBeside, overtake, jobAdded: nudge }),
          tenantTables: TENANT_TABLES,
        },
        noticed,
      ),
      indexes: noticed(sqliteIndexStore(engine, { runner, clock, checker, damage, index })),
      snapshots: inMemory?.snapshots ?? null,
      diskUse: async () => (folder === null ? null : diskUseOf(folder)),
      searchIndex: index.state,
      readerTicket: (thread): SqliteTicket | null => {
        const [room, { extension }] = [OWN_ROOM + 1 + thread, db];
        return file === null ? null : { engine: "sqlite", file, extension, space, index: index.shared, room };
      },
      damage: damage.state,
      ping: () =>
        guarded(() => {
          prove(db);
          watched.prove();
        }),
      pingReads: () => guarded(() => proveReads(db, check)),
      whenWritable,
      emptyLog: () => db.emptyLog(),
      onJobAdded: (listener) => {
        jobAdded = listener;
      },
      shrink: () => guarded(() => db.shrink()),
      close: async () => {
        await grouped.write(() => {}).catch(() => {});
        checker.stop();
        exports.close();
        for (const one of indexes) one.stop();
        await close();
      },
    };
    const opened = { space, engine, index, storage };
    all.set(storage, opened);
    return opened;
  };
  const forget = ({ index, storage }: Opened): void => {
    index.stop();
    indexes.delete(index);
    all.delete(storage);
  };
  const openBeside = async (space: EmbedderSpace): Promise<Storage> => {
    inMemory?.beforeModelChange();
    for (const one of all.values()) if (one !== answering) forget(one);
    const opened = open(space);
    opened.index.load();
    await untilLoaded(opened.index);
    return opened.storage;
  };
  const overtake = (by: Storage): void => {
    const next = all.get(by);
    if (!next) return;
    const before = answering;
    answering = next;
    // Searches that have begun end as they began.
    setTimeout(() => forget(before), GRACE_MS).unref();
  };
  answering = open({ ...first, side: looking(db, activeSide) }, inMemory?.index);
  // A folder that cannot be written may be written by another process, whose changes nobody tells.
  whenWritable(() => answering.index.load());
  return answering.storage;
}

/** What answers by one model. */
interface Opened {
  readonly space: EmbedderSpace;
  readonly engine: Engine;
  readonly index: VectorIndex;
  readonly storage: Storage;
}

/** How long an index is kept after another model answers: no search takes longer. */
const GRACE_MS = 10_000;

/** This thread's room of the vector index: the threads that search have the others. */
const OWN_ROOM = 0;

/** Reads a page and writes one, as it was: fails when the disk is full or read-only, or the file is locked or gone. */
function prove(db: Connections): void {
  db.transaction(() => {
    const row = db.writeConnection.query<{ user_version: number }, []>("pragma user_version").get();
    db.writeConnection.exec(`pragma user_version = ${row?.user_version ?? 0}`);
  });
}

function proveReads(db: Connections, check: () => void): void {
  check();
  db.readConnection.query("select count(*) from sqlite_master").get();
}

/** Names all tables that name a tenant. */
const TENANT_TABLES = sql`select t.name from pragma_table_list t, pragma_table_info(t.name) c
  where t.type = 'table' and c.name = 'tenant_id'`;
