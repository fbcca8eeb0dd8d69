import { sql } from "drizzle-orm";
import type { Hands } from "../../jobs/hands.ts";
import { sqliteDialect } from "../units/dialect.ts";

const NONE = sql``;
const TRUE = sql`true`;

/** The jobs in hand where this process alone works on the file: it knows them itself. */
export function soleHands(): Hands {
  const held = new Set<number>();
  return {
    isHeld: () => sqliteDialect.isIn(sql`id`, [...held]),
    mayTake: () => TRUE,
    own: (id) => sql`id = ${id}`,
    taken: () => NONE,
    free: NONE,
    nextDue: () => sql`select min(run_after) as due from jobs`,
    take: (id) => void held.add(id),
    drop: (id) => void held.delete(id),
    *queueAlone() {},
  };
}
