import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { drizzle } from "drizzle-orm/pglite";
import type { Driver } from "../../../src/storage/postgres/engine/driver.ts";
import { migrate } from "../../../src/storage/postgres/migrations/migrate.ts";

// PostgreSQL within this process: no server is needed.

/** The files of a database of the newest shape without rows, made once: to copy them takes a tenth of making them. */
let empty: Promise<File | Blob> | null = null;

async function makeEmpty(): Promise<File | Blob> {
  const client = await PGlite.create({ extensions: { vector } });
  await client.exec("create extension vector");
  await migrate(drizzle({ client }));
  const files = await client.dumpDataDir("none");
  await client.close();
  return files;
}

/** A database of its own, in memory. */
export async function openPglite(): Promise<Driver> {
  empty ??= makeEmpty();
  const client = await PGlite.create({ extensions: { vector }, loadDataDir: await empty, relaxedDurability: true });
  return {
    db: drizzle({ client }),
    listen: async (channel, heard) => void (await client.listen(channel, heard)),
    close: () => client.close(),
  };
}
