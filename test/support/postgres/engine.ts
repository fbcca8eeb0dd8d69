import type { OpenDriver } from "../../../src/storage/postgres/engine/driver.ts";

/** Whether apps in this process keep their data in PostgreSQL, as with ENGINE=postgres; else in SQLite. */
export const isPostgres = process.env.ENGINE === "postgres";

/** The flags of an app that is opened in this process without a folder, and what brings its database. */
export const NO_FOLDER: { readonly flags: readonly string[]; readonly openDatabase?: OpenDriver } = isPostgres
  ? {
      flags: ["--database-url=postgres://in.this.process/cairn", "--data=/nonexistent"],
      openDatabase: async () => (await import("./pglite.ts")).openPglite(),
    }
  : { flags: ["--ephemeral"] };
