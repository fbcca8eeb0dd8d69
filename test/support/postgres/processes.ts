import { storagePolicies } from "../../../src/startup/storage-policies.ts";
import { dialectOf } from "../../../src/storage/postgres/engine/dialect.ts";
import type { Driver, OpenDriver } from "../../../src/storage/postgres/engine/driver.ts";
import { createEngine } from "../../../src/storage/postgres/engine/engine.ts";
import type { Engine } from "../../../src/storage/postgres/engine/work.ts";
import { SPACE } from "../builders.ts";
import { sharedDatabase } from "./engine.ts";

/** As a server of today has them. */
export const RULES = {
  space: SPACE,
  policies: storagePolicies,
  dialect: dialectOf({ server: 180_000, vector: "0.8.0" }),
} as const;

/** What one of several processes over a database has of it. */
export interface Process {
  readonly driver: Driver;
  readonly engine: Engine;
}

/** Opens a database of a test as processes would, one at each call; `close` closes all of them. */
export async function processesOverOne(): Promise<{ open(): Promise<Process>; close(): Promise<void> }> {
  const openDriver: OpenDriver = await sharedDatabase();
  const drivers: Driver[] = [];
  return {
    open: async () => {
      const driver = await openDriver();
      drivers.push(driver);
      return { driver, engine: createEngine(driver, RULES) };
    },
    close: async () => {
      for (const driver of drivers) await driver.close();
    },
  };
}
