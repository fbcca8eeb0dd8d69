import { AppError } from "../../core/kernel/errors.ts";
import type { SnapshotStore } from "../../core/ports/keeping/snapshots.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { StorageOptions } from "../options.ts";
import { assemble, openIndex } from "./assemble.ts";
import { asStorageFault } from "./engine/faults.ts";
import { makeFolder, refuseLostData } from "./engine/folder-files.ts";
import { useMemory } from "./engine/memory.ts";
import { refuseHalfRestored } from "./engine/restoring-file.ts";
import { useFolder } from "./engine/used-folder.ts";
import { loadableExtension } from "./engine/vector-extension.ts";
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
  return assemble(useFolder({ folder, ...shapeOf(options), log: options.log }), options);
}

/**
 * What was there before a snapshot was gone back to is closed; the index in memory stays, and reads all rows anew. A snapshot is
 * of the model of the start: beside one no other is taken, and under another none is made.
 */
function openMemory(options: StorageOptions): Storage {
  const { extension, migrations: steps } = shapeOf(options);
  let used = useMemory(extension, (db) => migrate(db, steps));
  let isTaken = false;
  let isOtherModel = false;
  const index = openIndex(options, options.space, () => used.at.writeConnection);
  const open = () => assemble(used, options, { index, snapshots, beforeModelChange });
  const beforeModelChange = () => {
    if (isTaken) throw new AppError("CONFLICT", "A snapshot is kept, which another model cannot read. Start anew.");
    isOtherModel = true;
  };
  const snapshots: SnapshotStore<Storage> = {
    take: () => {
      if (isOtherModel)
        throw new AppError("CONFLICT", "Another model was asked for since the start: snapshots are of the first.");
      isTaken = true;
      return used.take();
    },
    restore: () => {
      used = used.putBack();
      return open();
    },
  };
  return open();
}
