import { sql } from "drizzle-orm";
import type { AnsweringModel } from "../../core/ports/keeping/generations.ts";
import type { Storage } from "../../core/ports/storage.ts";
import { answeringModel } from "../generations/rows.ts";
import type { StorageOptions } from "../options.ts";
import { assemble } from "./assemble.ts";
import type { Dialect, ServerVersions } from "./engine/dialect.ts";
import { dialectOf } from "./engine/dialect.ts";
import type { Driver } from "./engine/driver.ts";
import { createPersistence } from "./engine/engine.ts";
import { asStorageFault, isNotConnected } from "./engine/faults.ts";
import { openServer } from "./engine/server.ts";
import { statementsOf } from "./engine/statements.ts";
import { migrate } from "./migrations/migrate.ts";
import { drive } from "./units/drive.ts";

/** A server's database, and how many connections to it there may be. */
export interface DatabaseOptions {
  readonly url: string;
  readonly connections: number;
}

/** A database of the newest shape that is connected to, and not opened yet. */
export interface Database {
  /** What it says of the model that answers; null where it says nothing. Throws AppError. */
  answeringModel(): Promise<AnsweringModel | null>;
  /** Opens the storage, which closes the connections with it; so does a failure. Throws AppError UNAVAILABLE. */
  open(options: StorageOptions): Promise<Storage>;
  close(): Promise<void>;
}

/** Connects to a server and brings its database to the newest shape. Throws AppError UNAVAILABLE with the cause. */
export async function connectPostgres({ url, connections }: DatabaseOptions): Promise<Database> {
  return connectThrough(await createPersistence()(() => openServer(url, connections), isNotConnected));
}

/** The same over a driver that is there already. */
export async function connectThrough(driver: Driver): Promise<Database> {
  const orClose = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      await driver.close().catch(() => {});
      throw asStorageFault(error);
    }
  };
  const dialect = await orClose(async () => {
    // It may be starting at the same time as this process.
    const found = await createPersistence()(() => dialectOfServer(driver), isNotConnected);
    await migrate(driver.db);
    return found;
  });
  return {
    answeringModel: () => drive(statementsOf(driver.db), answeringModel("The database")),
    open: (options) => orClose(() => assemble(driver, dialect, options)),
    close: () => driver.close(),
  };
}

/** Opens the storage over a driver that is there already. Throws AppError UNAVAILABLE with the cause. */
export const openThrough = async (driver: Driver, options: StorageOptions): Promise<Storage> =>
  (await connectThrough(driver)).open(options);

/** Installs pgvector where the user may, and asks what the server is. */
export async function dialectOfServer({ db }: Driver): Promise<Dialect> {
  const { row } = statementsOf(db);
  const versions = () =>
    row<ServerVersions>(sql`select current_setting('server_version_num')::integer as server,
      (select extversion from pg_extension where extname = 'vector') as vector`);
  const known = await versions();
  if (known?.vector === null) {
    // Whoever may not is told what to install.
    await db.execute(sql`create extension if not exists vector`).catch(() => {});
    return dialectOf((await versions()) ?? known);
  }
  return dialectOf(known ?? { server: 0, vector: null });
}
