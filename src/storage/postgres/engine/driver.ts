import type { Db } from "./work.ts";

/** A way to a database: of a server, or of one within this process. */
export interface Driver {
  readonly db: Db;
  /** Calls back whenever something is told on a channel, and after a connection that listened was lost and made again. */
  listen(channel: string, heard: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Makes another way to the same database. */
export type OpenDriver = () => Promise<Driver>;
