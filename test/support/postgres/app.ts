import { sql } from "drizzle-orm";
import type { Driver, OpenDriver } from "../../../src/storage/postgres/engine/driver.ts";
import { statementsOf } from "../../../src/storage/postgres/engine/statements.ts";
import type { InProcess, InProcessOptions } from "../in-process.ts";
import { openApp } from "../in-process.ts";
import { sharedDatabase } from "./engine.ts";

/** An app over a database whose rows a test may reach into. */
export interface PostgresApp extends InProcess {
  /** Opens the same database as another process would. */
  readonly openAnother: OpenDriver;
  /** The rows of a statement. */
  rows<T extends object>(statement: string): Promise<T[]>;
}

/** Opens an app over PostgreSQL, whatever engine the other tests have. */
export async function openPostgresApp(options: Omit<InProcessOptions, "folder"> = {}): Promise<PostgresApp> {
  const openAnother = await sharedDatabase();
  let own: Driver | undefined;
  const opened = await openApp({
    ...options,
    folder: "/dev/null/cairn",
    flags: ["--database-url=postgres://of.a.test/cairn", ...(options.flags ?? [])],
    openDatabase: async () => {
      own = await openAnother();
      return own;
    },
  });
  return {
    ...opened,
    openAnother,
    rows: async (statement) => {
      if (!own) throw new Error("The app has opened no database.");
      return statementsOf(own.db).rows(sql.raw(statement));
    },
  };
}
