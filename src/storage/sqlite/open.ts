import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Storage } from "../../ports/storage.ts";
import type { StorageOptions } from "../options.ts";
import { sqliteAgentStore } from "./agents.ts";
import { sqliteAuditStore } from "./audit.ts";
import type { Connections } from "./connection.ts";
import { connect } from "./connection.ts";
import { sqliteDocumentStore } from "./documents.ts";
import { vectorExtensionPath } from "./extension.ts";
import { asStorageFault, guarded } from "./faults.ts";
import { sqliteJobStore } from "./jobs.ts";
import { sqliteKeyStore } from "./keys.ts";
import { lockFolder } from "./lock.ts";
import { sqliteMemoryStore } from "./memories.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { sqliteReplyStore } from "./replies.ts";
import { sqliteSettingsStore } from "./settings.ts";

const DATA_FILE = "cairn.db";

/** Opens (and creates, migrates, locks) the data folder, or a database in memory when there is none. */
export function openSqlite(options: StorageOptions): Storage {
  const { folder, clock, space } = options;
  let unlock = () => {};
  try {
    if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (folder !== null) unlock = lockFolder(folder);
    const at = connectMigrated(folder === null ? null : join(folder, DATA_FILE), options);
    return assemble(at, { folder, clock, space, unlock });
  } catch (error) {
    unlock();
    throw asStorageFault(error);
  }
}

function connectMigrated(file: string | null, { space, cacheDir }: StorageOptions): Connections {
  const at = connect(file, vectorExtensionPath(cacheDir));
  try {
    migrate(at.writer, migrations(space));
    return at;
  } catch (error) {
    at.close();
    throw error;
  }
}

type Parts = Pick<StorageOptions, "folder" | "clock" | "space"> & { unlock: () => void };

function assemble(at: Connections, { folder, clock, space, unlock }: Parts): Storage {
  let jobAdded = () => {};
  return {
    engine: "sqlite",
    ephemeral: folder === null,
    memories: sqliteMemoryStore(at, space, clock, () => jobAdded()),
    documents: sqliteDocumentStore(at, space, clock, () => jobAdded()),
    settings: sqliteSettingsStore(at, clock),
    jobs: sqliteJobStore(at),
    keys: sqliteKeyStore(at),
    agents: sqliteAgentStore(at, clock),
    replies: sqliteReplyStore(at),
    audit: sqliteAuditStore(at),
    ping: () => guarded(() => prove(at)),
    onJobAdded: (listener) => {
      jobAdded = listener;
    },
    close: async () => {
      at.close();
      unlock();
    },
  };
}

/** Takes and gives back the write lock, and reads a page: fails when the file or its folder is gone or locked. */
function prove(at: Connections): void {
  at.transaction(() => at.writer.query("select 1 from memories limit 1").get());
}
