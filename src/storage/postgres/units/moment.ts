import { sql } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Moment } from "../../transfer/parts.ts";
import { EXPORT_MAX_MS } from "../../transfer/parts.ts";
import type { Driver } from "../engine/driver.ts";
import { asStorageFault } from "../engine/faults.ts";
import type { Engine, Work } from "../engine/work.ts";
import { postgresDialect } from "./dialect.ts";
import { drive } from "./drive.ts";

const READING = { dialect: postgresDialect };

/**
 * Holds the present moment of a database, on a connection of its own; where there is but one connection, everyone else
 * would wait for it, and each part is read as it is by then.
 */
export async function openMoment(engine: Engine, { connections }: Pick<Driver, "connections">): Promise<Moment> {
  if (connections === "one")
    return { read: (body) => engine.snapshot((work) => drive(work, body(READING))), close: () => {} };
  const opened = Promise.withResolvers<Work>();
  const closed = Promise.withResolvers<void>();
  let isOpened = false;
  const held = engine.snapshot(async (work) => {
    // Tried again once it was lost: what was read of the first moment does not fit another.
    if (isOpened) throw lost();
    isOpened = true;
    await work.run(sql`select set_config('idle_in_transaction_session_timeout', ${String(EXPORT_MAX_MS)}, true)`);
    // The moment is that of the first read.
    await work.row(sql`select 1 as one from releases limit 1`);
    opened.resolve(work);
    await closed.promise;
  });
  held.catch(opened.reject);
  const work = await opened.promise;
  return {
    read: async (body) => {
      try {
        return await drive(work, body(READING));
      } catch (error) {
        throw asStorageFault(error);
      }
    },
    close: () => closed.resolve(),
  };
}

const lost = (): AppError =>
  new AppError("UNAVAILABLE", "The connection to the database was lost. Export again.", { reason: "database_lost" });
