import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../kernel/errors.ts";
import type { Storage } from "../../ports/storage.ts";
import type { StorageOptions } from "../options.ts";
import { sqliteAgentStore } from "./agents.ts";
import { sqliteAuditStore } from "./audit.ts";
import type { Connections } from "./connection.ts";
import { connect } from "./connection.ts";
import { sqliteContradictionStore } from "./contradictions.ts";
import { noticing, watchDamage } from "./damage.ts";
import { sqliteDocumentStore } from "./documents.ts";
import { sqliteEntityStore } from "./entities.ts";
import { vectorExtensionPath } from "./extension.ts";
import { asStorageFault, guarded } from "./faults.ts";
import { sqliteForgeStore } from "./forge.ts";
import { createChecker, sqliteIndexStore } from "./integrity/store.ts";
import { sqliteJobStore } from "./jobs.ts";
import { sqliteKeyStore } from "./keys.ts";
import { lockFolder } from "./lock.ts";
import { sqliteMemoryStore } from "./memories.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { sqliteReplyStore } from "./replies.ts";
import { sqliteSettingsStore } from "./settings.ts";
import { sqliteSkillStore } from "./skills.ts";

const DATA_FILE = "cairn.db";

/** Opens (and creates, migrates, locks) the data folder, or a database in memory when there is none. */
export function openSqlite(options: StorageOptions): Storage {
  const { folder, clock, space } = options;
  let unlock = () => {};
  try {
    if (folder !== null) makeFolder(folder);
    if (folder !== null) unlock = lockFolder(folder);
    const at = connectMigrated(folder === null ? null : join(folder, DATA_FILE), options);
    return assemble(at, { folder, clock, space, unlock });
  } catch (error) {
    unlock();
    throw asStorageFault(error);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
    const message = `The data folder ${folder} cannot be made${code}. Choose another with --data.`;
    throw new AppError("UNAVAILABLE", message, { folder }, { cause });
  }
}

function connectMigrated(file: string | null, { space, cacheDir }: StorageOptions): Connections {
  const at = connect(file, vectorExtensionPath(cacheDir));
  try {
    migrate(at.writer, migrations(space));
    return at;
  } catch (error) {
    void at.close();
    throw error;
  }
}

type Parts = Pick<StorageOptions, "folder" | "clock" | "space"> & { unlock: () => void };

function assemble(at: Connections, { folder, clock, space, unlock }: Parts): Storage {
  let jobAdded = () => {};
  const nudge = () => jobAdded();
  const checker = createChecker(at, folder === null ? null : join(folder, DATA_FILE));
  const damage = watchDamage(folder, checker.look);
  const sound: Connections = {
    ...at,
    transaction: (body) => {
      damage.requireSound();
      return at.transaction(body);
    },
  };
  const noticed = <T extends object>(store: T): T => noticing(store, damage.notice);
  return {
    engine: "sqlite",
    ephemeral: folder === null,
    memories: noticed(sqliteMemoryStore(sound, space, clock, nudge)),
    contradictions: noticed(sqliteContradictionStore(sound, space, clock, nudge)),
    documents: noticed(sqliteDocumentStore(sound, space, clock, nudge)),
    entities: noticed(sqliteEntityStore(sound, clock, nudge)),
    skills: noticed(sqliteSkillStore(sound, space, clock, nudge)),
    settings: noticed(sqliteSettingsStore(sound, clock)),
    jobs: noticed(sqliteJobStore(sound)),
    keys: noticed(sqliteKeyStore(sound)),
    agents: noticed(sqliteAgentStore(sound, clock)),
    replies: noticed(sqliteReplyStore(sound)),
    audit: noticed(sqliteAuditStore(sound)),
    indexes: noticed(sqliteIndexStore(sound, { space, clock, checker, damage, jobAdded: nudge })),
    forge: noticed(sqliteForgeStore(sound, clock, nudge)),
    damage: damage.state,
    ping: () => guarded(() => prove(at, folder)),
    emptyLog: () => at.emptyLog(),
    onJobAdded: (listener) => {
      jobAdded = listener;
    },
    shrink: () => guarded(() => at.shrink()),
    close: async () => {
      checker.stop();
      await at.close();
      unlock();
    },
  };
}

/** Reads a page and writes one, as it was: fails when the disk is full or read-only, or the file is locked or gone. */
function prove(at: Connections, folder: string | null): void {
  if (folder !== null && !existsSync(join(folder, DATA_FILE))) {
    // An open file outlives its name: writes still succeed, and would be lost with this process.
    throw new AppError("UNAVAILABLE", `The data file in ${folder} is gone. Put it back, or restart to begin anew.`);
  }
  at.transaction(() => {
    const row = at.writer.query<{ user_version: number }, []>("pragma user_version").get();
    at.writer.exec(`pragma user_version = ${row?.user_version ?? 0}`);
  });
}
