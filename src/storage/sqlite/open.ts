import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { SnapshotStore } from "../../core/ports/keeping/snapshots.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { StorageOptions } from "../options.ts";
import { sqliteAgentStore } from "./accounts/agents.ts";
import { sqliteAuditStore } from "./accounts/audit.ts";
import { sqliteReplyStore } from "./accounts/kept-replies.ts";
import { sqliteKeyStore } from "./accounts/keys.ts";
import { sqliteSettingsStore } from "./accounts/settings.ts";
import { sqliteTrialStore } from "./accounts/trials.ts";
import { sqliteBackupStore } from "./backup/store.ts";
import { sqliteContradictionStore } from "./conflicts/store.ts";
import { sqliteDocumentStore } from "./documents/store.ts";
import type { Connections, Engine } from "./engine/connection.ts";
import { reportingDamage, watchDamage } from "./engine/damage.ts";
import { asStorageFault, guarded } from "./engine/faults.ts";
import { DATA_FILE, makeFolder, refuseLostData } from "./engine/folder-files.ts";
import { groupCommits } from "./engine/group-commit.ts";
import { useMemory } from "./engine/memory.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { StorageOptions } from "../options.ts";
import { assemble } from "./assemble.ts";
import { connect } from "./engine/connection.ts";
import { asStorageFault } from "./engine/faults.ts";
import { makeFolder, refuseLostData } from "./engine/folder-files.ts";
import { refuseHalfRestored } from "./engine/restoring-file.ts";
import type { UsedFolder } from "./engine/used-folder.ts";
import { useFolder } from "./engine/used-folder.ts";
import { loadableExtension } from "./engine/vector-extension.ts";
import { sqliteEntityStore } from "./entities/store.ts";
import { createChecker, sqliteIndexStore } from "./integrity/store.ts";
import { sqliteJobStore } from "./jobs/jobs.ts";
import { sqliteForgettingStore } from "./keeping/forgetting.ts";
import { sqliteRetentionStore } from "./keeping/retention.ts";
import { sqliteMemoryStore } from "./memories/store.ts";
import { migrations } from "./migrations/all.ts";
import { migrate } from "./migrations/migrate.ts";
import type { SqliteTicket } from "./open-reader.ts";
import { createRowCache } from "./search/row-cache.ts";
import { createWordCache } from "./search/word-cache.ts";
import { sqliteForgeStore } from "./skills/forge-store.ts";
import { sqliteSkillStore } from "./skills/store.ts";
import { sqliteTransferStore } from "./transfer/store.ts";
import { indexedRows } from "./vector-index/nearest.ts";
import type { VectorIndex } from "./vector-index/vector-index.ts";
import { createVectorIndex } from "./vector-index/vector-index.ts";
import { migrations } from "./migrations/all.ts";
import { migrate } from "./migrations/migrate.ts";
import { codeStoreOf } from "./vectors/code-tables.ts";

/** Opens (and creates, migrates, locks) the data folder, or a database in memory when there is none. */
export function openSqlite(options: StorageOptions): Storage {
  try {
    return options.folder === null ? openMemory(options) : openFolder(options.folder, options);
  } catch (error) {
    throw asStorageFault(error);
  }
}

/** Path of sqlite-vec, and the shape of the tables with or without it. */
function shapeOf({ space, textOf, cacheDir, log, vector_extension = true }: StorageOptions) {
  const extension = vector_extension ? loadableExtension(cacheDir, log) : null;
  return { extension, migrations: migrations(space, textOf, codeStoreOf({ extension })) };
}

function openFolder(folder: string, options: StorageOptions): Storage {
  makeFolder(folder);
  refuseHalfRestored(folder);
  refuseLostData(folder);
  const used = useFolder({ folder, ...shapeOf(options), log: options.log });
  return assemble(used, options, { index: openIndex(options, () => used.at.writeConnection), snapshots: null });
}

/** What was there before a snapshot was gone back to is closed; the index in memory stays, and reads all rows anew. */
function openMemory(options: StorageOptions): Storage {
  const { extension, migrations: steps } = shapeOf(options);
  let used = useMemory(extension, (db) => migrate(db, steps));
  const index = openIndex(options, () => used.at.writeConnection);
  const snapshots: SnapshotStore<Storage> = {
    take: () => used.take(),
    restore: () => {
      used = used.putBack();
      return assemble(used, options, { index, snapshots });
    },
  };
  return assemble(used, options, { index, snapshots });
}

const fileIn = (folder: string | null): string | null => (folder === null ? null : join(folder, DATA_FILE));

const openIndex = ({ folder, space, log, search_threads = 0 }: StorageOptions, writer: () => Database): VectorIndex =>
  createVectorIndex({
    file: fileIn(folder),
    space,
    log,
    writer,
    rooms: search_threads + 1,
    elapsed: () => performance.now(),
  });

/** What one opening of the data has beside it. */
interface Beside {
  readonly index: VectorIndex;
  readonly snapshots: SnapshotStore<Storage> | null;
}

function assemble(
  { at: db, check, whenWritable, close }: UsedFolder,
  { folder, clock, space, policies }: StorageOptions,
  { index, snapshots }: Beside,
): Storage {
  const file = fileIn(folder);
  const ticketOf = (thread: number): SqliteTicket | null =>
    file === null
      ? null
      : {
          engine: "sqlite",
          file,
          extension: db.extension,
          space,
          index: index.shared,
          room: OWN_ROOM + 1 + thread,
        };
  const hitIndex = {
    space,
    rows: indexedRows(index.shared, space, OWN_ROOM),
    words: createWordCache(index.shared),
    cache: createRowCache(index.shared, space),
  };
  // A folder that cannot be written may be written by another process, whose changes nobody tells.
  whenWritable(index.load);
  let jobAdded = () => {};
  const nudge = () => jobAdded();
  const checker = createChecker(db, file);
  const damage = watchDamage(folder, checker.look);
  const sound: Engine = Object.assign(
    groupCommits(db, { before: damage.requireSound, after: index.follow }, () => performance.now()),
    { policies, space },
  );
  const noticed = <T extends object>(store: T): T => reportingDamage(store, damage.notice);
  return {
    engine: "sqlite",
    ephemeral: folder === null,
    memories: noticed(sqliteMemoryStore(sound, hitIndex, clock, nudge)),
    contradictions: noticed(sqliteContradictionStore(sound, hitIndex, clock, nudge)),
    documents: noticed(sqliteDocumentStore(sound, space, clock, nudge)),
    entities: noticed(sqliteEntityStore(sound, clock, nudge)),
    skills: noticed(sqliteSkillStore(sound, space, clock, nudge)),
    settings: noticed(sqliteSettingsStore(sound, clock)),
    jobs: noticed(sqliteJobStore(sound, nudge)),
    keys: noticed(sqliteKeyStore(sound)),
    agents: noticed(sqliteAgentStore(sound, clock)),
    replies: noticed(sqliteReplyStore(sound)),
    audit: noticed(sqliteAuditStore(sound)),
    indexes: noticed(sqliteIndexStore(sound, { space, clock, checker, damage, index, jobAdded: nudge })),
    backups: sqliteBackupStore(folder, clock),
    transfer: noticed(sqliteTransferStore(sound, file, clock, nudge)),
    retention: noticed(sqliteRetentionStore(sound)),
    forgetting: noticed(sqliteForgettingStore(sound, { space, clock, jobAdded: nudge })),
    snapshots,
    searchIndex: index.state,
    readerTicket: ticketOf,
    forge: noticed(sqliteForgeStore(sound, clock, nudge)),
    trials: noticed(sqliteTrialStore(sound, clock)),
    damage: damage.state,
    ping: () => guarded(() => prove(db)),
    pingReads: () => guarded(() => proveReads(db, check)),
    whenWritable,
    emptyLog: () => db.emptyLog(),
    onJobAdded: (listener) => {
      jobAdded = listener;
    },
    shrink: () => guarded(() => db.shrink()),
    close: async () => {
      await sound.write(() => {}).catch(() => {});
      checker.stop();
      index.stop();
      await close();
    },
  };
}

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
