import type { Config } from "../config/load.ts";
import type { AnsweringModel } from "../core/ports/keeping/generations.ts";
import type { Storage } from "../core/ports/storage.ts";
import { answeringModelOf, connectDatabase, openStorage } from "../storage/open.ts";
import type { StorageOptions } from "../storage/options.ts";
import type { Overrides } from "./overrides.ts";

/** Where the data lies: in a folder, in memory, or in a database on a server. */
export interface DataPlace {
  /** What is said there of the model that answers; null where nothing is. */
  readonly answering: AnsweringModel | null;
  /** Folder of the data file; null without one. */
  readonly folder: string | null;
  /** Throws AppError UNAVAILABLE with the cause. */
  open(options: StorageOptions): Promise<Storage>;
  /** For whoever does not open it. */
  close(): Promise<void>;
}

/** Finds the data that a configuration names. Throws AppError UNAVAILABLE where it cannot be reached. */
export async function findData(config: Config, { openDatabase }: Overrides): Promise<DataPlace> {
  const { database_url: url, database_connections: connections, ephemeral, data } = config;
  if (url === undefined) {
    const folder = ephemeral ? null : data;
    const answering = folder === null ? null : answeringModelOf(folder);
    return { answering, folder, open: openStorage, close: async () => {} };
  }
  const database = await connectDatabase(openDatabase ? await openDatabase() : { url, connections });
  try {
    const { open, close } = database;
    return { answering: await database.answeringModel(), folder: null, open, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}
