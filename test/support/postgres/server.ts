import pg from "pg";
import { destinationOf } from "../../../src/storage/postgres/engine/address.ts";
import type { OpenDriver } from "../../../src/storage/postgres/engine/driver.ts";
import { openServer } from "../../../src/storage/postgres/engine/server.ts";
import { migrate } from "../../../src/storage/postgres/migrations/migrate.ts";

// Databases of a server that runs already, each made from one that has its tables.

const TEMPLATE = "cairn_template";
/** The same before the tables were made: with the extension alone. */
const EXTENDED = "cairn_template_without_tables";
/** Connections of one app of a test. */
const CONNECTIONS = 4;

let made = 0;
let template: Promise<pg.Client> | null = null;

/** The same server, at another of its databases. */
const at = (url: string, database: string): string => url.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`);

async function makeTemplate(url: string): Promise<pg.Client> {
  const admin = new pg.Client({ ...destinationOf(url), ssl: false });
  await admin.connect();
  for (const name of [EXTENDED, TEMPLATE]) {
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`create database ${name}`);
    const driver = await openServer(at(url, name), 1);
    await driver.db.execute("create extension if not exists vector");
    if (name === TEMPLATE) await migrate(driver.db);
    await driver.close();
  }
  return admin;
}

/** A database without rows that several stores may open as processes would; the last to close it ends it. */
export async function sharedOnServer(url: string, { hasTables }: { readonly hasTables: boolean }): Promise<OpenDriver> {
  template ??= makeTemplate(url);
  const admin = await template;
  const name = `cairn_test_${process.pid}_${++made}`;
  await admin.query(`create database ${name} template ${hasTables ? TEMPLATE : EXTENDED}`);
  let opened = 0;
  return async () => {
    opened++;
    const driver = await openServer(at(url, name), CONNECTIONS);
    return {
      ...driver,
      close: async () => {
        await driver.close();
        if (--opened === 0) await admin.query(`drop database ${name} with (force)`);
      },
    };
  };
}
