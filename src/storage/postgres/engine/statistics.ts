import { sql } from "drizzle-orm";
import { statementsOf } from "./statements.ts";
import type { Db } from "./work.ts";

/** Changed rows after which it is looked for tables that have grown; then each time that all of them have doubled. */
const FIRST_LOOK = 500;

/** Tables that were never looked through, or hold twice as much as when they were. */
const GROWN = sql`
  select format('%I', relname) as name from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace
    and pg_relation_size(oid) > 0
    and (reltuples < 0 or pg_relation_size(oid) >= 2 * relpages::bigint * current_setting('block_size')::bigint)`;

/** What the planner knows of tables, kept up with what is written. */
export interface Statistics {
  /** Notes that so many rows were changed. */
  changed(rows: number): void;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/**
 * Has tables that grow looked through as they do. A server does so by itself, but up to a minute later; of a table that it
 * knows nothing of it takes a tenant to have one row, and compares each row of one table with each of another.
 */
export function createStatistics(db: Db): Statistics {
  let [changed, next] = [0, FIRST_LOOK];
  let underWay: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const grown = await statementsOf(db).rows<{ name: string }>(GROWN);
    if (grown.length > 0) await db.execute(sql.raw(`analyze ${grown.map(({ name }) => name).join(", ")}`));
  };
  return {
    changed: (rows) => {
      changed += rows;
      if (changed < next || underWay) return;
      next = 2 * changed;
      // Without it all is right, if slow; whatever ails the server, others are told.
      underWay = look()
        .catch(() => {})
        .finally(() => {
          underWay = null;
        });
    },
    close: async () => void (await underWay),
  };
}
