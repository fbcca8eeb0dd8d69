import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { destinationOf } from "./address.ts";
import type { Driver } from "./driver.ts";

const CONNECT_TIMEOUT_S = 5;
/** Pause before a lost connection is made again: whoever waits longer asks again himself. */
const RECONNECT_S = 0.2;
/** A statement that takes longer is stopped; so is a transaction that is left open. */
const STATEMENT_TIMEOUT_MS = 120_000;
const IDLE_IN_TRANSACTION_MS = 60_000;
/** Numbers of types: whole numbers of eight bytes, lists of texts. */
const INT8 = 20;
const TEXTS = 1009;
/** How connections of Cairn name themselves to the server; what follows tells processes apart. */
const NAME = "cairn";

/**
 * Connections to the server of an address `postgres://...`, so many at most; whoever comes then waits for one of them. What
 * the address says after its question mark counts as it does for libpq. Nothing is asked yet. Throws AppError UNAVAILABLE.
 */
export function openPostgresJs(url: string, connections: number): Driver {
  const { settings, ...given } = destinationOf(url);
  // The driver takes lists of hosts and of ports, of which its types do not know.
  const destination: object = given;
  const client = postgres({
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => RECONNECT_S,
    ...destination,
    max: connections,
    // A pooler in between may hand each transaction to another connection, which knows no statement of before.
    prepare: false,
    // A connection that is lost while it asks for all types of lists would end the process.
    fetch_types: false,
    onnotice: () => {},
    types: {
      bigint: { to: INT8, from: [INT8], serialize: String, parse: Number },
      texts: { to: TEXTS, from: [TEXTS], serialize: String, parse: textsIn },
    },
    connection: {
      application_name: `${NAME} ${crypto.randomUUID()}`,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      ...settings,
    },
  });
  const db = drizzle({ client });
  return {
    db,
    connections: "many",
    processes: async () => {
      const [row] = await client<{ n: number }[]>`select count(distinct application_name) as n
        from pg_stat_activity where datname = current_database() and application_name like ${`${NAME} %`}`;
      return row?.n ?? 1;
    },
    listen: async (channel, heard) => void (await client.listen(channel, heard, heard)),
    close: () => client.end({ timeout: 5 }),
  };
}

/** The texts of a list as a server writes it, such as `{plain,"with \\"quotes\\""}`. */
function textsIn(list: string): string[] {
  const parts = list.matchAll(/"((?:[^"\\]|\\.)*)"|[^,{}]+/g);
  return [...parts].map(([plain, quoted]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? plain);
}
