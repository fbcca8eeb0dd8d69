import type { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { drizzle } from "drizzle-orm/pglite";
import type { OpenDriver } from "../../../src/storage/postgres/engine/driver.ts";
import { migrate } from "../../../src/storage/postgres/migrations/migrate.ts";
import { PreparingPglite } from "./preparing-pglite.ts";

// PostgreSQL within this process: no server is needed. To empty a database takes a hundredth of making one, if only the tables
// that hold rows are emptied: each costs a file or more.

const free: PGlite[] = [];

/**
 * The index of memories with fewer links between its rows, under the name that Cairn looks for: among the rows of a test it
 * would find as many, and a row is put into it in a fraction of the time.
 */
const THIN_INDEX = `create index memory_vectors_near_halfvec on memory_vectors
  using hnsw ((near::halfvec(448)) halfvec_ip_ops) with (m = 4, ef_construction = 8)`;

async function makeEmpty(): Promise<PGlite> {
  const client = new PreparingPglite({ extensions: { vector }, relaxedDurability: true });
  await client.waitReady;
  await client.exec("create extension vector");
  return client;
}

async function makeDatabase(): Promise<PGlite> {
  const client = await makeEmpty();
  await migrate(drizzle({ client }));
  await client.exec(THIN_INDEX);
  return client;
}

/** Empties the tables that hold rows. */
const EMPTY = `do $$
declare
  name text;
  is_filled boolean;
  filled text[] := '{}';
begin
  for name in select format('%I', tablename) from pg_tables where schemaname = 'public' and tablename <> 'releases' loop
    execute 'select exists (select from ' || name || ')' into is_filled;
    if is_filled then filled := filled || name; end if;
  end loop;
  if filled <> '{}' then execute 'truncate ' || array_to_string(filled, ', ') || ' restart identity cascade'; end if;
end $$`;

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
export async function sharedPglite({ hasTables }: { readonly hasTables: boolean }): Promise<OpenDriver> {
  const client = hasTables ? (free.pop() ?? (await makeDatabase())) : await makeEmpty();
  // Among the rows of a test every plan is as good: each is made once, not at every call.
  await client.exec("set plan_cache_mode = force_generic_plan");
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
        if (!hasTables) return client.close();
        await client.exec(EMPTY);
        free.push(client);
      },
    };
  };
}
