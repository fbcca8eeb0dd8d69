import { join } from "node:path";
import type { Storage } from "../../core/ports/storage.ts";
import type { StorageOptions } from "../options.ts";
import { sqliteAgentStore } from "./accounts/agents.ts";
import { sqliteAuditStore } from "./accounts/audit.ts";
import { sqliteReplyStore } from "./accounts/kept-replies.ts";
import { sqliteKeyStore } from "./accounts/keys.ts";
import { sqliteSettingsStore } from "./accounts/settings.ts";
import { sqliteTrialStore } from "./accounts/trials.ts";
import { sqliteContradictionStore } from "./conflicts/store.ts";
import { sqliteDocumentStore } from "./documents/store.ts";
import type { Connections, Engine } from "./engine/connection.ts";
import { connect, currentConnections } from "./engine/connection.ts";
import { reportingDamage, watchDamage } from "./engine/damage.ts";
import { asStorageFault, guarded } from "./engine/faults.ts";
import { DATA_FILE, makeFolder, refuseLostData } from "./engine/folder-files.ts";
import type { UsedFolder } from "./engine/used-folder.ts";
import { useFolder } from "./engine/used-folder.ts";
import { vectorExtensionPath } from "./engine/vector-extension.ts";
import { sqliteEntityStore } from "./entities/store.ts";
import { createChecker, sqliteIndexStore } from "./integrity/store.ts";
import { sqliteJobStore } from "./jobs/jobs.ts";
import { sqliteMemoryStore } from "./memories/store.ts";
import { migrations } from "./migrations/all.ts";
import { migrate } from "./migrations/migrate.ts";
import { sqliteForgeStore } from "./skills/forge-store.ts";
import { sqliteSkillStore } from "./skills/store.ts";

/** Opens (and creates, migrates, locks) the data folder, or a database in memory when there is none. */
export function openSqlite(options: StorageOptions): Storage {
  try {
    return assemble(options.folder === null ? openMemory(options) : openFolder(options.folder, options), options);
  } catch (error) {
    throw asStorageFault(error);
  }
}

function openFolder(folder: string, { space, textOf, cacheDir, log }: StorageOptions): UsedFolder {
  makeFolder(folder);
  refuseLostData(folder);
  return useFolder({ folder, extension: vectorExtensionPath(cacheDir), migrations: migrations(space, textOf), log });
}

function openMemory({ space, cacheDir }: StorageOptions): UsedFolder {
  const db = connect(null, vectorExtensionPath(cacheDir));
  migrate(db.writeConnection, migrations(space));
  return { at: db, check: () => {}, whenWritable: (listener) => listener(), close: db.close };
}

function assemble(
  { at: db, check, whenWritable, close }: UsedFolder,
  { folder, clock, space, policies }: StorageOptions,
): Storage {
  let jobAdded = () => {};
  const nudge = () => jobAdded();
  const checker = createChecker(db, folder === null ? null : join(folder, DATA_FILE));
  const damage = watchDamage(folder, checker.look);
  const sound: Engine = Object.assign(
    currentConnections(() => db, damage.requireSound),
    { policies },
  );
  const noticed = <T extends object>(store: T): T => reportingDamage(store, damage.notice);
  return {
    engine: "sqlite",
    ephemeral: folder === null,
    memories: noticed(sqliteMemoryStore(sound, space, clock, nudge)),
    contradictions: noticed(sqliteContradictionStore(sound, space, clock, nudge)),
    documents: noticed(sqliteDocumentStore(sound, space, clock, nudge)),
    entities: noticed(sqliteEntityStore(sound, clock, nudge)),
    skills: noticed(sqliteSkillStore(sound, space, clock, nudge)),
    settings: noticed(sqliteSettingsStore(sound, clock)),
    jobs: noticed(sqliteJobStore(sound, nudge)),
    keys: noticed(sqliteKeyStore(sound)),
    agents: noticed(sqliteAgentStore(sound, clock)),
    replies: noticed(sqliteReplyStore(sound)),
    audit: noticed(sqliteAuditStore(sound)),
    indexes: noticed(sqliteIndexStore(sound, { space, clock, checker, damage, jobAdded: nudge })),
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
      checker.stop();
      await close();
    },
  };
}

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
