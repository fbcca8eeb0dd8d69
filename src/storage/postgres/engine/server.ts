import { drizzle } from "drizzle-orm/node-postgres";
import type { PgTransactionConfig } from "drizzle-orm/pg-core";
import type { ClientConfig, PoolClient } from "pg";
import pg from "pg";
import { destinationOf } from "./address.ts";
import type { Driver } from "./driver.ts";
import { coded, isLost } from "./faults.ts";
import { createListener } from "./listener.ts";
import { takesTls } from "./tls.ts";
import type { Db } from "./work.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** A statement that takes longer is stopped; so is a transaction that is left open. */
const STATEMENT_TIMEOUT_MS = 120_000;
const IDLE_IN_TRANSACTION_MS = 60_000;
/** A connection that was not needed for so long is closed. */
const IDLE_MS = 60_000;
/** How connections of Cairn name themselves to the server; what follows tells processes apart. */
const NAME = "cairn";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Connections to the server of an address `postgres://...`, so many at most and one more that listens; whoever comes then
 * waits for one of them. What the address says after its question mark counts as it does for libpq. Throws AppError
 * UNAVAILABLE for an address that it cannot follow; where the server is away, what the system says.
 */
export async function openServer(url: string, connections: number): Promise<Driver> {
  const { ssl: wanted, ...destination } = destinationOf(url);
  const { host = "localhost", port } = destination;
  const ssl = wanted === "prefer" ? (await takesTls(host, port, CONNECT_TIMEOUT_MS)) && UNVERIFIED : wanted;
  const config: ClientConfig = {
    ...destination,
    ssl,
    application_name: `${NAME} ${crypto.randomUUID()}`,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
  };
  /** Whoever waits for a free connection waits as long as his request; for one that is being made, no longer than this. */
  class Client extends pg.Client {
    constructor() {
      super({ ...config, connectionTimeoutMillis: destination.connect_timeout_ms ?? CONNECT_TIMEOUT_MS });
      // What is lost while nobody uses it is made again when somebody does.
      this.on("error", () => {});
    }
  }
  const pool = new pg.Pool({ Client, max: connections, idleTimeoutMillis: IDLE_MS });
  pool.on("error", () => {});
  const db = over({ query: (...asked) => pool.query(...asked).catch(recoded) });
  const listener = createListener(() => new Client());
  return {
    db: Object.assign(db, { transaction: transactionsOf(pool) }),
    connections: "many",
    processes: async () => {
      const { rows } = await pool.query<{ n: number }>(
        `select count(distinct application_name) as n from pg_stat_activity
          where datname = current_database() and application_name like $1`,
        [`${NAME} %`],
      );
      return rows[0]?.n ?? 1;
    },
    listen: listener.listen,
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

/** Encrypted, to whoever it may be. */
const UNVERIFIED = { rejectUnauthorized: false };

/** What drizzle calls of a client or a pool. */
interface Asking {
  query(config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult>;
}

/** Safe: of all that a client has, drizzle calls nothing else for single statements. */
const over = (asking: Asking): Db => drizzle({ client: asking as pg.Pool });

const recoded = (error: unknown): never => {
  throw coded(error);
};

/** A client that is asked one thing at a time, whoever asks. */
function inTurn(client: PoolClient): Asking {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: (...asked) => {
      const next = last.then(() => client.query(...asked)).catch(recoded);
      last = next.catch(() => {});
      return next;
    },
  };
}

/**
 * Transactions that each have a connection of their own. One whose first word finds that the connection is gone has reached
 * nobody: it is told as one that was not connected. A connection that fails on the way out is not used again.
 */
const transactionsOf =
  (pool: pg.Pool) =>
  async <T>(body: (tx: Db) => Promise<T>, { isolationLevel, accessMode }: PgTransactionConfig = {}): Promise<T> => {
    const client = await pool.connect().catch(recoded);
    const asking = inTurn(client);
    const say = (text: string) => asking.query({ text }, []);
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(" ");
    let isBroken = true;
    try {
      await say(`begin ${modes}`).catch((error: unknown) => {
        throw isLost(error) ? Object.assign(new Error("stale connection", { cause: error }), { code: "STALE" }) : error;
      });
      const result = await body(over(asking)).catch(async (error: unknown) => {
        isBroken = await say("rollback").then(
          () => false,
          () => true,
        );
        throw error;
      });
      await say("commit");
      isBroken = false;
      return result;
    } finally {
      client.release(isBroken);
    }
  };
