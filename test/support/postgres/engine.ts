import { describe, test } from "bun:test";
import type { OpenDriver } from "../../../src/storage/postgres/engine/driver.ts";

/** Whether apps in this process keep their data in PostgreSQL, as with ENGINE=postgres; else in SQLite. */
export const isPostgres = process.env.ENGINE === "postgres";

/** A server that runs already; PostgreSQL within this process without one. */
const SERVER = process.env.POSTGRES_URL;

/** A database without rows that several stores may open as processes would; the last to close it ends it. */
export async function sharedDatabase(tables = { hasTables: true }): Promise<OpenDriver> {
  if (SERVER) return (await import("./server.ts")).sharedOnServer(SERVER, tables);
  return (await import("./pglite.ts")).sharedPglite(tables);
}

/** A database that nobody else uses, without rows. */
export const openDatabase: OpenDriver = async () => (await sharedDatabase())();

/** The flags of an app that is opened in this process without a folder, and what brings its database. */
export const NO_FOLDER: { readonly flags: readonly string[]; readonly openDatabase?: OpenDriver } = isPostgres
  ? // No file can be put where no folder can be made.
    { flags: ["--database-url=postgres://in.this.process/cairn", "--data=/dev/null/cairn"], openDatabase }
  : { flags: ["--ephemeral"] };

/** Tests of what a database on a server does not have, such as a file, snapshots, or threads that search; `why` tells which. */
export const onSqlite = (_why: string) => ({
  test: test.skipIf(isPostgres),
  describe: describe.skipIf(isPostgres),
  /** Whether they are run, for what is prepared for them. */
  runs: !isPostgres,
});
