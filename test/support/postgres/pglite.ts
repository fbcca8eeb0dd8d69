import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { drizzle } from "drizzle-orm/pglite";
import type { OpenDriver } from "../../../src/storage/postgres/engine/driver.ts";
import { migrate } from "../../../src/storage/postgres/migrations/migrate.ts";

// PostgreSQL within this process: no server is needed. To empty a database takes a tenth of making one.

const free: PGlite[] = [];

async function makeDatabase(): Promise<PGlite> {
  const client = await PGlite.create({ extensions: { vector }, relaxedDurability: true });
  await client.exec("create extension vector");
  await migrate(drizzle({ client }));
  return client;
}

const TABLES = `select string_agg(format('%I', tablename), ', ') as names from pg_tables
  where schemaname = 'public' and tablename <> 'releases'`;

async function emptied(client: PGlite): Promise<void> {
  const { rows } = await client.query<{ names: string }>(TABLES);
  await client.exec(`truncate ${rows[0]?.names} restart identity cascade`);
}

/** The same database, until it is closed, as a pool of connections is. */
const whileOpen = (client: PGlite, isOpen: () => boolean): PGlite =>
  new Proxy(client, {
    get: (target, name) => {
      if (!isOpen()) throw Object.assign(new Error("The pool was ended."), { code: "CLOSED" });
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });

/** A database in memory, without rows, that several stores may open as processes would; the last to close it ends it. */
export async function sharedPglite(): Promise<OpenDriver> {
  const client = free.pop() ?? (await makeDatabase());
  let opened = 0;
  return async () => {
    opened++;
    const silences: (() => Promise<void>)[] = [];
    let isOpen = true;
    return {
      db: drizzle({ client: whileOpen(client, () => isOpen) }),
      connections: "one",
      processes: async () => opened,
      listen: async (channel, heard) => void silences.push(await client.listen(channel, heard)),
      close: async () => {
        isOpen = false;
        for (const silence of silences.splice(0)) await silence();
        if (--opened > 0) return;
        await emptied(client);
        free.push(client);
      },
    };
  };
}

/** A database in memory that nobody else uses, without rows. */
export const openPglite: OpenDriver = async () => (await sharedPglite())();
