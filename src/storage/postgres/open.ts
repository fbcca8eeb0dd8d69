import { sql } from "drizzle-orm";
import type { Storage } from "../../core/ports/storage.ts";
import type { StorageOptions } from "../options.ts";
import { assemble } from "./assemble.ts";
import type { Dialect, ServerVersions } from "./engine/dialect.ts";
import { dialectOf } from "./engine/dialect.ts";
import type { Driver } from "./engine/driver.ts";
import { statementsOf } from "./engine/engine.ts";
import { asStorageFault } from "./engine/faults.ts";
import { openPostgresJs } from "./engine/postgres-js.ts";
import { migrate } from "./migrations/migrate.ts";

/** Connects to a server and brings its database to the newest shape. Throws AppError UNAVAILABLE with the cause. */
export function openPostgres(url: string, options: StorageOptions): Promise<Storage> {
  return openThrough(openPostgresJs(url), options);
}

/** The same over a driver that is there already. */
export async function openThrough(driver: Driver, options: StorageOptions): Promise<Storage> {
  try {
    const dialect = await dialectOfServer(driver);
    await migrate(driver.db);
    return await assemble(driver, dialect, options);
  } catch (error) {
    await driver.close().catch(() => {});
    throw asStorageFault(error);
  }
}

/** Installs pgvector where the user may, and asks what the server is. */
async function dialectOfServer({ db }: Driver): Promise<Dialect> {
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
