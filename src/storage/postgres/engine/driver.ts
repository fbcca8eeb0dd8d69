import type { Db } from "./work.ts";

/** A way to a database: of a server, or of one within this process. */
export interface Driver {
  readonly db: Db;
  /** Whether a transaction may stay open while others go on; where there is but one connection, all would wait for it. */
  readonly connections: "many" | "one";
  /** How many Cairn processes are connected to the database, this one among them; 1 where no other can be. */
  processes(): Promise<number>;
  /** Calls back whenever something is told on a channel, and after a connection that listened was lost and made again. */
  listen(channel: string, heard: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Makes another way to the same database. */
export type OpenDriver = () => Promise<Driver>;
