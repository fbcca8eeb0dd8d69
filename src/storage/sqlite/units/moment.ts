import type { Moment } from "../../transfer/parts.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { openReadable } from "../engine/open-readable.ts";
import { sqliteDialect } from "./dialect.ts";
import { drive } from "./drive.ts";
import { looking } from "./run.ts";

const BUSY_TIMEOUT_MS = 10_000;

/** Holds the present moment of a file on a connection of its own; what lies in memory is read as it changes. */
export function openMoment(file: string | null, db: Connections): Promise<Moment> {
  return guarded(() => {
    if (file === null) return { read: (body) => guarded(() => looking(db, body)), close: () => {} };
    const held = openReadable(file);
    held.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    held.exec("begin");
    // The moment is that of the first read.
    held.query("select count(*) from sqlite_schema").get();
    return { read: (body) => guarded(() => drive(held, body({ dialect: sqliteDialect }))), close: () => held.close() };
  });
}
